import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import { ownSessionSetting } from "./client.ts";
import { openDatabase } from "./database.ts";
import { probeServer } from "./probe-server.ts";
import type { Database, DatabaseOptions } from "./queryable.ts";
import { wrongSettingsSql } from "./session-settings.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/** Rejected for good: another try would be refused as well. */
const finalCodes: ReadonlySet<string> = new Set(["28P01", "28000", "3D000", "42501"]);
const pauseMs = 500;
const sayMs = 3000;

/** How a start waits for a server that is not there yet. */
export interface DatabaseWait {
  /** How long; 15 s if not given. */
  readonly waitMs?: number;
  /** Hears, every few seconds of waiting, a sentence that says for what. */
  readonly onWait?: (sentence: string) => void;
  /** Ends the wait at once. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a pool on a database that answers.
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

const throughPooler = new Error("The session has lost what the connection began with");

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
      const [session] = await database.query<{ own: string | null }>(
        `select current_setting('${ownSessionSetting}', true) as own`,
      );
      if (options.directUrl === undefined && session?.own !== "yes") throw throughPooler;
      return database;
    } catch (error) {
      const failure = readPostgresFailure(error);
      if (error instanceof StartError) {
        await database.close();
        throw error;
      }
      if (error === throughPooler || isUnknownParameter(options, error)) {
        await database.close();
        throw new StartError(
          `At ${place} there is a pooler, or another server in between: DATABASE_DIRECT_URL has to name the server itself (docs/operations/database.md).`,
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

/** What PgBouncer says of a parameter that it does not pass on. It has the same code for all that it refuses. */
function isUnknownParameter(options: DatabaseOptions, error: unknown): boolean {
  return (
    options.directUrl === undefined &&
    readPostgresFailure(error)?.code === "08P01" &&
    reasonOf(error).includes("startup parameter")
  );
}

/**
 * Opens a pool through a pooler, after what its sessions begin with has been looked at: the statements' own words cannot
 * change it, and rows would come in another form.
 */
async function connectThroughPooler(
  options: DatabaseOptions,
  wait: DatabaseWait,
): Promise<Database> {
  const { directUrl = options.url, ...rest } = options;
  const direct = await untilThere({ ...rest, url: directUrl, connectionsMax: 1 }, wait);
  try {
    const [server] = await direct.query<{ place: string }>(placeSql);
    const pooled = await untilThere({ ...options, connectionsMax: 1 }, wait);
    try {
      const [found] = await pooled.query<PoolerSession>(poolerSql);
      if (found === undefined || found.place !== server?.place) {
        throw new StartError(
          "DATABASE_URL and DATABASE_DIRECT_URL have to lead to the same database of one server, as the same login.",
        );
      }
      if (found.wrong !== null) {
        throw new StartError(
          `Sessions behind the pooler at ${describe(options.url)} do not begin as they have to: ${found.wrong}. Set it for the login (alter role … set …, docs/operations/database.md), and let the pooler connect anew.`,
        );
      }
      return openDatabase({ ...options, poolerTimeoutMs: Number(found.timeout) });
    } finally {
      await pooled.close();
    }
  } finally {
    await direct.close();
  }
}

interface PoolerSession {
  place: string;
  timeout: string;
  wrong: string | null;
}

const placeSql =
  "select concat_ws(' ', current_user, current_database(), pg_postmaster_start_time()) as place";
const poolerSql = `
select concat_ws(' ', current_user, current_database(), pg_postmaster_start_time()) as place,
  (select reset_val from pg_catalog.pg_settings where name = 'statement_timeout') as timeout,
  (${wrongSettingsSql}) as wrong`;

/** @throws StartError for a server of another kind; Error for one that may answer later */
async function requirePostgres(url: string, place: string): Promise<void> {
  const kind = await probeServer(url);
  if (kind === "OTHER") {
    throw new StartError(
      `The server at ${place} is not PostgreSQL: DATABASE_URL has to name a PostgreSQL server.`,
    );
  }
  if (kind === "SILENT") {
    throw new Error("it accepts connections and does not answer as PostgreSQL does");
  }
}

/** A database as an operator knows it: without login and password. */
export function describe(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return "connection refused";
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
