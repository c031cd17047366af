import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@rowhouse/testing";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Waits until the service of `npm start` responds. */
async function untilReady(child: ChildProcess, port: string, output: () => string): Promise<void> {
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

// npm signals its child. If that is a shell, the shell exits and the service stays running.
test.runIf(process.env.ROWHOUSE_TEST_BUILT === "1" && process.platform !== "win32")(
  "SIGTERM to npm stops the service gracefully, and npm waits for its end",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-npm-"));
    const port = String(await findFreePort());
    const child = spawn("npm", ["start"], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: port,
        ROWHOUSE_DATA_DIR: join(folder, "state"),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let written = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        written += text;
      });
    }
    await untilReady(child, port, () => written);
    const place = await readFile(join(folder, "state/postgres-place"), "utf8");
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const [code] = (await ended) as [number | null];
    expect(code).toBe(0);
    const data = place === "postgres" ? join(folder, "state/postgres") : place;
    await expect(stat(join(data, "data/postmaster.pid"))).rejects.toThrow("ENOENT");
    await expect(stat(join(folder, "state/owner.json"))).rejects.toThrow("ENOENT");
    if (place !== "postgres") await rm(place, { recursive: true });
    await rm(folder, { recursive: true });
  },
);
