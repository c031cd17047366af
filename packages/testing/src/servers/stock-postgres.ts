import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { connectDatabase } from "@rowhouse/db";
import { accepts, findFreePort } from "./free-port.ts";

/**
 * A PostgreSQL server of the distribution, with the defaults of its `initdb`, and with JIT compilation if it has LLVM.
 */
export interface StockPostgres {
  readonly version: string;
  /** Returns the URL of one of its databases as the superuser; by default of its maintenance database. */
  url(database?: string): string;
  /** Runs one of its programs (`pg_dump`, `pg_restore`, `psql`); returns its standard output. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Stops the server and starts it again on the same port. */
  restart(awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

export interface StockPostgresOptions {
  /** Arguments of `initdb` besides those of every cluster here. */
  readonly initdb?: readonly string[];
  /** Server settings, as on `postgres -c`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether it starts as a read-only standby. */
  readonly isStandby?: boolean;
}

const serverPrograms = ["initdb", "postgres"];
const clientPrograms = ["pg_dump", "pg_restore", "psql"];
const home = "/usr/lib/postgresql";
const superuser = "rowhouse";

/**
 * Returns the folder of the programs: `ROWHOUSE_TEST_POSTGRES`, or that of the newest version among Debian's installed
 * packages. The binaries from npm include no client programs and no LLVM.
 */
function findPrograms(programs: readonly string[]): string | undefined {
  const named = process.env.ROWHOUSE_TEST_POSTGRES;
  const installed = versions().map((version) => join(home, version, "bin"));
  const folders = named === undefined || named === "" ? installed : [named, ...installed];
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

/**
 * Returns whether a stock server and its client programs are installed. With ROWHOUSE_REQUIRE_POSTGRES=1 their absence
 * is an error.
 */
export function hasStockPostgres(): boolean {
  const found = findPrograms([...serverPrograms, ...clientPrograms]) !== undefined;
  if (!found && process.env.ROWHOUSE_REQUIRE_POSTGRES === "1") {
    throw new Error(`${home} has no PostgreSQL, and ROWHOUSE_REQUIRE_POSTGRES is 1`);
  }
  if (!found) console.warn(`${home} has no PostgreSQL: the tests on a stock server are SKIPPED`);
  return found;
}

/** Starts a server for the tests, without durability, on the loopback address. */
export async function startStockPostgres(
  options: StockPostgresOptions = {},
): Promise<StockPostgres> {
  const folder = findPrograms(serverPrograms);
  if (folder === undefined) throw new Error(`${home} has no PostgreSQL`);
  const place = await mkdtemp(join(tmpdir(), "rowhouse-stock-"));
  const account = process.getuid?.() === 0 ? postgresAccount() : undefined;
  const passwordFile = join(place, "password");
  const password = randomBytes(18).toString("base64url");
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [place, passwordFile]) await chown(path, account.uid, account.gid);
  }
  await chmod(place, 0o755);
  const spawned = { ...account, cwd: place, env: { LC_ALL: "C", TZ: "UTC" } };
  const data = join(place, "data");
  const execute = promisify(execFile);
  await execute(
    join(folder, "initdb"),
    [
      ...[`--pgdata=${data}`, `--username=${superuser}`, `--pwfile=${passwordFile}`],
      ...["--auth=scram-sha-256", "--no-sync"],
      // Debian's default is the machine's locale; this one is always installed.
      ...(options.initdb ?? ["--encoding=UTF8", "--locale=C.UTF-8"]),
    ],
    spawned,
  );
  if (options.isStandby === true) await writeFile(join(data, "standby.signal"), "");
  const port = await findFreePort();
  const settings = {
    fsync: "off",
    listen_addresses: "127.0.0.1",
    port: String(port),
    max_connections: "300",
    unix_socket_directories: "",
    ...options.settings,
  };
  const values = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const launch = () =>
    spawn(join(folder, "postgres"), ["-D", data, ...values], { ...spawned, stdio: "ignore" });
  let server = launch();
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill("SIGINT");
    await exit;
  };
  const url = (database = "postgres") =>
    `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
  const maintenance = await connectDatabase(
    { url: url(), applicationName: "test", connectionsMax: 1 },
    { waitMs: 60_000 },
  );
  const [row] = await maintenance.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  await maintenance.close();
  return {
    version: row?.version ?? "",
    url,
    run: async (program, ...args) => {
      const clients = findPrograms([program]);
      if (clients === undefined) throw new Error(`${home} has no ${program}`);
      const { stdout } = await execute(join(clients, program), args, { maxBuffer: 64_000_000 });
      return stdout;
    },
    restart: async (awayMs) => {
      await end();
      await delay(awayMs);
      server = launch();
      while (!(await accepts(port))) await delay(20);
    },
    stop: async () => {
      await end();
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
