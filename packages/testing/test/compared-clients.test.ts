// Tier: long. Installs two packages from npm.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root, run } from "./archives.ts";

it("the programs of other clients in the comparison compile with their packages", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-compared-"));
  try {
    await cp(join(root, "infra/checks/client-comparison"), folder, { recursive: true });
    const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...flags], { cwd: folder });
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: folder });
    expect(stdout).toBe("");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);
