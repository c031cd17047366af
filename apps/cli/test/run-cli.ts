import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

// A command may run in another folder.
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The arguments of Node.js. `npm test` has built the command: then it starts in half the time. */
export const program =
  process.env.ROWHOUSE_TEST_BUILT === "1"
    ? [fileOf("../bundled/main.js")]
    : ["--conditions=rowhouse-source", "--import", tsx, fileOf("../src/main.ts")];

/** The end of a command. */
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs `rowhouse` without the caller's own variables, with a text on the standard input. */
export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<Ended> {
  const argv = [...program, ...args];
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...environment };
  return new Promise((resolve) => {
    const options = { env, maxBuffer: 2 ** 26 };
    const child = execFile(process.execPath, argv, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}
