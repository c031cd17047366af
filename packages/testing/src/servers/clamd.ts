import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { accepts, findFreePort } from "./free-port.ts";

export interface Clamd {
  /** `clamd://host:port` */
  readonly url: string;
  stop(): Promise<void>;
}

/** The file that each scanner calls a threat, by agreement (https://www.eicar.org); it harms nothing. */
export const eicar = Buffer.from(
  ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE", "!$H+H*"].join(""),
);

/** Bytes that the daemon reads of one stream. */
export const clamdStreamBytesMax = 2_097_152;

const startTimeoutMs = 30_000;

/** Returns whether clamd is installed. */
export function hasClamd(): boolean {
  const found = spawnSync("clamd", ["--help"]).error === undefined;
  if (!found) console.warn("clamd is not on the PATH: the tests with it are SKIPPED");
  return found;
}

/** Starts a clamd on the loopback address. Its only signature is the one of `eicar`. */
export async function startClamd(): Promise<Clamd> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-clamd-"));
  const database = join(folder, "database");
  await mkdir(database);
  await writeFile(
    join(database, "eicar.ndb"),
    `Eicar-Test-Signature:0:0:${eicar.toString("hex")}\n`,
  );
  const port = await findFreePort();
  const config = join(folder, "clamd.conf");
  await writeFile(
    config,
    [
      "Foreground yes",
      `DatabaseDirectory ${database}`,
      "TCPAddr 127.0.0.1",
      `TCPSocket ${port}`,
      `StreamMaxLength ${clamdStreamBytesMax}`,
      "",
    ].join("\n"),
  );
  const daemon = spawn("clamd", ["-c", config], { stdio: "ignore" });
  const until = Date.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (Date.now() > until) throw new Error("clamd did not start");
    await delay(20);
  }
  return {
    url: `clamd://127.0.0.1:${port}`,
    stop: async () => {
      const exit = once(daemon, "exit");
      daemon.kill("SIGKILL");
      await exit;
      await rm(folder, { recursive: true });
    },
  };
}
