/** A package manager, as a project uses it whose dependencies are archives. */
export type PackageManager = {
  readonly name: string;
  /**
   * Files of the project besides its manifest, by name: each replaces packages by their archives everywhere, or gives the scope a
   * registry that does not exist.
   */
  readonly files: (archives: Archives) => Readonly<Record<string, string>>;
  /** Properties of the manifest that replace packages by their archives everywhere. */
  readonly manifest: (archives: Archives) => object;
  readonly install: readonly [string, ...string[]];
  /** Runs a program of the project; absent if programs are in `node_modules/.bin`. */
  readonly exec?: readonly [string, ...string[]];
};

/** The address of the archive of each package. */
export type Archives = Readonly<Record<string, string>>;

const nowhere = "http://127.0.0.1:1/";
const npmrc = { ".npmrc": `@rowhouse:registry=${nowhere}\n` };
const yarn1 = ["npx", "--yes", "yarn@1.22.22"] as const;
const yarn4 = ["npx", "--yes", "--package=@yarnpkg/cli-dist@4.18.1", "yarn"] as const;

export const npm: PackageManager = {
  name: "npm",
  manifest: (archives) => ({ overrides: archives }),
  files: () => npmrc,
  install: ["npm", "install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"],
};

export const pnpmOf = (version: string): PackageManager => ({
  name: "pnpm",
  manifest: () => ({}),
  files: (archives) => ({
    ...npmrc,
    "pnpm-workspace.yaml": JSON.stringify({ overrides: archives }),
  }),
  install: ["npx", "--yes", version, "install", "--prefer-offline", "--ignore-scripts"],
});

export const classicYarn: PackageManager = {
  name: "Yarn 1",
  manifest: (archives) => ({ resolutions: archives }),
  files: () => npmrc,
  // Its own cache has packages of the same version from earlier archives.
  install: [
    ...yarn1,
    "install",
    "--ignore-scripts",
    "--non-interactive",
    "--cache-folder",
    ".cache",
  ],
};

/** With Plug'n'Play, its default: a package loads only what its own manifest names. */
export const yarn: PackageManager = {
  name: "Yarn 4",
  manifest: (archives) => ({ resolutions: archives }),
  files: () => ({
    ".yarnrc.yml": JSON.stringify({
      enableTelemetry: false,
      npmScopes: { rowhouse: { npmRegistryServer: nowhere } },
      unsafeHttpWhitelist: ["127.0.0.1"],
    }),
    // Makes the folder a project of its own.
    "yarn.lock": "",
  }),
  install: [...yarn4, "install", "--mode=skip-build"],
  exec: yarn4,
};
