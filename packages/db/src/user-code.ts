import type postgres from "#postgres";
import { runTransaction, type StatementFrame } from "./client.ts";
import {
  idleInTransactionMs,
  ownSettings,
  reportedSettings,
  type SessionSettings,
} from "./session-settings.ts";

/**
 * Ends or resets everything that code of the database's users can leave in a session, as `DISCARD ALL` does, which runs
 * outside transactions only. Plans stay, because PostgreSQL renews those that a setting affects.
 *
 * @param limits follow the reset of the settings, for the rest of the list
 * @see https://www.postgresql.org/docs/18/sql-discard.html
 */
function clearStatements(...limits: readonly string[]): readonly string[] {
  return [
    ...["set session authorization default", "reset role", "reset all", ...limits],
    ...["close all", "unlisten *", "select pg_catalog.pg_advisory_unlock_all()"],
    ...["discard temp", "discard sequences"],
  ];
}

/** Also ends the statements that the driver has prepared; it prepares them again. */
const forgetSql = "deallocate all";

const beginReadOnly = "begin isolation level read committed read only";

/**
 * The transaction around a single statement that must not write, although it runs code of the database's users, on a
 * connection of this process.
 */
export const ownReading: Clearing<StatementFrame> = {
  keeping: readingFrame(clearStatements()),
  forgetting: readingFrame([...clearStatements(), forgetSql]),
};

function readingFrame(clearing: readonly string[]): StatementFrame {
  const before = [beginReadOnly];
  return { before, after: [...clearing, "commit"], abort: joined(["rollback", ...clearing]) };
}

/** Settings that a pooler passes on to a client with another value. */
const passedOn: SessionSettings = { ...reportedSettings, client_encoding: "UTF8" };

/**
 * What each transaction on a session of a pooler begins with, as PostgreSQL shows it; a connection of this process starts with
 * it.
 */
const required: SessionSettings = {
  ...passedOn,
  ...ownSettings,
  idle_in_transaction_session_timeout: `${idleInTransactionMs / 60_000}min`,
};

function setStatements(settings: SessionSettings): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);
}

/** What clears a session after code of the database's users: with the statements that such code has prepared, or not. */
export interface Clearing<Clear = string> {
  readonly keeping: Clear;
  readonly forgetting: Clear;
}

/** Follows a statement or the end of a transaction on a connection of this process. */
export const ownClearing: Clearing = {
  keeping: joined(clearStatements()),
  forgetting: joined([...clearStatements(), forgetSql]),
};

function joined(statements: readonly string[]): string {
  return statements.join("; ");
}

/** Follows the opening where such code may run on a session of a pooler. */
const codeSavepoint = "savepoint rowhouse_code";

/** One query in place of many SETs: in a session that nobody has changed it sets nothing. */
function requireSql(settings: SessionSettings): string {
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  return `select pg_catalog.set_config(e.name, e.value, true)
from (values ${values.join(", ")}) e (name, value)
where pg_catalog.current_setting(e.name) <> e.value`;
}

const defaultsSql = (...names: readonly string[]) =>
  names.map((name) => `set local ${name} to default`);

/** @param searchPath that of the pool's sessions, if a pooler's may have another */
const ownRole = (searchPath: string | undefined) => [
  ...defaultsSql("role"),
  `set local search_path ${searchPath === undefined ? "to default" : `= ${searchPath}`}`,
];
/** Other values of the database or the login, which another client of the pooler may have replaced in its session. */
const ownDefaults = defaultsSql(
  ...["default_text_search_config", "lc_monetary"],
  ...["default_transaction_read_only", "synchronous_commit"],
);

/**
 * A transaction that was begun to write is read-only if that is the default of the database or the login. A session
 * that skips triggers ends: another client has changed it, or `triggersSql` refuses all others.
 */
