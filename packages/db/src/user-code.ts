import type postgres from "postgres";
import { runTransaction } from "./client.ts";
import {
  idleInTransactionMs,
  ownSettings,
  reportedSettings,
  type Settings,
} from "./session-settings.ts";

/**
 * Ends or resets everything that code of the database's users can leave in a session, as `DISCARD ALL` does, which runs
 * outside transactions only. Plans stay, because PostgreSQL renews those that a setting affects.
 *
 * @param limitsSql follows the reset of the settings, for the rest of the text
 * @see https://www.postgresql.org/docs/18/sql-discard.html
 */
function clearSql(limitsSql = ""): string {
  return `set session authorization default; reset role; reset all; ${limitsSql}close all; unlisten *;
select pg_catalog.pg_advisory_unlock_all(); discard temp; discard sequences`;
}

/** Also ends the statements that the driver has prepared; it prepares them again. */
const forgetSql = "deallocate all";

/** Settings that a pooler passes on to a client with another value. */
const passedOn: Settings = { ...reportedSettings, client_encoding: "UTF8" };

/**
 * What each transaction on a session of a pooler begins with, as PostgreSQL shows it; a connection of this process starts with
 * it.
 */
const required: Settings = {
  ...passedOn,
  ...ownSettings,
  idle_in_transaction_session_timeout: `${idleInTransactionMs / 60_000}min`,
};

function setSql(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join("; ");
}

/** What clears a session after code of the database's users: with the statements that such code has prepared, or not. */
export interface Clearing {
  readonly keeping: string;
  readonly forgetting: string;
}

function clearingOf(keeping: string): Clearing {
  return { keeping, forgetting: `${keeping}; ${forgetSql}` };
}

/** Follows a statement or the end of a transaction on a connection of this process. */
export const ownClearing = clearingOf(clearSql());

/** Follows the opening where such code may run on a session of a pooler. */
const codeSavepoint = "savepoint rowhouse_code";

/** One query in place of many SETs: in a session that nobody has changed it sets nothing. */
const requiredSql = `set local role to default; set local search_path to default;
select pg_catalog.set_config(e.name, e.value, true)
from (values ${Object.entries(required)
  .map(([name, value]) => `('${name}', '${value}')`)
  .join(", ")}) e (name, value)
where pg_catalog.current_setting(e.name) <> e.value`;

/**
 * Begins a transaction on a session of a pooler, which another client may have used before: sets what the statements
 * of the service require.
 */
function pooledOpening(statementTimeoutMs: number): string {
  return `set local statement_timeout = ${statementTimeoutMs}; ${requiredSql}`;
}

/**
 * Ends such a transaction before its COMMIT, after which the session belongs to another client. The pooler would take
 * the values of the login for the client's, so those that it passes on are set again.
 */
const pooledClearing = clearingOf(
  `set constraints all immediate; ${clearSql("set local statement_timeout = 0; set local exit_on_error = off; ")}; ${setSql(passedOn)}`,
);

/** Ends what the ROLLBACK of a failed transaction does not undo. */
const pooledAbort = clearingOf(
  "rollback to rowhouse_code; select pg_catalog.pg_advisory_unlock_all()",
);

/**
 * Runs a transaction on a session of a pooler.
 *
 * @param clearing what follows code of the database's users; null if none can run
 */
export function runPooled<Result>(
  client: postgres.Sql,
  mode: string,
  statementTimeoutMs: number,
  clearing: keyof Clearing | null,
  work: (transaction: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  const opening = pooledOpening(statementTimeoutMs);
  if (clearing === null) return runTransaction(client, mode, work, { opening });
  const workAndClear = async (transaction: postgres.TransactionSql) => {
    try {
      const result = await work(transaction);
      await transaction.unsafe(pooledClearing[clearing]);
      return result;
    } catch (error) {
      // Without a connection there is nothing to end.
      await transaction.unsafe(pooledAbort[clearing]).catch(() => {});
      throw error;
    }
  };
  return runTransaction(client, mode, workAndClear, { opening: `${opening}; ${codeSavepoint}` });
}
