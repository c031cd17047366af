import { randomBytes } from "node:crypto";
import { StartError } from "@rowhouse/errors";
import type { Database, LoginsOptions } from "./queryable.ts";

/** Connections to the server by purpose. */
export type ConnectionUses = Readonly<Record<string, number>>;

/** Upper bounds of connections to the server itself. */
export interface ConnectionReport {
  /** Connections of this process. */
  readonly own: number;
  /** Connections of all running processes of this installation's logins, including this one. */
  readonly all: number;
  /** Connections that the server and the database allow. */
  readonly limit: number;
  readonly uses: ConnectionUses;
  /** The logins of this process that have a limit of their own. */
  readonly logins: readonly LoginReport[];
}

export interface LoginReport {
  readonly login: string;
  /** Connections that all running processes may open as this login. */
  readonly all: number;
  readonly limit: number;
}

/**
 * The login that opens the connections of a purpose, if there are two: one of them, or for each connection either or both of
 * them.
 */
const takenBy = {
  exports: "service",
  // A file of rows of a table of `system` is written as its login.
  imports: "either",
  // Steps on tables of `system` have a transaction of their own.
  trials: "both",
  console: "system",
  configuration: "system",
  // That of the service until its login is closed.
  queue: "either",
} as const satisfies Readonly<Record<string, "service" | "system" | "either" | "both">>;

/** Connections that a process opens besides its pools, by purpose. */
export type OtherUses = Readonly<Partial<Record<keyof typeof takenBy, number>>>;