const requiredSql = `${requireSql(required)}
union all select pg_catalog.set_config('transaction_read_only', 'on', true)
  where pg_catalog.current_setting('default_transaction_read_only') = 'on'
union all select pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid())::text
  where pg_catalog.current_setting('session_replication_role') = 'replica'`;

/** The transaction has limits of its own. */
const { lock_timeout: _, ...ofResults } = ownSettings;

/**
 * Within a transaction, between a statement that may have run code of the database's users and the next one of the
 * service: sets again what changes the results of the service's statements.
 */
export function requireAgain(searchPath: string | undefined): string {
  return joined([...ownRole(searchPath), requireSql({ ...passedOn, ...ofResults })]);
}

export const requireAgainSql = requireAgain(undefined);

/** What differs between the pools of a process. */
export interface PooledSession {
  readonly statementTimeoutMs: number;
  /** Instead of that of the database or the login. */
  readonly searchPath: string | undefined;
}

/**
 * Begins a transaction on a session of a pooler, which another client may have used before: sets what the statements
 * of the service require.
 */
function pooledOpening(
  { statementTimeoutMs, searchPath }: PooledSession,
  runsCode: boolean,
): readonly string[] {
  return [
    `set local statement_timeout = ${statementTimeoutMs}`,
    ...ownRole(searchPath),
    ...ownDefaults,
    requiredSql,
    ...(runsCode ? [codeSavepoint] : []),
  ];
}

/**
 * Ends such a transaction before its COMMIT, after which the session belongs to another client. The pooler would take
 * the values of the login for the client's, so those that it passes on are set again.
 */
const pooledClearing = [
  "set constraints all immediate",
  ...clearStatements("set local statement_timeout = 0", "set local exit_on_error = off"),
];
const pooledClearings: Clearing<readonly string[]> = {
  keeping: [...pooledClearing, ...setStatements(passedOn)],
  forgetting: [...pooledClearing, forgetSql, ...setStatements(passedOn)],
};

/** Ends what the ROLLBACK of a failed transaction does not undo. */
const pooledAbort = ["rollback to rowhouse_code", "select pg_catalog.pg_advisory_unlock_all()"];
const pooledAborts: Clearing<readonly string[]> = {
  keeping: pooledAbort,
  forgetting: [...pooledAbort, forgetSql],
};

/** Another client may have made all later transactions of its session read-only. */
function pooledMode(mode: string): string {
  return mode.endsWith("read only") ? mode : `${mode} read write`;
}

/**
 * Returns the transaction around a single statement on a session of a pooler. The driver encodes the statements of a
 * frame once, so keep it.
 *
 * @param clearing what follows code of the database's users; null if none can run
 */
export function pooledFrame(
  mode: string,
  session: PooledSession,
  clearing: keyof Clearing | null,
): StatementFrame {
  const opening = pooledOpening(session, clearing !== null);
  return {
    before: [`begin ${pooledMode(mode)}`, ...opening],
    after: [...(clearing === null ? [] : pooledClearings[clearing]), "commit"],
    abort: joined([...(clearing === null ? [] : pooledAborts[clearing]), "rollback"]),
  };
}

/**
 * Runs a transaction on a session of a pooler.
 *
 * @param clearing what follows code of the database's users; null if none can run
 */
export function runPooled<Result>(
  client: postgres.Sql,
  mode: string,
  session: PooledSession,
  clearing: keyof Clearing | null,
  work: (transaction: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  const opening = `; ${joined(pooledOpening(session, clearing !== null))}`;
  const ownMode = pooledMode(mode);
  if (clearing === null) return runTransaction(client, ownMode, work, { opening });
  const workAndClear = async (transaction: postgres.TransactionSql) => {
    try {
      const result = await work(transaction);
      await transaction.unsafe(joined(pooledClearings[clearing]));
      return result;
    } catch (error) {
      // Without a connection there is nothing to end.
      await transaction.unsafe(joined(pooledAborts[clearing])).catch(() => {});
      throw error;
    }
  };
  return runTransaction(client, ownMode, workAndClear, { opening });
}
