// Tier: long. Packs and installs packages.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pack, pnpm, root, run } from "./archives.ts";

// Each package as another project gets it: packed, installed from its archive into an empty folder, and compiled against.

/** What the examples of the READMEs take for given. */
const given = `
import type { RowEngine } from "@rowhouse/access";
import type { MailConfig, Origin } from "@rowhouse/accounts";
import type { AuditActor, Database, Snapshot, SnapshotStore } from "@rowhouse/db";
import type { Logger } from "@rowhouse/service";
import type { McpCall } from "@rowhouse/mcp";
import type { openServiceProcess } from "@rowhouse/service/open";
import type { Settings } from "@rowhouse/settings";
import type { SealedColumn, Vault } from "@rowhouse/vault";
import type { Documents } from "@rowhouse/templates";
import type { openWorkflowConnections, RunFiles, RunMails } from "@rowhouse/workflows";
type ProcessOptions = Parameters<typeof openServiceProcess>[0];
type Process = Awaited<ReturnType<typeof openServiceProcess>>;
declare global {
  const actor: AuditActor;
  const call: McpCall;
  const columns: readonly SealedColumn[];
  const config: ProcessOptions["config"] & MailConfig & { readonly ROWHOUSE_SECRET: string };
  const content: AsyncIterable<Uint8Array>;
  const createApp: (dependencies: object) => Parameters<Process["listen"]>[0];
  const database: Database;
  const databaseUrl: string;
  const email: string;
  const fileId: string;
  const logger: Logger;
  const documents: Documents;
  const files: RunFiles;
  const mails: RunMails;
  const origin: Origin;
  const password: string;
  const rateLimits: object;
  const report: (error: unknown) => void;
  const resourceId: string;
  const roleId: string;
  const rows: RowEngine;
  const secret: string;
  const settings: Settings;
  const signal: AbortSignal;
  const snapshot: Snapshot;
  const snapshots: SnapshotStore;
  const token: string;
  const url: string;
  const userId: string;
  const vault: Vault;
  const workflows: Awaited<ReturnType<typeof openWorkflowConnections>>;
}
`;

/** A copy of a patched package, in `imports`. */
type Inlined = { readonly types: string; readonly default: string };

let folder: string;
let archives: string;
let names: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-packed-"));
  archives = join(folder, "archives");
  // A folder without a manifest is what another branch has built.
  const folders = await readdir(join(root, "packages"));
  names = folders.filter((name) => existsSync(join(root, "packages", name, "package.json"))).sort();
  await pack(archives, "./packages/*", "rowhouse");
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

it("every package installs from its archive, and its README's example compiles under strict", async () => {
  const files = await readdir(archives);
  const dependencies: Record<string, string> = {};
  for (const name of names) {
    const file = files.find((each) => new RegExp(`^rowhouse-${name}-\\d`).test(each));
    dependencies[`@rowhouse/${name}`] = `file:${join(archives, String(file))}`;
  }
  const project = join(folder, "project");
  await mkdir(project);
  const write = (file: string, content: unknown) =>
    writeFile(
      join(project, file),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  const { devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await write("package.json", {
    name: "empty",
    private: true,
    type: "module",
    dependencies,
    devDependencies: { "@types/node": "20", typescript: devDependencies.typescript },
  });
  // The archives name one another by version, and no registry has them.
  await write("pnpm-workspace.yaml", { overrides: dependencies });
  await write("given.d.ts", given);
  for (const name of names) {
    const readme = await readFile(join(root, "packages", name, "README.md"), "utf8");
    const example = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
    expect(example, name).toBeDefined();
    await write(`${name}.ts`, `import "@rowhouse/${name}";\n${example}`);
  }
  const compilerOptions = {
    ...{ target: "ES2023", lib: ["ES2023"], module: "NodeNext", types: ["node"] },
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false, noEmit: true },
  };
  await write("tsconfig.json", { compilerOptions, include: ["*.ts"] });
  await pnpm(project, "install", "--prefer-offline", "--ignore-scripts");
  const compiled = await run("node_modules/.bin/tsc", ["--pretty", "false"], {
    cwd: project,
  }).catch((error: { stdout: string }) => error);
  // Declarations of drizzle-orm name drivers that nobody has installed, as its own documents say: skipLibCheck is for them.
  const faults = compiled.stdout
    .split("\n")
    .filter((line) => /^\S.*: error /.test(line) && !line.includes("/drizzle-orm/"));
  expect(faults).toEqual([]);
}, 600_000);

it("every archive has the license and a README, runs nothing when it is installed, satisfies publint, and contains the packages that we patch", async () => {
  const files = await readdir(archives);
  expect(files).toHaveLength(names.length + 1);
  const patches = (await readdir(join(root, "patches"))).filter((each) => each.endsWith(".patch"));
  const patched = patches.map((each) => each.replace(/@[^@]+$/, "").replace("__", "/"));
  expect(patched).toContain("postgres");
  for (const file of files) {
    const archive = join(archives, file);
    const { stdout } = await run("tar", ["-tzf", archive], { maxBuffer: 2 ** 24 });
    const paths = stdout.trimEnd().split("\n");
    expect(paths, file).toEqual(expect.arrayContaining(["package/LICENSE", "package/README.md"]));
    expect(
      paths.filter((path) => /\/(?:src|test|node_modules)\/|\.tsbuildinfo$/.test(path)),
    ).toEqual([]);
    const manifest = JSON.parse(
      (await run("tar", ["-xzOf", archive, "package/package.json"])).stdout,
    );
    expect(Object.keys(manifest.scripts ?? {}), file).toEqual([]);
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(
      versions.filter((version) => /^(?:workspace|catalog|file|link):/.test(String(version))),
    ).toEqual([]);
    // A registry has them without our patches.
    const dependencies = Object.keys(manifest.dependencies ?? {});
    expect(
      manifest.private === true ? [] : patched.filter((name) => dependencies.includes(name)),
    ).toEqual([]);
    for (const { types, default: module } of Object.values<Inlined>(manifest.imports ?? {})) {
      const copied = [module, types, join(dirname(module), "NOTICE")];
      expect(paths).toEqual(expect.arrayContaining(copied.map((each) => join("package", each))));
    }
    const tarball = new Uint8Array(await readFile(archive)).buffer;
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages, file).toEqual([]);
  }
});
