// `node ../../scripts/bundle.mjs` in the folder of an app: writes the app's program, `dist/main.js`, with all modules that it
// imports. Node.js starts it in about half the time that it needs to find and link 1,500 files.
//
// Packages with native code or files of their own are loaded from where they are installed.
import { existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = process.cwd();
/** Packages that open files beside their own code. */
const installed = new Set(["@node-rs/argon2", "libpg-query", "sharp"]);
const helper = "\0rowhouse:require-from";
const helperCode = `
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
/** Returns the require function of the last package, which each is a dependency of the one before. */
export const requireFrom = (...packages) =>
  packages.reduce((require, name) => createRequire(require.resolve(name)), createRequire(import.meta.url));
/** Returns the URL of a module of a package, which this file contains. */
export const urlOf = (path, ...packages) =>
  new URL(path, pathToFileURL(requireFrom(...packages.slice(0, -1)).resolve(packages.at(-1)))).href;
`;

rmSync("dist/chunks", { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: "src/main.ts" },
  platform: "node",
  plugins: [{ name: "installed-packages", resolveId, load, transform }],
  onLog: (level, log) => {
    // Of third parties; nothing of our own is left out of the bundle.
    if (level === "warn" && !log.message.includes("node_modules")) throw new Error(log.message);
  },
});
await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  // Libraries name their errors after their classes.
  keepNames: true,
});
await bundle.close();

function resolveId(id, importer) {
  if (id === helper) return id;
  return installed.has(id) ? `\0rowhouse:installed:${id}:${packageOf(importer)}` : undefined;
}

function load(id) {
  if (id === helper) return helperCode;
  if (!id.startsWith("\0rowhouse:installed:")) return undefined;
  const [, , name, owner] = id.split(":");
  const from = `require(${texts([helper])}).requireFrom(${texts(chainTo(owner))})`;
  return `module.exports = ${from}(${texts([name])});`;
}

/** Modules keep the address that they have in their package, because files lie beside it. */
function transform(code, id) {
  const isOwn = isAbsolute(id) && !relative(root, id).includes("node_modules");
  if (!isOwn || !code.includes("import.meta.url")) return undefined;
  const folder = folderOf(id);
  const [, ...places] = relative(folder, id).split(sep);
  const path = places.join("/").replace(/\.ts$/, ".js");
  const url = `urlOf(${texts([`./${path}`, ...chainTo(manifestOf(folder).name)])})`;
  return {
    code: `import { urlOf } from ${texts([helper])};\n${code.replaceAll("import.meta.url", url)}`,
    map: null,
  };
}

/** Arguments of a call, as source text. */
function texts(values) {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

/** The names of packages, each a dependency of the one before, from the app to `name`. */
function chainTo(name) {
  if (name === manifestOf(app).name) return [name];
  const queue = [{ folder: app, chain: [] }];
  const seen = new Set();
  for (const { folder, chain } of queue) {
    for (const dependency of Object.keys(manifestOf(folder).dependencies ?? {})) {
      if (!dependency.startsWith("@rowhouse/") || seen.has(dependency)) continue;
      seen.add(dependency);
      if (dependency === name) return [...chain, dependency];
      const next = realpathSync(join(folder, "node_modules", dependency));
      queue.push({ folder: next, chain: [...chain, dependency] });
    }
  }
  throw new Error(`${manifestOf(app).name} does not depend on ${name}`);
}

function packageOf(file) {
  return manifestOf(folderOf(file)).name;
}

/** The folder of the package that has a file. */
function folderOf(file) {
  let folder = dirname(file);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  if (relative(root, folder).startsWith(".."))
    throw new Error(`${file} is not a file of the repository`);
  return folder;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
