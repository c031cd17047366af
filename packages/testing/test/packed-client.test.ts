// Tier: long. Packs and installs packages.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The client and the command line as another project gets them: installed by npm from archives into an empty folder.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);

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
  const pack = ["pack", "--pack-destination", folder];
  await run("npm", pack, { cwd: join(root, "packages/client") });
  // npm does not replace the version "workspace:*" of a dependency; pnpm does.
  const { packageManager, devDependencies } = await readJson(join(root, "package.json"));
  await run("npx", ["--yes", packageManager, ...pack], { cwd: join(root, "apps/cli") });
  const archives = await readdir(folder);
  const archive = (name: string) =>
    `file:${join(folder, archives.find((each) => each.startsWith(`rowhouse-${name}-`)) ?? "")}`;
  const manifest = {
    name: "empty",
    private: true,
    dependencies: { "@rowhouse/client": archive("client"), "@rowhouse/cli": archive("cli") },
    devDependencies: { typescript: devDependencies.typescript },
    overrides: { "@rowhouse/client": "$@rowhouse/client" },
  };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: project });
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readJson(file: string) {
  return JSON.parse(await readFile(file, "utf8"));
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
      const compilerOptions = {
        ...{ target: "ES2020", lib, module, moduleResolution: kind, types: [], strict: true },
        ...{ skipLibCheck: false, noEmit: true },
      };
      const config = { compilerOptions, files: ["main.ts"] };
      await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
      const compiled = await run("npx", ["tsc", "--pretty", "false"], { cwd: project }).catch(
        (error: { readonly stdout: string }) => error,
      );
      expect(compiled.stdout).toBe("");
    },
  );

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

it.each([
  // Without --no, npx would download a package of this name if the command were missing.
  ["name", ["npx", "--no", "--", "rowhouse"]],
  ["path", [process.execPath, "node_modules/@rowhouse/cli/bin/rowhouse.js"]],
])("the packed command line runs by its %s", async (_name, [command = "", ...argv]) => {
  const { stdout } = await run(command, [...argv, "--help"], { cwd: project });
  expect(stdout).toMatch(/^Usage: rowhouse types/);
});
