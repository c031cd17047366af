// Tiers: all, topologies. Starts processes.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createClient } from "@rowhouse/client";
import {
  createToken,
  createUser,
  expose,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

// The commands that documents show, in a checkout that has not been installed. Its `npx` and `scripts/bundle.mjs`, which would
// install and build, write to their standard output and read their standard input; the command line is that of this checkout.
const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const noise = `
console.log("lines of the build");
process.stdin.resume();
setTimeout(() => process.exit(), 1_000).unref();
`;
const bundle = (main: string) => `
import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync("apps/cli/bundled", { recursive: true });
writeFileSync("apps/cli/bundled/main.js", ${JSON.stringify(`import ${JSON.stringify(main)};`)});
writeFileSync("apps/cli/bundled/inputs.json", "[]");
${noise}`;
const isBuilt = process.env.ROWHOUSE_TEST_BUILT === "1";

let environment: TestEnvironment;
let token: string;
beforeAll(async () => {
  environment = await startTestEnvironment();
  const { database } = environment.test;
  await database.query("create table public.parts (id bigint primary key)");
  await expose(database, "public", "parts", "GET");
  const admin = await createUser(database, "grace@example.com", "Administrators");
  token = (await createToken(database, admin.id, "api")).secret;
  await createClient({ url: environment.url, session: admin.secret }).admin.patch("/settings", {
    data: { "mcp.enabled": true },
  });
});
afterAll(() => environment?.stop());

let folder: string;
let checkout: string;
let project: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "rowhouse-checkout-")));
  [checkout, project] = [join(folder, "rowhouse"), join(folder, "project")];
  const empty = ["docs", "apps/cli", "packages", "infra", "node_modules"];
  for (const path of empty) await mkdir(join(checkout, path), { recursive: true });
  for (const path of [join(folder, "bin"), project]) await mkdir(path);
  await cp(join(root, "scripts"), join(checkout, "scripts"), { recursive: true });
  await cp(join(root, "package.json"), join(checkout, "package.json"));
  await writeFile(join(checkout, "node_modules/.modules.yaml"), "{}");
  const main = join(root, isBuilt ? "apps/cli/bundled/main.js" : "apps/cli/src/main.ts");
  await writeFile(join(checkout, "scripts/bundle.mjs"), bundle(pathToFileURL(main).href));
  await writeFile(join(folder, "bin/npx"), `#!/usr/bin/env node\n${noise}`, { mode: 0o755 });
  const tsx = pathToFileURL(createRequire(join(root, "package.json")).resolve("tsx")).href;
  env = {
    PATH: [join(folder, "bin"), process.env.PATH ?? ""].join(delimiter),
    HOME: process.env.HOME ?? "",
    ...(isBuilt ? {} : { NODE_OPTIONS: `--conditions=rowhouse-source --import ${tsx}` }),
    ROWHOUSE_URL: environment.url,
    ROWHOUSE_TOKEN: token,
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe.runIf(process.platform !== "win32")("the command line of a checkout", () => {
  it("writes only the types to the standard output, even if it installs and builds first", async () => {
    const argv = ["run", "--silent", "rowhouse", "--", "types"];
    const first = await run("npm", argv, { cwd: checkout, env });
    expect(first.stdout).toMatch(/^\/\/ Written by `rowhouse types`[\s\S]*"public\.parts"/);
    expect(first.stdout).not.toContain("lines of the build");
    expect(first.stderr).toMatch(/^install +\d+\.\d s\nbuild +\d+\.\d s\n$/);
    const second = await run("npm", argv, { cwd: checkout, env });
    expect(second).toEqual({ stdout: first.stdout, stderr: "" });
  });

  it.each([
    ["npm in the checkout", () => checkout, ["npm", "run", "--silent", "rowhouse", "--"]],
    ["npm in a folder of it", () => `${checkout}/docs`, ["npm", "run", "-s", "rowhouse", "--"]],
    [
      "npm in another folder",
      () => project,
      ["npm", "--prefix", "../rowhouse", "run", "--silent", "rowhouse", "--"],
    ],
    ["node in another folder", () => project, ["node", "../rowhouse/scripts/rowhouse.mjs", "cli"]],
  ])(
    "by %s, writes a file to the folder in which the caller is",
    async (_name, place, [command = "", ...argv]) => {
      const cwd = place();
      const { stdout } = await run(command, [...argv, "types", "--out", "types.ts"], { cwd, env });
      expect(stdout).toBe("");
      expect(await readFile(join(cwd, "types.ts"), "utf8")).toContain('"public.parts"');
    },
  );

  it("started by a script of another project, writes to the folder of that script", async () => {
    const types = "node ../rowhouse/scripts/rowhouse.mjs cli types --out types.ts";
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ scripts: { rowhouse: types } }),
    );
    await mkdir(join(project, "src"));
    await run("npm", ["run", "rowhouse"], { cwd: join(project, "src"), env });
    expect(await readFile(join(project, "types.ts"), "utf8")).toContain('"public.parts"');
  });

  it("serves MCP to a client with the configuration that docs/mcp.md shows, from any folder", async () => {
    const page = await readFile(join(root, "docs/mcp.md"), "utf8");
    const text = /^```json\n(\{"mcpServers": \{"rowhouse": \{"command"[\s\S]*?)^```$/m.exec(
      page,
    )?.[1];
    const { command, args } = JSON.parse(text ?? "").mcpServers.rowhouse;
    const client = new Client({ name: "agent", version: "1" });
    const transport = new StdioClientTransport({
      command,
      args: args.map((each: string) => each.replace("/path/to/rowhouse", checkout)),
      cwd: project,
      env,
      stderr: "ignore",
    });
    const faults: Error[] = [];
    client.onerror = (error) => faults.push(error);
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("read_rows");
    await client.close();
    // A line that is not of the protocol is such a fault.
    expect(faults).toEqual([]);
  });
});
