import { ownSettings, reportedSettings, type Settings } from "./session-settings.ts";

/**
 * Ends or resets everything that code of the database's users can leave in a session, in the order of `DISCARD ALL`, which
 * runs outside transactions only. Plans stay, because PostgreSQL renews those that a setting affects.
 *
 * @see https://www.postgresql.org/docs/18/sql-discard.html
 */
const clearSql = `set session authorization default; reset role; reset all; close all; unlisten *;
select pg_catalog.pg_advisory_unlock_all(); discard temp; discard sequences`;

/** Also ends the statements that the driver has prepared; it prepares them again. */
const forgetSql = "deallocate all";

/** Settings whose values the driver relies on. */
const driverSettings = { client_encoding: "UTF8" } as const satisfies Settings;

function setSql(settings: Settings, keyword: "set" | "set local"): string {
  return Object.entries(settings)
    .map(([name, value]) => `${keyword} ${name} = '${value}'`)
    .join("; ");
}

/** What clears a session after code of the database's users: with the statements that such code has prepared, or not. */
export interface Farewell {
  readonly keeping: string;
  readonly forgetting: string;
}

/** Follows a statement or the end of a transaction on a connection of this process. */
export const ownFarewell: Farewell = {
  keeping: clearSql,
  forgetting: `${clearSql}; ${forgetSql}`,
};

/** The savepoint in front of a statement that may run such code on a session of a pooler. */
const codeSavepoint = "rowhouse_code";

/**
 * Begins a transaction on a session of a pooler, which another client may have used before: sets what the statements
 * of the service require.
 */
export const pooledOpening = {
  plain: `set local role to default; set local search_path to default; ${setSql({ ...reportedSettings, ...ownSettings, ...driverSettings }, "set local")}`,
  savepoint: `savepoint ${codeSavepoint}`,
} as const;

/**
 * Ends such a transaction before its COMMIT, after which the session belongs to another client. The pooler would take
 * the values of the login for the client's, so those that it passes on are set again.
 */
export const pooledFarewell: Farewell = {
  keeping: `set constraints all immediate; ${clearSql}; ${setSql({ ...reportedSettings, ...driverSettings }, "set")}`,
  get forgetting() {
    return `${this.keeping}; ${forgetSql}`;
  },
};

/** Ends what the ROLLBACK of a failed transaction does not undo. */
export const pooledRetreat: Farewell = {
  keeping: `rollback to ${codeSavepoint}; select pg_catalog.pg_advisory_unlock_all()`,
  get forgetting() {
    return `${this.keeping}; ${forgetSql}`;
  },
};
