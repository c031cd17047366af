import {
  type Database,
  derivePassword,
  openSqlSession,
  readPostgresFailure,
  type SqlNotice,
  type SqlSession,
} from "@rowhouse/db";
import { ensureLogin, passwordUse, unavailable } from "./ensure-login.ts";
import { proveLogin } from "./prove-login.ts";
import type { Backend } from "./runs-under-way.ts";

export interface ConsoleLogin {
  /** The console's own pool: its waiting runs take no connection from other work. */
  readonly database: Database;
  /** The pool that creates the login; `database` by default. */
  readonly maker?: Database;
  /** The service's own URL; the console's has another user and password. */
  readonly databaseUrl: string;
  /** A login that an operator created; if undefined, the service creates one. */
  readonly consoleUrl: string | undefined;
  /** Returns the installation's secret; called when the login is first needed. */
  readonly secret: () => Promise<string> | string;
}

export interface ConsoleSession {
  readonly session: SqlSession;
  readonly backend: Backend;
  readonly notices: readonly SqlNotice[];
}

export interface SessionLimits {
  readonly timeoutMs: number;
  /** Maximum bytes of one statement's response; beyond it the connection is closed. */
  readonly statementBytesMax: number;
}

/** Options of the console's own pool, which only accesses the table of runs; each access is short. */
export const consolePool = {
  applicationName: "sql-console-runs",
  connectionsMax: 2,
  waitMs: 5_000,
} as const;

const noticesMax = 100;
const connectTimeoutMs = 10_000;

/**
 * Opens a session of the console's login, whose privileges were checked immediately before.
 *
 * @throws AppError SERVICE_UNAVAILABLE if the login is missing or has too many privileges
 */
export async function openConsoleSession(
  login: ConsoleLogin,
  limits: SessionLimits,
): Promise<ConsoleSession> {
  const { database, consoleUrl } = login;
  if (consoleUrl !== undefined) return connect(database, consoleUrl, limits);
  try {
    return await connect(database, await ownUrl(login, false), limits);
  } catch (error) {
    // The password was derived from another secret, or another client changed it.
    if (readPostgresFailure(error)?.code !== "28P01") throw error;
    return connect(database, await ownUrl(login, true), limits);
  }
}

/**
 * Terminates a backend of the console's login: its transaction is rolled back, and no code in it can prevent that.
 */
export async function endBackend(login: ConsoleLogin, backend: Backend): Promise<void> {
  const url = login.consoleUrl ?? (await ownUrl(login, false));
  const limits = { timeoutMs: 5000, statementBytesMax: 65_536 };
  const session = openSession(login.database, url, limits, () => {});
  try {
    await session.query(
      `select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
       where pid = $1::text::integer and backend_start::text = $2::text and usename = session_user`,
      [backend.pid, backend.start],
    );
  } finally {
    await session.close();
  }
}

async function ownUrl(login: ConsoleLogin, anew: boolean): Promise<string> {
  const secret = await login.secret();
  const url = new URL(login.databaseUrl);
  url.username = encodeURIComponent(await ensureLogin(login.maker ?? login.database, secret, anew));
  url.password = derivePassword(secret, passwordUse);
  return url.href;
}

async function connect(
  database: Database,
  url: string,
  limits: SessionLimits,
): Promise<ConsoleSession> {
  const notices: SqlNotice[] = [];
  const session = openSession(database, url, limits, (notice) => {
    if (notices.length < noticesMax) notices.push(notice);
  });
  try {
    const backend = await identify(session);
    await proveLogin(database, backend.login);
    return { session, backend, notices };
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function identify(session: SqlSession): Promise<Backend & { readonly login: string }> {
  try {
    const [row] = await session.query<{ pid: string; start: string; login: string }>(
      `select pid::text as pid, backend_start::text as start, session_user::text as login
       from pg_catalog.pg_stat_activity where pid = pg_catalog.pg_backend_pid()`,
    );
    if (row === undefined) throw new Error("The session cannot find itself in pg_stat_activity");
    return row;
  } catch (error) {
    const code = readPostgresFailure(error)?.code;
    if (code === "28P01") throw error;
    throw unavailable("it cannot connect to the database", error);
  }
}

function openSession(
  { searchPath }: Database,
  url: string,
  { timeoutMs, statementBytesMax }: SessionLimits,
  onNotice: (notice: SqlNotice) => void,
): SqlSession {
  return openSqlSession({
    url,
    applicationName: "sql-console",
    connectTimeoutMs,
    statementBytesMax,
    statementTimeoutMs: timeoutMs,
    searchPath,
    onNotice,
  });
}
