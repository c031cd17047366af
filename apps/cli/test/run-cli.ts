import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** The end of a command. */
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs `rowhouse` from the sources, without the caller's own variables. */
export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const argv = ["--conditions=rowhouse-source", "--import", "tsx", main, ...args];
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...environment };
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 2 ** 26 };
    const child = execFile(process.execPath, argv, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
