// Tier: long. Installs and builds a checkout.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFreePort } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutNodeNotice } from "./node-notice.ts";

// `npm start` on a machine that has only Node, as its first user sees it.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);
const development =
  /^(?:@biomejs|@turbo|turbo@|typescript@|vitest@|knip@|tsx@|gpt-tokenizer|kubernetes-models|playwright|lucide)/;

let folder: string;
let checkout: string;
let service: ChildProcess;
let url: string;
let written = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-fresh-"));
  checkout = join(folder, "checkout");
  await run("git", ["clone", "--quiet", root, checkout]);
  const port = String(await findFreePort());
  url = `http://127.0.0.1:${port}/readyz`;
  const { PATH, HOME, NODE_EXTRA_CA_CERTS, npm_config_userconfig } = process.env;
  const env = { PATH, HOME, NODE_EXTRA_CA_CERTS, npm_config_userconfig, PORT: port };
  service = spawn("npm", ["start"], { cwd: checkout, env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [service.stdout, service.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  while (!(await isReady())) {
    if (service.exitCode !== null) throw new Error(`npm start ended:\n${written}`);
    await delay(100);
  }
}, 600_000);
afterAll(async () => {
  const ended = once(service, "exit");
  service.kill("SIGTERM");
  await ended;
  await rm(folder, { recursive: true, force: true });
});

function isReady(): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The inode of each installed file, by path. */
async function installedFiles(): Promise<Map<string, number>> {
  const entries = await readdir(join(checkout, "node_modules/.pnpm"), {
    recursive: true,
    withFileTypes: true,
  });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== "lock.yaml");
  const inodes = files.map(async (entry): Promise<[string, number]> => {
    const path = join(entry.parentPath, entry.name);
    return [path, (await lstat(path)).ino];
  });
  return new Map(await Promise.all(inodes));
}

describe("npm start on a fresh checkout", () => {
  it("prints one line for each phase, and how to sign in", () => {
    const [, lines = "", greeting = ""] =
      /mjs start\n\n([\s\S]*?)\n\n([\s\S]*)$/.exec(withoutNodeNotice(written)) ?? [];
    const phases = lines.split("\n").map((line) => /^(\w+) +\d+\.\d s$/.exec(line)?.[1]);
    expect(phases.toSorted()).toEqual(["build", "database", "install"]);
    expect(greeting).toMatch(/^Rowhouse is ready at http/);
  });

  it("installs no development package", async () => {
    const packages = await readdir(join(checkout, "node_modules/.pnpm"));
    expect(packages.length).toBeGreaterThan(200);
    expect(packages.filter((name) => development.test(name))).toEqual([]);
  });

  it("stays served from the same files while the packages of the tests are installed", async () => {
    const before = await installedFiles();
    const { packageManager } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8"));
    await run("npx", ["--yes", packageManager, "install", "--frozen-lockfile"], { cwd: checkout });
    const after = await installedFiles();
    expect(after.size).toBeGreaterThan(before.size);
    expect([...before].filter(([path, inode]) => after.get(path) !== inode)).toEqual([]);
    expect(await isReady()).toBe(true);
  }, 300_000);
});
