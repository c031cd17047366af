import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import { ownSessionSetting } from "./client.ts";
import { openDatabase } from "./database.ts";
import { requireKeptStatements } from "./kept-statements.ts";
import type { Database, DatabaseOptions } from "./queryable.ts";
import { unguardedState } from "./session-settings.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/** Rejected permanently: another attempt would fail as well. */
const finalCodes: ReadonlySet<string> = new Set(["28P01", "28000", "3D000", "42501"]);
const pauseMs = 500;
const sayMs = 3000;

/** How a start waits for a server that is not available yet. */
export interface DatabaseWait {
  /** Maximum waiting time; 15 s by default. */
  readonly waitMs?: number;
  /** Receives, every few seconds, a sentence that states the reason of the wait. */
  readonly onWait?: (sentence: string) => void;
  /** Ends the wait immediately. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a pool after the database has responded.
 *
 * @throws StartError that names the server, never its password
 */
export async function connectDatabase(
  options: DatabaseOptions,
  wait: DatabaseWait = {},
): Promise<Database> {
  if (options.directUrl !== undefined) return connectThroughPooler(options, wait);
  return untilThere(options, wait);
}

const throughPooler = new Error("The session has lost its startup parameters");

async function untilThere(
  options: DatabaseOptions,
  { waitMs = 15_000, onWait, signal }: DatabaseWait,
): Promise<Database> {
  const database = openDatabase(options);
  const place = describe(options.url);
  const until = Date.now() + waitMs;
  let said = 0;
  for (;;) {
    try {
      await requirePostgres(options.url, place);
      const [session] = await database.query<{ own: string | null; path: string }>(
        `select pg_catalog.current_setting('${ownSessionSetting}', true) as own, pg_catalog.current_setting('search_path') as path`,
      );
      if (options.directUrl === undefined && session?.own !== "yes") throw throughPooler;
      const searchPath = session && ownSearchPath(session.path, options.keepsSystem === true);
      if (searchPath === undefined || searchPath === options.searchPath) return database;
      await database.close();
      if (options.directUrl !== undefined) {
        throw new StartError(
          `The search_path of the database or of the login at ${place} must not name pg_catalog behind another schema: a pooler does not pass on another search_path (docs/operations/database.md).`,
        );
      }
      return openDatabase({ ...options, searchPath });
    } catch (error) {
      const failure = readPostgresFailure(error);
      if (error instanceof StartError) {
        await database.close();
        throw error;
      }
      if (failure?.code === unguardedState) {
        await database.close();
        throw new StartError(`The database at ${place} cannot be used. ${failure.message}.`);
      }
      if (error === throughPooler || isUnknownParameter(options, error)) {
        await database.close();
        throw new StartError(
          `There is a pooler or another proxy at ${place}: ${options.keepsSystem === true ? "SYSTEM_" : ""}DATABASE_DIRECT_URL must name the server itself (docs/operations/database.md).`,
          { cause: error },
        );
      }
      const isFinal = failure !== undefined && finalCodes.has(failure.code);
      const isOver = isFinal || Date.now() + pauseMs >= until || signal?.aborted === true;
      if (isOver) {
        await database.close();
        throw new StartError(`The database at ${place} cannot be reached: ${reasonOf(error)}.`, {
          cause: error,
        });
      }
      if (Date.now() - said >= sayMs) {
        said = Date.now();
        const seconds = Math.ceil((until - said) / 1000);
        onWait?.(`Waiting up to ${seconds} s for the database at ${place}: ${reasonOf(error)}`);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

/**
 * Returns the search path of the service's sessions if the database's own names `pg_catalog` behind another schema, whose
 * objects would then hide those of PostgreSQL. A path without `pg_catalog` has it first, and new objects still go to the
 * first schema that it names.
 *
 * @param keepsSystem puts temporary objects last, which code of the database's users may create in a session: unnamed, their
 * schema is the first
 */
function ownSearchPath(searchPath: string, keepsSystem: boolean): string | undefined {
  // PostgreSQL displays a list with quoted names; a name in quotes may contain a comma.
  const names = searchPath.match(/"(?:[^"]|"")*"|[^\s,"]+/g) ?? [];
  const others = names.filter((name) => !/^"?pg_catalog"?$/i.test(name));
  const isHidden = names.length !== others.length && names[0] === others[0];
  if (keepsSystem && names.at(-1) !== temporary) {
    const rest = (isHidden ? others : names).filter((name) => name !== temporary);
    return [...rest, temporary].join(", ");
  }
  return isHidden ? others.join(", ") : undefined;
}

const temporary = "pg_temp";

/** PgBouncer's message for a startup parameter that it does not pass on; its code is the same for every rejection. */
function isUnknownParameter(options: DatabaseOptions, error: unknown): boolean {
  return (
    options.directUrl === undefined &&
    readPostgresFailure(error)?.code === "08P01" &&
    reasonOf(error).includes("startup parameter")
  );
}

/**
 * Opens a pool through a pooler after checking that it leads to the same database as the direct address.
 */
async function connectThroughPooler(
  options: DatabaseOptions,
  wait: DatabaseWait,
): Promise<Database> {
  const { directUrl = options.url, ...rest } = options;
  const direct = await untilThere({ ...rest, url: directUrl, connectionsMax: 1 }, wait);
  try {
    const [server] = await direct.query<{ place: string; path: string }>(placeSql);
    // A direct session has it from its start; on a session of the pooler, each transaction sets it.
    const own = options.keepsSystem === true ? { ...options, searchPath: server?.path } : options;
    const pooled = await untilThere({ ...own, connectionsMax: 1 }, wait);
    try {
      const [found] = await pooled.query<{ place: string }>(placeSql);
      if (found === undefined || found.place !== server?.place) {
        const name = options.keepsSystem === true ? "SYSTEM_DATABASE" : "DATABASE";
        throw new StartError(
          `${name}_URL and ${name}_DIRECT_URL must lead to the same database of one server, with the same login.`,
        );
      }
      if (options.prepare !== false) {
        await requireKeptStatements(options, describe(options.url));
      }
      return openDatabase(own);
    } finally {
      await pooled.close();
    }
  } finally {
    await direct.close();
  }
}

const placeSql = `select pg_catalog.concat_ws(' ', current_user, current_database(), pg_postmaster_start_time()) as place,
  pg_catalog.current_setting('search_path') as path`;

/** @throws StartError for a server of another kind; Error for a server that may respond later */
async function requirePostgres(url: string, place: string): Promise<void> {
  const kind = await probeServer(url);
  if (kind === "OTHER") {
    throw new StartError(
      `The server at ${place} is not PostgreSQL: DATABASE_URL must name a PostgreSQL server.`,
    );
  }
  if (kind === "SILENT") {
    throw new Error("it accepts connections and does not respond as PostgreSQL does");
  }
}

/** Returns host and database of a URL for an operator, without login and password. */
export function describe(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return "connection refused";
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

/** The state of an address: `AWAY` if nothing listens, `SILENT` if it accepts a connection and does not respond. */
export type ServerKind = "POSTGRES" | "OTHER" | "SILENT" | "AWAY";

const timeoutMs = 2_000;

/**
 * A request for TLS; every PostgreSQL server and pooler responds with one byte:
 * https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-SSL
 */
const tlsRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/**
 * Checks whether a server is PostgreSQL. The driver would wait for its whole connection timeout on any other server.
 *
 * @returns undefined for a URL that does not name a single host
 */
async function probeServer(url: string): Promise<ServerKind | undefined> {
  const { hostname, port } = new URL(url);
  if (hostname === "" || hostname.includes(",") || hostname.startsWith("%")) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: Number(port || 5432), timeout: timeoutMs });
  socket.on("timeout", () => socket.destroy());
  const ended = once(socket, "close");
  let isConnected = false;
  let answer = Buffer.alloc(0);
  socket.on("connect", () => {
    isConnected = true;
    socket.write(tlsRequest);
  });
  socket.on("data", (bytes) => {
    answer = bytes;
    socket.destroy();
  });
  socket.on("error", () => {});
  await ended.catch(() => {});
  if (!isConnected) return "AWAY";
  if (answer.length === 0) return "SILENT";
  // "S" or "N" and nothing after it: SSH, for example, starts with the same letter.
  return answer.length === 1 && (answer[0] === 0x53 || answer[0] === 0x4e) ? "POSTGRES" : "OTHER";
}
