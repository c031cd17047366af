import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectDatabase } from "@rowhouse/db";
import { findFreePort } from "@rowhouse/testing";

/** A PostgreSQL of the machine's own, with the client programs of its version. */
export interface DumpServer {
  readonly version: string;
  /** The address of one of its databases. */
  url(database: string): string;
  /** Runs one of its programs (`pg_dump`, `pg_restore`, `psql`) with these arguments. */
  run(program: string, ...args: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

const programs = ["initdb", "postgres", "pg_dump", "pg_restore", "psql"];
const home = "/usr/lib/postgresql";

/** The programs' folder of the newest version that Debian's packages have put here. */
function findPrograms(): string | undefined {
  const folders = versions().map((version) => join(home, version, "bin"));
  return folders.find((folder) => programs.every((program) => isProgram(join(folder, program))));
}

function versions(): string[] {
  try {
    return readdirSync(home).sort((one, other) => Number(other) - Number(one));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a server and a `pg_dump` of the same version are at hand. The server that npm brings has no such programs. */
export function hasDumpServer(): boolean {
  const found = findPrograms() !== undefined;
  if (!found) console.warn(`There is no PostgreSQL in ${home}: dump and restore are SKIPPED`);
  return found;
}

export async function startDumpServer(): Promise<DumpServer> {
  const folder = findPrograms();
  if (folder === undefined) throw new Error(`There is no PostgreSQL in ${home}`);
  const place = await mkdtemp(join(tmpdir(), "rowhouse-dump-"));
  const account = process.getuid?.() === 0 ? postgresAccount() : undefined;
  if (account !== undefined) await chown(place, account.uid, account.gid);
  await chmod(place, 0o755);
  const options = { ...account, cwd: place, env: { LC_ALL: "C", TZ: "UTC" } };
  const data = join(place, "data");
  const execute = promisify(execFile);
  await execute(
    join(folder, "initdb"),
    [`--pgdata=${data}`, "--username=rowhouse", "--auth=trust", "--encoding=UTF8", "--no-sync"],
    options,
  );
  const port = await findFreePort();
  const settings = [
    "fsync=off",
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "max_connections=200",
  ];
  const server = spawn(
    join(folder, "postgres"),
    ["-D", data, "-k", place, ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: "ignore" },
  );
  const url = (database: string) => `postgres://rowhouse@127.0.0.1:${port}/${database}`;
  const connection = { url: url("postgres"), applicationName: "test", connectionsMax: 1 };
  const maintenance = await connectDatabase(connection, { waitMs: 60_000 });
  const [row] = await maintenance.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  await maintenance.close();
  return {
    version: row?.version ?? "",
    url,
    run: async (program, ...args) => {
      await execute(join(folder, program), args, { maxBuffer: 64_000_000 });
    },
    stop: async () => {
      const exit = once(server, "exit");
      server.kill("SIGINT");
      await exit;
      await rm(place, { recursive: true, force: true });
    },
  };
}

function postgresAccount(): { readonly uid: number; readonly gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("There is no account postgres");
  return { uid: Number(uid), gid: Number(gid) };
}
