import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { faultOf, initialise, serverEnvironment, superuser } from "./initialise.ts";
import { keepFile } from "./keep-file.ts";
import { takeOwnerLock } from "./owner-lock.ts";
import { readPostmasterFile, stopOrphan } from "./postmaster-file.ts";
import { chooseServerAccount, type ServerAccount } from "./server-account.ts";
import { findServerFolder } from "./server-folder.ts";
import { logSettings, ServerLog } from "./server-log.ts";

export interface LocalPostgresOptions {
  /** The folder of all local state: data, password, port. */
  readonly directory: string;
  /** The port on 127.0.0.1; by default that of the last start, or a free one. */
  readonly port?: number | undefined;
  /** Whether commits survive a crash of the machine; true by default. Tests turn it off. */
  readonly durable?: boolean;
  /** Server settings, as with `postgres -c`; they replace those that keep the values of rows out of the log. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface LocalPostgres {
  /** The maintenance database, as the superuser. */
  readonly url: string;
  readonly port: number;
  /** The location of the server's files. */
  readonly place: string;
  /**
   * Stops the server: after it has disconnected all clients and written its data, or immediately, like a crash, after
   * which the next start recovers.
   */
  stop(how?: "fast" | "immediate"): Promise<void>;
}

/** The file in the directory with the superuser's password. */
const passwordFile = "postgres-password";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;

/**
 * Starts a PostgreSQL server for this process alone: on 127.0.0.1 only, with its own password, in its own session (a
 * terminal's Ctrl-C must reach the services first). `stop` ends it; if this process dies first, the next start stops
 * the server.
 *
 * @throws Error if the folder is in use, its database is missing, or the server does not start; the message quotes the
 * server
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const account = await chooseServerAccount();
  const binaries = await findBinaries(account);
  const found = await findServerFolder(options.directory, account);
  const place = found.folder;
  const release = await takeOwnerLock(join(options.directory, "owner.json"));
  try {
    const password = await readPassword(options.directory, found.hasDatabase);
    const durable = options.durable ?? true;
    const dataFolder = await initialise({
      place,
      initdb: binaries.initdb,
      account,
      password,
      durable,
    });
    await found.record();
    await stopOrphan(dataFolder, stopTimeoutMs);
    const port = await choosePort(options.port, join(options.directory, "postgres-port"));
    const settings = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      ...logSettings,
      ...(durable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
      ...options.settings,
    };
    const log = new ServerLog(place);
    const server = await launch(binaries.postgres, dataFolder, log, account, settings);
    log.watch();
    // For an unplanned exit (an exception, `process.exit`): there is no time to wait, only to send the signal.
    const onExit = () => server.kill("SIGINT");
    process.once("exit", onExit);
    return {
      url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
      port,
      place,
      stop: async (how = "fast") => {
        await stopServer(server, how === "fast" ? "SIGINT" : "SIGQUIT");
        log.close();
        process.off("exit", onExit);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function launch(
  postgres: string,
  dataFolder: string,
  log: ServerLog,
  account: ServerAccount,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const file = await log.open();
  const server = spawn(
    postgres,
    [
      "-D",
      dataFolder,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    {
      ...account.ids,
      cwd: dirname(log.path),
      env: serverEnvironment(),
      detached: true,
      stdio: ["ignore", file.fd, file.fd],
    },
  );
  // Registered before any wait: a server that cannot start exits within milliseconds.
  let failure: string | undefined;
  server.on("error", (error) => {
    failure = error.message;
  });
  server.on("exit", (code) => {
    failure ??= `it exited with ${code}`;
  });
  await file.close();
  const until = Date.now() + startTimeoutMs;
  for (;;) {
    if (failure !== undefined || Date.now() > until) {
      server.kill("SIGQUIT");
      throw new Error(
        `PostgreSQL did not start (${failure ?? "it took too long"}): ${faultOf(await readFile(log.path, "utf8"))} (${log.path})`,
      );
    }
    const state = await readPostmasterFile(dataFolder);
    if (state?.pid === server.pid && state?.ready === true) break;
    await delay(10);
  }
  // `stop` waits for the exit; until then the child must not keep an otherwise idle process alive.
  server.unref();
  return server;
}

/** SIGINT is a fast shutdown: no new connections, existing ones end, all data is written. SIGQUIT writes nothing. */
async function stopServer(server: ChildProcess, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const ended = once(server, "exit");
  server.kill(signal);
  const late = setTimeout(() => server.kill("SIGQUIT"), stopTimeoutMs);
  await ended;
  clearTimeout(late);
}

/** 24 random bytes in base64url. */
const passwordLength = 32;

/** @throws Error if the password of an existing database is lost */
async function readPassword(directory: string, hasDatabase: boolean): Promise<string> {
  const path = join(directory, passwordFile);
  const password = await keepFile(path, () => {
    if (hasDatabase) {
      throw new Error(
        `${path}, the password of its superuser, is missing: restore it from a backup`,
      );
    }
    return randomBytes(24).toString("base64url");
  });
  if (password.length === passwordLength) return password;
  if (hasDatabase)
    throw new Error(
      `${path} does not contain the password of its superuser: restore it from a backup`,
    );
  // An earlier build left an empty file if it could not write the password.
  await rm(path);
  return readPassword(directory, hasDatabase);
}

/** Returns the requested port, or that of the last start while it is free, so that the URL stays the same. */
async function choosePort(asked: number | undefined, file: string): Promise<number> {
  if (asked !== undefined) return asked;
  const last = Number(await readFile(file, "utf8").catch(() => "0"));
  const port = (await tryPort(last)) ?? (await tryPort(0)) ?? 0;
  if (port !== last) {
    await rm(file, { force: true });
    await writeFile(file, String(port), { mode: 0o600 });
  }
  return port;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(undefined));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
