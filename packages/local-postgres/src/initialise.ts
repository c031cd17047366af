import { execFile } from "node:child_process";
import { chown, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServerAccount } from "./server-account.ts";

const run = promisify(execFile);

/** The one superuser of the server. */
export const superuser = "rowhouse";

/**
 * Creates the data folder `<place>/data` unless it is there. It is made under another name and moved when it is
 * complete, so an interrupted first start leaves nothing that looks like a database.
 */
export async function initialise(options: {
  readonly place: string;
  readonly initdb: string;
  readonly account: ServerAccount;
  readonly password: string;
  readonly durable: boolean;
}): Promise<string> {
  const dataFolder = join(options.place, "data");
  if (await isThere(dataFolder)) return dataFolder;
  const partial = join(options.place, "data.partial");
  const passwordFile = join(options.place, "initial-password");
  await rm(partial, { recursive: true, force: true });
  try {
    await writeFile(passwordFile, options.password, { mode: 0o600 });
    if (options.account.ids !== undefined) {
      await chown(passwordFile, options.account.ids.uid, options.account.ids.gid);
    }
    await run(
      options.initdb,
      [
        `--pgdata=${partial}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // The same order and letter case on every platform, for every script.
        "--locale-provider=builtin",
        "--locale=C",
        "--builtin-locale=C.UTF-8",
        "--set=timezone=UTC",
        "--set=log_timezone=UTC",
        "--no-instructions",
        ...(options.durable ? [] : ["--no-sync"]),
      ],
      { ...options.account.ids, cwd: options.place, env: serverEnvironment() },
    );
    await rename(partial, dataFolder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    const written = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`initdb could not create it: ${written === "" ? reason : faultOf(written)}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
  return dataFolder;
}

/** What the server's processes get of our environment: nothing that is secret. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" };
}

/** The line in which a program of PostgreSQL says what is wrong, or its last one. */
export function faultOf(written: string): string {
  const lines = written.split("\n").filter((line) => line.trim() !== "");
  const fault =
    lines.findLast((line) => /\b(?:FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.at(-1);
  return (fault ?? "it wrote nothing").replace(/^.*?\b(?:FATAL|PANIC|ERROR|error): +/, "");
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
