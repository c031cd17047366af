import { randomBytes } from "node:crypto";
import { StartError } from "@rowhouse/errors";
import type { Database, LoginsOptions } from "./queryable.ts";

/** Connections that a process opens to the server besides its pool, by purpose. */
export type ConnectionUses = Readonly<Record<string, number>>;

/** Upper bounds of connections to the server itself. */
export interface ConnectionReport {
  /** Connections of this process. */
  readonly own: number;
  /** Connections of all running processes of this login, including this one. */
  readonly all: number;
  /** Connections that the server, the database and the login allow. */
  readonly limit: number;
  readonly uses: ConnectionUses;
}

/** Connections besides those of the pool, used while slow statements hold the pool. */
export const spareConnections = 2;

/** As many as one lane of short statements uses. */
const serviceMin = 4;
/** For an operation that needs two, and one beside it. */
const systemMin = 3;

/**
 * Divides the connections of a process between the pools of its two logins.
 *
 * @returns the number for statements on rows, and for those of the schema `system`
 */
export function sharesOf(connectionsMax: number): readonly [service: number, system: number] {
  const system = Math.max(systemMin, Math.ceil(connectionsMax / 3));
  return [Math.max(serviceMin, connectionsMax - system), system];
}

/**
 * Returns the maximum of connections that a process opens to the server: its pool (unless a pooler is in between), the
 * health check, the listener, and `uses`. While a pool is renewed there are temporarily more: the old pool keeps one
 * connection for each statement that still runs.
 */
export function connectionBudget(
  options: Pick<LoginsOptions, "connectionsMax" | "directUrl" | "systemDirectUrl" | "systemUrl">,
  uses: ConnectionUses,
): ConnectionUses {
  const { directUrl, systemUrl, systemDirectUrl } = options;
  const hasTwo = systemUrl !== undefined;
  const [service, system] = hasTwo ? sharesOf(options.connectionsMax) : [options.connectionsMax, 0];
  const pools =
    (directUrl === undefined ? service + spareConnections : 0) +
    (hasTwo && systemDirectUrl === undefined ? system + spareConnections : 0);
  return { ...(pools === 0 ? {} : { pool: pools }), health: hasTwo ? 2 : 1, replies: 1, ...uses };
}

/**
 * Returns the application name of the session that announces this process. Every process reads the budgets of the
 * others from these names. The session ends with its process, so no table is needed.
 */
export function announcedName(applicationName: string, uses: ConnectionUses): string {
  return `${applicationName} ${randomBytes(3).toString("hex")} budget=${sum(uses)}`;
}

/** Some requests need two connections, so requests could block each other in a smaller pool. */
const poolMin = 6;

/**
 * Compares the connections that all processes of this login may open with the limit.
 *
 * @throws StartError if the server, the database or the login allows fewer than the minimum of one process
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

// Several sessions of a process share one name, and no two processes share one. The login is that of the session,
// because `role` may be set for it.
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