/** Upper bounds of the connections of a process. */
export interface ConnectionBudget {
  readonly uses: ConnectionUses;
  /** Those of each login, if there are two; a connection that either may open counts for both. */
  readonly byLogin: Readonly<Record<"service" | "system", ConnectionUses>> | undefined;
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
 *
 * @param workerMax connections of a second pool in the process, of its worker
 */
export function connectionBudget(
  options: Pick<LoginsOptions, "connectionsMax" | "directUrl" | "systemDirectUrl" | "systemUrl">,
  uses: OtherUses,
  workerMax?: number,
): ConnectionBudget {
  const hasTwo = options.systemUrl !== undefined;
  const poolOf = (connectionsMax: number): Shares => {
    const [service, system] = hasTwo ? sharesOf(connectionsMax) : [connectionsMax, 0];
    return {
      service: options.directUrl === undefined ? service + spareConnections : 0,
      system: hasTwo && options.systemDirectUrl === undefined ? system + spareConnections : 0,
    };
  };
  const health = { service: 1, system: hasTwo ? 1 : 0 };
  const replies = hasTwo ? { service: 0, system: 1 } : { service: 1, system: 0 };
  const shares: Record<string, Shares> = { pool: poolOf(options.connectionsMax), health, replies };
  // Its own health connections and listener included.
  if (workerMax !== undefined) shares.worker = added(poolOf(workerMax), health, replies);
  for (const [use, count = 0] of Object.entries(uses)) {
    const by = takenBy[use as keyof OtherUses];
    const [service, system] = [by !== "system" || !hasTwo, by !== "service" && hasTwo];
    shares[use] = {
      ...{ service: service ? count : 0, system: system ? count : 0 },
      ...(by === "either" ? { all: count } : {}),
    };
  }
  const totals = (read: (share: Shares) => number): ConnectionUses =>
    Object.fromEntries(
      Object.entries(shares)
        .map(([use, share]) => [use, read(share)] as const)
        .filter(([, count]) => count > 0),
    );
  return {
    uses: totals(({ service, system, all }) => all ?? service + system),
    byLogin: hasTwo
      ? { service: totals(({ service }) => service), system: totals(({ system }) => system) }
      : undefined,
  };
}

interface Shares {
  readonly service: number;
  readonly system: number;
  /** If it is not the sum of both. */
  readonly all?: number;
}

const added = (...shares: readonly Shares[]): Shares => ({
  service: shares.reduce((total, { service }) => total + service, 0),
  system: shares.reduce((total, { system }) => total + system, 0),
});

/**
 * Returns the application name of the session that announces this process. Every process reads the budgets of the
 * others from these names. The session ends with its process, so no table is needed.
 */
export function announcedName(
  applicationName: string,
  { uses, byLogin }: ConnectionBudget,
): string {
  const shares =
    byLogin === undefined ? "" : ` service=${sum(byLogin.service)} system=${sum(byLogin.system)}`;
  return `${applicationName} ${randomBytes(3).toString("hex")}${shares} budget=${sum(uses)}`;
}

/** Some requests need two connections, so requests could block each other in a smaller pool. */
const poolMin = 6;

/**
 * Compares the connections that all processes of the installation may open with the limits.
 *
 * @throws StartError if the server, the database or a login allows fewer than the minimum of one process
 */
export async function reportConnections(
  database: Pick<Database, "query" | "ping" | "service">,
  budget: ConnectionBudget,
): Promise<ConnectionReport> {
  // The session that announces this process is one connection more, which a low limit may refuse without a sentence.
  await compareWithLimits(database, budget);
  await database.ping();
  return compareWithLimits(database, budget);
}

async function compareWithLimits(
  database: Pick<Database, "query" | "service">,
  { uses, byLogin }: ConnectionBudget,
): Promise<ConnectionReport> {
  const own =
    byLogin === undefined
      ? [{ pool: database, uses, poolMin }]
      : [
          { pool: database.service, uses: byLogin.service, poolMin: serviceMin },
          { pool: database, uses: byLogin.system, poolMin: systemMin },
        ];
  const logins: LoginReport[] = [];
  for (const { pool, ...part } of own) {
    const [found] = await pool.query<{ login: string; all: string; limit: string | null }>(
      ofLoginSql,
    );
    if (found === undefined || found.limit === null) continue;
    const { login, all, limit } = { ...found, limit: Number(found.limit) };
    requireEnough(`the login ${login}`, limit, neededOf(part.uses, part.poolMin));
    logins.push({ login, all: Number(all), limit });
  }
  const [found] = await database.query<{ login: string; all: string; limit: string }>(ofAllSql);
  const limit = Number(found?.limit);
  const needed = own.reduce((total, part) => total + neededOf(part.uses, part.poolMin), 0);
  requireEnough(byLogin === undefined ? `the login ${found?.login}` : "both logins", limit, needed);
  return { own: sum(uses), all: Number(found?.all), limit, uses, logins };
}

/** Returns the connections without which a process cannot serve: a small pool, and one for each other use. */
function neededOf({ pool = 0, ...others }: ConnectionUses, poolMin: number): number {
  return Math.min(pool, poolMin) + Object.keys(others).length;
}

function requireEnough(logins: string, limit: number, needed: number): void {
  if (limit >= needed) return;
  throw new StartError(
    `The database allows ${logins} ${limit} connections, and a process needs at least ${needed}: raise max_connections, or the connection limit of the login or of the database.`,
  );
}

const sum = (uses: ConnectionUses): number =>
  Object.values(uses).reduce((total, use) => total + use, 0);

// Several sessions of a process share one name, and no two processes share one. A process with two logins announces itself as
// the one that may execute the function of the other. The login is that of the session, because `role` may be set for it.
const announcedSql = `
announced as (
  select distinct a.usename, a.application_name,
    substring(a.application_name from ' budget=([0-9]+)$')::int as budget,
    substring(a.application_name from ' service=([0-9]+) system=[0-9]+ budget=[0-9]+$')::int as of_service,
    substring(a.application_name from ' system=([0-9]+) budget=[0-9]+$')::int as of_system
  from pg_catalog.pg_stat_activity a
  where a.application_name ~ ' budget=[0-9]+$'::text and (a.usename = session_user or a.usename = system.service_login()
    or exists (select from pg_catalog.pg_proc p, pg_catalog.aclexplode(p.proacl) x
      where p.oid = pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])') and x.grantee = a.usesysid))
)`;

const ofAllSql = `
with ${announcedSql}
select session_user::text as login, (select coalesce(sum(budget), 0) from announced)::text as all,
  least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    case when not r.rolsuper then nullif(d.datconnlimit, -1) end)::text as limit
from pg_catalog.pg_roles r, pg_catalog.pg_database d where r.rolname = session_user and d.datname = current_database()`;

/** A process with one login opens all its connections as the login of its session. */
const ofLoginSql = `
with ${announcedSql}
select session_user::text as login,
  case when not r.rolsuper then nullif(r.rolconnlimit, -1) end::text as limit,
  (select coalesce(sum(case
      when of_service is null then case when usename = session_user then budget end
      when system.service_login() = session_user then of_service
      when usename = session_user then of_system end), 0) from announced)::text as all
from pg_catalog.pg_roles r where r.rolname = session_user`;
