// Tier: long. Packs and installs packages.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeOf, pack, readJson, root, run } from "./archives.ts";

// The client and the command line as another project gets them: installed by npm from archives, without a registry, into an
// empty folder.

const use = `
  const rows = [{ id: "9007199254740993" }];
  const fetch = async () => new Response(JSON.stringify({ data: rows }));
  const client = createClient({ url: "http://service.invalid", token: "t", fetch });
  const page = await client.from("fleet.vehicles").list();
`;

let folder: string;
let project: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-packed-client-"));
  project = join(folder, "project");
  await mkdir(project);
  await pack(folder, "@rowhouse/client", "rowhouse");
  const { version } = await readJson(join(root, "apps/cli/package.json"));
  const dependencies = {
    "@rowhouse/client": `file:../rowhouse-client-${version}.tgz`,
    rowhouse: `file:../rowhouse-${version}.tgz`,
  };
  const manifest = { name: "empty", private: true, dependencies };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], { cwd: project });
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the compiler of this checkout in the project, which has none. */
async function compile(compilerOptions: object): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const config = { compilerOptions, files: ["main.ts"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
  const compiled = await run(process.execPath, [tsc, "--pretty", "false"], { cwd: project }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return compiled.stdout;
}

describe("the packed client", () => {
  it("works in an ES module", async () => {
    const code = `import { createClient } from "@rowhouse/client";\n${use}\nconsole.log(page.rows[0].id);`;
    await writeFile(join(project, "main.mjs"), code);
    const { stdout } = await run(process.execPath, ["main.mjs"], { cwd: project });
    expect(stdout).toBe("9007199254740993\n");
  });

  it("works in CommonJS by import()", async () => {
    const code = `import("@rowhouse/client").then(async ({ createClient }) => {${use}
      console.log(page.rows[0].id); });`;
    await writeFile(join(project, "main.cjs"), code);
    const { stdout } = await run(process.execPath, ["main.cjs"], { cwd: project });
    expect(stdout).toBe("9007199254740993\n");
  });

  it.each([
    ["a browser", ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], "ESNext", "Bundler"],
    ["a browser of 2020", ["ES2020", "DOM"], "ESNext", "Bundler"],
  ])(
    "has types that compile without those of Node.js, for %s",
    async (_name, lib, module, kind) => {
      const code = `import { createClient } from "@rowhouse/client";
      export async function main() {${use} return page.rows[0]?.id; }`;
      await writeFile(join(project, "main.ts"), code);
      const kinds = { target: "ES2020", lib, module, moduleResolution: kind, types: [] };
      expect(await compile({ ...kinds, strict: true, noEmit: true })).toBe("");
    },
  );

  it("has types that refuse a wrong option", async () => {
    const code =
      'import { createClient } from "@rowhouse/client";\ncreateClient({ address: "http://localhost" });\n';
    await writeFile(join(project, "main.ts"), code);
    const kinds = { module: "NodeNext", lib: ["ES2023", "DOM"], types: [] };
    expect(await compile({ ...kinds, strict: true, noEmit: true })).toContain("'address'");
  });

  it("imports nothing except its own files", async () => {
    const home = join(project, "node_modules/@rowhouse/client");
    const files = await readdir(join(home, "dist"), { recursive: true });
    const scripts = files.filter((file) => file.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(10);
    for (const file of scripts) {
      const text = await readFile(join(home, "dist", file), "utf8");
      expect(text.match(/(?:from|import)\s*\(?\s*"(?!\.)[^"]*"/g)).toBe(null);
    }
    expect((await readJson(join(home, "package.json"))).dependencies).toBe(undefined);
  });
});

/** The current process's version, and others that npm provides as packages of one program. */
const versions = ["current", "22", "24"] as const;

describe.each(versions)("under Node.js %s", (version) => {
  let node: string | undefined;
  beforeAll(async () => {
    node = version === "current" ? process.execPath : await nodeOf(version);
  });

  it("the packed client runs, with the command line beside it", async (context) => {
    if (node === undefined) return context.skip(`npm cannot load node@${version}`);
    const shown = await run(node, ["--version"]);
    if (version !== "current") expect(shown.stdout).toMatch(new RegExp(`^v${version}\\.`));
    const code = `import { createClient } from "@rowhouse/client";\n${use}\nconsole.log(page.rows[0].id);`;
    await writeFile(join(project, "main.mjs"), code);
    const client = await run(node, ["main.mjs"], { cwd: project });
    expect(client.stdout).toBe("9007199254740993\n");

    // npx and the program of the command line run with the first `node` of the PATH. Without --no, npx would download a
    // package of this name if the command were missing.
    const PATH = [dirname(node), process.env.PATH ?? ""].join(delimiter);
    const options = { cwd: project, env: { ...process.env, PATH } };
    const help = await run("npx", ["--no", "--", "rowhouse", "--help"], options);
    expect(help.stdout).toMatch(/^Usage: rowhouse /);
    // A command whose code the program loads later: nothing of it comes from a checkout.
    const moved = ["files", "move", "--from", "/absent/files", "--to", join(folder, "to")];
    const failed = await run("npx", ["--no", "--", "rowhouse", ...moved], options).catch(
      (error: { readonly stderr: string }) => error,
    );
    expect(failed.stderr).toBe("rowhouse: There is no folder /absent/files.\n");
  });
});

describe("the packed command line", () => {
  it("needs no other package, and is one file besides the migrations", async () => {
    const home = join(project, "node_modules/rowhouse");
    const files = await readdir(home, { recursive: true, withFileTypes: true });
    const names = files.flatMap((each) => (each.isFile() ? [each.name] : []));
    const others = names.filter((name) => !/^\d{4}_\w+\.sql$/.test(name)).sort();
    expect(others).toEqual(["LICENSE", "README.md", "main.js", "package.json"]);
    const migrations = await readdir(join(root, "packages/db/migrations"));
    expect(names.length).toBe(others.length + migrations.length);
    expect(Object.keys(await readJson(join(home, "package.json")))).not.toContain("dependencies");
  });
});
