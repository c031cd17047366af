import { randomBytes } from "node:crypto";
import { StartError } from "@rowhouse/errors";
import type { Database, DatabaseOptions } from "./queryable.ts";

/** What a process may open besides its pool, by what it is for, in connections to the server itself. */
export type ConnectionUses = Readonly<Record<string, number>>;

/** Connections to the server itself, at most. */
export interface ConnectionReport {
  /** Of this process. */
  readonly own: number;
  /** Of all processes of this login that are there now, this one included. */
  readonly all: number;
  /** What the server, the database and the login allow. */
  readonly limit: number;
  readonly uses: ConnectionUses;
}

/** Beside those of the pool, for when slow statements hold it. */
export const spareConnections = 2;

/**
 * The connections to the server that a process opens at most: its pool unless that goes through a pooler, what it asks the
 * server's health on, what it listens on, and what it uses besides. For a moment there are more while a pool is renewed:
 * as many as have statements under way in the old one.
 */
export function connectionBudget(
  options: Pick<DatabaseOptions, "directUrl"> & { readonly connectionsMax: number },
  uses: ConnectionUses,
): ConnectionUses {
  const pool = options.connectionsMax + spareConnections;
  return { ...(options.directUrl === undefined ? { pool } : {}), health: 1, replies: 1, ...uses };
}

/**
 * The name that a process' own session goes by, so that every process sees what the others may open: it is there as long as
 * the process is, and needs no table.
 */
export function announcedName(applicationName: string, uses: ConnectionUses): string {
  return `${applicationName} ${randomBytes(3).toString("hex")} budget=${sum(uses)}`;
}

/** A pool with fewer could have requests wait for one another: some need two connections. */
const poolMin = 6;

/**
 * Compares what all processes of this login may open with what they are allowed.
 *
 * @throws StartError where the server, the database or the login allows fewer than one process cannot do without
 */
export async function reportConnections(
  database: Pick<Database, "query" | "ping">,
  uses: ConnectionUses,
): Promise<ConnectionReport> {
  const [allowed] = await database.query<{ limit: string; login: string }>(limitSql);
  const limit = Number(allowed?.limit);
  const { pool = 0, ...rest } = uses;
  const needed = Math.min(pool, poolMin) + Object.keys(rest).length;
  if (limit < needed) {
    throw new StartError(
      `The database allows the login ${allowed?.login} ${limit} connections, and a process needs at least ${needed}: raise max_connections, or the connection limit of the login or of the database.`,
    );
  }
  // Opens the session that announces this process.
  await database.ping();
  const [announced] = await database.query<{ all: string }>(announcedSql);
  return { own: sum(uses), all: Number(announced?.all), limit, uses };
}

const sum = (uses: ConnectionUses): number =>
  Object.values(uses).reduce((total, use) => total + use, 0);

// A process has several sessions of one name; names are its own. The login is that of the session: `role` may be set for it.
const announcedSql = `
select coalesce(sum(budget), 0)::text as all from (
  select distinct application_name, substring(application_name from 'budget=([0-9]+)$')::int as budget
  from pg_catalog.pg_stat_activity where usename = session_user) announced`;

const limitSql = `
select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    case when not r.rolsuper then nullif(r.rolconnlimit, -1) end, case when not r.rolsuper then nullif(d.datconnlimit, -1) end)::text as limit,
  r.rolname::text as login
from pg_catalog.pg_roles r, pg_catalog.pg_database d where r.rolname = session_user and d.datname = current_database()`;
