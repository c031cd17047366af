// Tier: all. Starts processes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Started {
  readonly child: ChildProcess;
  readonly port: string;
  output(): string;
}

/** Runs `npm start` with an absolute data directory. */
async function npmStart(directory: string): Promise<Started> {
  const port = String(await findFreePort());
  const { PATH, HOME } = process.env;
  const child = spawn("npm", ["start"], {
    cwd: root,
    env: { PATH, HOME, PORT: port, ROWHOUSE_DATA_DIR: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  return { child, port, output: () => written };
}

/** Waits until the service of `npm start` responds. */
async function untilReady({ child, port, output }: Started): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${output()}`);
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await delay(100);
  }
}

async function stop({ child }: Started): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const [code] = (await ended) as [number | null];
  return code;
}

const isBuilt = process.env.ROWHOUSE_TEST_BUILT === "1" && process.platform !== "win32";
describe.runIf(isBuilt)("npm start", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowhouse-npm-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  // npm signals its child. If that is a shell, the shell exits and the service stays running.
  it("stops the service gracefully at SIGTERM, and finds its database again", async () => {
    const directory = join(folder, "state");
    const first = await npmStart(directory);
    await untilReady(first);
    expect(first.output()).toMatch(/^database +\d/m);
    const place = await readFile(join(directory, "postgres-place"), "utf8");
    expect(await stop(first)).toBe(0);
    const data = place === "postgres" ? join(directory, "postgres") : place;
    await expect(stat(join(data, "data/postmaster.pid"))).rejects.toThrow("ENOENT");
    await expect(stat(join(directory, "owner.json"))).rejects.toThrow("ENOENT");

    const second = await npmStart(directory);
    await untilReady(second);
    expect(second.output()).not.toMatch(/^database +\d/m);
    expect(await stop(second)).toBe(0);
    if (place !== "postgres") await rm(place, { recursive: true });
  });

  it("reports a data directory that cannot be used in the words of the service", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    const started = await npmStart(file);
    const [code] = (await once(started.child, "exit")) as [number | null];
    expect(code).not.toBe(0);
    expect(started.output()).toMatch(/^The installation's secret cannot be read: ENOTDIR/m);
    expect(started.output()).not.toContain("database failed");
  });
});
