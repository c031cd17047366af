import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { accepts, findFreePort } from "./free-port.ts";

export interface PgBouncerServer {
  /** Returns the URL of a database through the pooler. */
  urlOf(serverUrl: string): string;
  /** Stops its process until the work ends; connections to it open and get no answer. */
  whileFrozen(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const shippedFile = fileURLToPath(
  new URL("../../../../infra/pgbouncer/pgbouncer.ini", import.meta.url),
);
const startTimeoutMs = 10_000;

/** Returns whether PgBouncer is installed. With ROWHOUSE_REQUIRE_PGBOUNCER=1 its absence is an error. */
export function hasPgBouncer(): boolean {
  const found = spawnSync("pgbouncer", ["--version"]).status === 0;
  if (!found && process.env.ROWHOUSE_REQUIRE_PGBOUNCER === "1") {
    throw new Error("pgbouncer is not on the PATH, and ROWHOUSE_REQUIRE_PGBOUNCER is 1");
  }
  if (!found) console.warn("pgbouncer is not on the PATH: the tests behind PgBouncer are SKIPPED");
  return found;
}

/** Returns the shipped file with the database and the settings of a test. */
function settingsFor(
  shipped: string,
  host: string,
  port: string,
  settings: Readonly<Record<string, string>>,
): string {
  const others = shipped.split("\n").filter((line) => {
    const [name = ""] = line.split(/ *= */);
    return name !== "rowhouse" && !(name in settings);
  });
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return [...others, ...lines, ""]
    .join("\n")
    .replace("[databases]\n", `[databases]\n* = host=${host} port=${port}\n`);
}

/**
 * Starts a PgBouncer for the tests with `infra/pgbouncer/pgbouncer.ini`.
 *
 * @param serverUrl with the login that uses the pooler; one URL for each login of the same server
 * @param poolSize connections to the server for one login and database
 * @param settings additional settings of the section `pgbouncer`
 */
export async function startPgBouncer(
  serverUrl: string | readonly [string, ...string[]],
  poolSize: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<PgBouncerServer> {
  const [first, ...others] = [serverUrl].flat().map((url) => new URL(url)) as [URL, ...URL[]];
  const { hostname, port: serverPort } = first;
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-pgbouncer-"));
  // It does not run as root, and reads its files as the account that it switches to.
  const isRoot = process.getuid?.() === 0;
  await chmod(folder, 0o755);
  const users = join(folder, "users.txt");
  const lines = [first, ...others].map(
    ({ username, password }) =>
      `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`,
  );
  await writeFile(users, lines.join(""));
  const file = join(folder, "pgbouncer.ini");
  const own = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_file: users,
    default_pool_size: String(poolSize),
    max_client_conn: "500",
    ...(isRoot ? { user: "nobody" } : {}),
    ...settings,
  };
  await writeFile(
    file,
    settingsFor(await readFile(shippedFile, "utf8"), hostname, serverPort, own),
  );
  const server = spawn("pgbouncer", ["-q", file], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  const until = Date.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (server.exitCode !== null || Date.now() > until) {
      server.kill("SIGKILL");
      throw new Error(`PgBouncer did not start:\n${said}`);
    }
    await delay(20);
  }
  process.once("exit", () => server.kill("SIGTERM"));
  return {
    urlOf: (text) => {
      const url = new URL(text);
      url.hostname = "127.0.0.1";
      url.port = String(port);
      return url.href;
    },
    whileFrozen: async (work) => {
      server.kill("SIGSTOP");
      await work().finally(() => server.kill("SIGCONT"));
    },
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const exit = once(server, "exit");
        server.kill("SIGTERM");
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
