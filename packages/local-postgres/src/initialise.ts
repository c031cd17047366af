import { execFile } from "node:child_process";
import { chown, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServerAccount } from "./server-account.ts";

const run = promisify(execFile);

/** The server's only superuser. */
export const superuser = "rowhouse";

/**
 * Creates the data folder `<place>/data` unless it exists. It is created under another name and renamed when it is
 * complete, so an interrupted first start leaves no incomplete database.
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
        // The same sort order and case rules on every platform, for every script.
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

/** The environment of the server's processes; it has no secrets. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" };
}

/** Returns the line in which a PostgreSQL program reports its error, or the last line. */
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
