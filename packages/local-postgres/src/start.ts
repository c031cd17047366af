import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { open, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findBinaries } from "./binaries.ts";
import { faultOf, initialise, serverEnvironment, superuser } from "./initialise.ts";
import { keepFile } from "./keep-file.ts";
import { takeOwnerLock } from "./owner-lock.ts";
import { findPlace } from "./place.ts";
import { readPostmasterFile, stopOrphan } from "./postmaster-file.ts";
import { chooseServerAccount, type ServerAccount } from "./server-account.ts";

export interface LocalPostgresOptions {
  /** The folder for everything that is kept: data, password, port. */
  readonly directory: string;
  /** The port on 127.0.0.1; without it the one of the last start, or a free one. */
  readonly port?: number | undefined;
  /** Whether what was committed survives a crash of the machine; true if not given. Tests do without. */
  readonly durable?: boolean;
  /** Server settings, as on `postgres -c`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A server that runs. */
export interface LocalPostgres {
  /** The maintenance database, as the superuser. */
  readonly url: string;
  readonly port: number;
  /** Where the server's files are. */
  readonly place: string;
  /**
   * Ends the server: having disconnected everyone and written everything out, or immediately, as if it had crashed;
   * the next start recovers then.
   */
  stop(how?: "fast" | "immediate"): Promise<void>;
}

/** The file of the directory that holds the superuser's password. */
const passwordFile = "postgres-password";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;

/**
 * Starts a PostgreSQL server for this process alone: on 127.0.0.1 only, with a password of its own, in a session of its
 * own (a terminal's Ctrl-C must reach the services first). It ends with `stop`; one that outlives its process is found
 * and stopped by the next start.
 *
 * @throws Error when the folder is in use, its database is missing, or the server does not start, with the server's own words
 */
export async function startLocalPostgres(options: LocalPostgresOptions): Promise<LocalPostgres> {
  const account = await chooseServerAccount();
  const binaries = await findBinaries(account);
  const found = await findPlace(options.directory, account);
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
      ...(durable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
      ...options.settings,
    };
    const server = await launch(binaries.postgres, dataFolder, place, account, settings);
    // For an end that nobody ordered (an exception, `process.exit`): there is no time to wait, but to say so.
    const onExit = () => server.kill("SIGINT");
    process.once("exit", onExit);
    return {
      url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
      port,
      place,
      stop: async (how = "fast") => {
        await stopServer(server, how === "fast" ? "SIGINT" : "SIGQUIT");
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
  place: string,
  account: ServerAccount,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const logFile = join(place, "postgres.log");
  const log = await open(logFile, "w", 0o600);
  const server = spawn(
    postgres,
    [
      "-D",
      dataFolder,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    {
      ...account.ids,
      cwd: place,
      env: serverEnvironment(),
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    },
  );
  // Before anything is waited for: what cannot start ends within milliseconds.
  let failure: string | undefined;
  server.on("error", (error) => {
    failure = error.message;
  });
  server.on("exit", (code) => {
    failure ??= `it ended with ${code}`;
  });
  await log.close();
  const until = Date.now() + startTimeoutMs;
  for (;;) {
    if (failure !== undefined || Date.now() > until) {
      server.kill("SIGQUIT");
      throw new Error(
        `PostgreSQL did not start (${failure ?? "it took too long"}): ${faultOf(await readFile(logFile, "utf8"))} (${logFile})`,
      );
    }
    const state = await readPostmasterFile(dataFolder);
    if (state?.pid === server.pid && state?.ready === true) break;
    await delay(10);
  }
  // Its end is awaited in `stop`; until then it must not keep a process alive that has nothing else to do.
  server.unref();
  return server;
}

/** SIGINT is a fast shutdown: no new connections, the present ones end, everything is written. SIGQUIT writes nothing. */
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

/** @throws Error where the password of a database that exists is lost */
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
      `${path} does not hold the password of its superuser: restore it from a backup`,
    );
  // An earlier build left it when it could not write it.
  await rm(path);
  return readPassword(directory, hasDatabase);
}

/** The port that was asked for, or that of the last start as long as it is free, so that its URL stays the same. */
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
