import type { SqlSession, TextRow } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { describeFailure } from "./describe-failure.ts";
import { isTemporarySql } from "./prove-login.ts";
import { loadTypes } from "./result-type.ts";
import type { SqlPart } from "./split-statements.ts";
import { valueJson } from "./value-json.ts";

export interface ResultLimits {
  /** Maximum rows of one statement. */
  readonly rowsMax: number;
  /** Maximum bytes of all values together, in PostgreSQL's text format. */
  readonly bytesMax: number;
}

/** Runs statements one after another in the current transaction; returns the JSON of each result. */
export async function runStatements(
  session: SqlSession,
  parts: readonly SqlPart[],
  parameters: readonly (string | null)[],
  limits: ResultLimits,
): Promise<string[]> {
  const results: string[] = [];
  let bytesLeft = limits.bytesMax;
  for (const [index, part] of parts.entries()) {
    try {
      const rows: TextRow[] = [];
      let truncated = false;
      const outcome = await session.execute(part.text, parameters, (row) => {
        for (const value of row) bytesLeft -= value === null ? 1 : Buffer.byteLength(value) + 1;
        truncated = rows.length >= limits.rowsMax || bytesLeft < 0;
        if (!truncated) rows.push(row);
        return !truncated;
      });
      const typeOf = await loadTypes(
        session,
        outcome.columns.map((column) => column.typeOid),
      );
      const types = outcome.columns.map((column) => typeOf(column.typeOid));
      const columns = outcome.columns.map(({ name }, at) => ({ name, type: types[at]?.name }));
      const values = rows.map(
        (row) => `[${types.map((type, at) => valueJson(row[at] ?? null, type)).join(",")}]`,
      );
      const [command = ""] = part.words;
      const rowCount = columns.length === 0 ? outcome.affected : truncated ? null : rows.length;
      const head = JSON.stringify({ command, rowCount, truncated, columns });
      results.push(`${head.slice(0, -1)},"rows":[${values.join(",")}]}`);
    } catch (error) {
      throw describeFailure(error, part, index);
    }
  }
  return results;
}

/**
 * Lists the relations that the transaction read or wrote, as `read fleet.vehicles`; only their names enter the audit
 * log.
 */
export async function touchedRelations(session: SqlSession): Promise<string[]> {
  const rows = await session.query<{ touched: string }>(touchedSql);
  return rows.map((row) => row.touched);
}

// Locks are held until the end of the transaction, so they also show what views, functions and triggers used.
const touchedSql = `
select case when pg_catalog.bool_or(l.mode <> 'AccessShareLock') then 'write ' else 'read ' end || n.nspname || '.' || c.relname as touched
from pg_catalog.pg_locks l
join pg_catalog.pg_class c on c.oid = l.relation
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where l.pid = pg_catalog.pg_backend_pid() and l.locktype = 'relation' and c.relkind in ('r', 'p', 'f', 'v', 'm', 'S')
  and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
group by n.nspname, c.relname order by n.nspname, c.relname limit 100`;

/**
 * Rejects what would outlive the run except rows: objects of the login itself (large objects, default privileges), and
 * changes to the login, which any login may make to its own password and settings.
 *
 * @param settings those of the login when the transaction began
 * @throws AppError SQL_FAILED; the run is rolled back
 */
export async function requireOnlyRows(session: SqlSession, settings: string): Promise<void> {
  const [row] = await session.query<{ changed: string; owns: string }>(leftBehindSql, [settings]);
  const message =
    row?.changed !== "false"
      ? "The login of the console cannot be changed"
      : row.owns !== "false"
        ? "A run can keep only rows; it cannot create other objects"
        : undefined;
  if (message !== undefined) throw createError("SQL_FAILED", { path: "/data/sql", message });
}

/** Reads the settings of the session's login. This query also fixes the snapshot of the transaction. */
export async function readLoginSettings(session: SqlSession): Promise<string> {
  const [row] = await session.query<{ settings: string }>(`select ${loginSettingsSql} as settings`);
  return row?.settings ?? "";
}

const loginOidSql = "(select oid from pg_catalog.pg_roles where rolname = session_user)";
const loginSettingsSql = `coalesce((select string_agg(s::text, ' ' order by s.setdatabase)
  from pg_catalog.pg_db_role_setting s where s.setrole = ${loginOidSql}), '')`;

// The password is not readable, but a change of it holds this lock until the end of the transaction.
const leftBehindSql = `
select (${loginSettingsSql} <> $1::text or exists (
    select 1 from pg_catalog.pg_locks l where l.pid = pg_catalog.pg_backend_pid() and l.locktype = 'relation'
      and l.mode <> 'AccessShareLock' and l.relation in (select oid from pg_catalog.pg_class where relisshared)))::text as changed,
  exists (select 1 from pg_catalog.pg_shdepend d where d.refclassid = 'pg_catalog.pg_authid'::regclass
    and d.refobjid = ${loginOidSql} and d.deptype = 'o'
    and d.dbid in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
    and not ${isTemporarySql})::text as owns`;
