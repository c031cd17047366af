import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** Starts `worker-process.ts` with these variables. It writes "ready" once it listens. */
export function startWorkerProcess(
  variables: Readonly<Record<string, string>>,
): ChildProcessByStdio<null, Readable, null> {
  const program = fileURLToPath(new URL("worker-process.ts", import.meta.url));
  const options = ["--conditions=rowhouse-source", "--import", "tsx"];
  return spawn(process.execPath, [...options, program], {
    cwd: fileURLToPath(new URL("../../../", import.meta.url)),
    env: { PATH: process.env.PATH, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
}
