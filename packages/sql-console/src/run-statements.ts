import { arrayLiteral, type SqlSession, type TextRow } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { describeFailure } from "./describe-failure.ts";
import { isTemporarySql } from "./prove-login.ts";
import type { SqlPart } from "./split-statements.ts";

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
  and n.nspname !~ '^pg_'::text and n.nspname <> 'information_schema'
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

/** Built-in OIDs by the JSON form of their values, which is that of the Data API. */
const numbers: ReadonlySet<string> = new Set(["21", "23", "26", "700", "701"]);
const documents: ReadonlySet<string> = new Set(["114", "3802"]);
const moments: ReadonlySet<string> = new Set(["1114", "1184"]);
const boolean = "16";
const bytes = "17";

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const momentForm = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)?(:\d\d)?$/;

/**
 * Converts a value from PostgreSQL's text format to JSON: exact numbers become strings, documents keep their digits,
 * bytes become base64, timestamps ISO 8601. If a statement changed PostgreSQL's output format, the value stays text.
 */
export function valueJson(text: string | null, type: ResultType): string {
  if (text === null) return "null";
  if (type.element !== null) return arrayJson(text, type.element) ?? JSON.stringify(text);
  const { base } = type;
  if (base === boolean && (text === "t" || text === "f")) return String(text === "t");
  if (numbers.has(base) && numberForm.test(text)) return text;
  if (documents.has(base)) return text;
  if (base === bytes && text.startsWith("\\x")) {
    return JSON.stringify(Buffer.from(text.slice(2), "hex").toString("base64"));
  }
  if (moments.has(base)) {
    const [, day, time, zone = "", minutes = zone === "" ? "" : ":00"] =
      momentForm.exec(text) ?? [];
    if (day !== undefined) return JSON.stringify(`${day}T${time}${zone}${minutes}`);
  }
  return JSON.stringify(text);
}

interface Items {
  readonly type: ResultType;
  readonly delimiter: string;
}

/** Converts an array's text to JSON; undefined for a text of another form (int2vector has its own). */
function arrayJson(text: string, items: Items): string | undefined {
  // Non-default bounds precede it.
  const start = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  if (text[start] !== "{") return undefined;
  let at = start;
  const item = /"((?:[^"\\]|\\[\s\S])*)"|[^{}"]+/y;

  const list = (): string | undefined => {
    at += 1;
    const parts: string[] = [];
    for (;;) {
      if (text[at] === "}") break;
      if (text[at] === items.delimiter) at += 1;
      if (text[at] === "{") {
        const inner = list();
        if (inner === undefined) return undefined;
        parts.push(inner);
        continue;
      }
      const value = scalar();
      if (value === undefined) return undefined;
      parts.push(value);
    }
    at += 1;
    return `[${parts.join(",")}]`;
  };
  const scalar = (): string | undefined => {
    item.lastIndex = at;
    const [found, quoted] = item.exec(text) ?? [];
    if (found === undefined) return undefined;
    if (quoted !== undefined) {
      at += found.length;
      return valueJson(quoted.replaceAll(/\\([\s\S])/g, "$1"), items.type);
    }
    const end = found.indexOf(items.delimiter);
    const plain = end < 0 ? found : found.slice(0, end);
    at += plain.length;
    return valueJson(plain === "NULL" ? null : plain, items.type);
  };
  return list();
}

/** The part of a type that decides the JSON of its values. */
export interface ResultType {
  /** PostgreSQL's name of the type: `bigint`, `text[]`. */
  readonly name: string;
  /** The OID of the type; of a domain, that of its base type. */
  readonly base: string;
  /** For an array, the delimiter between its elements. */
  readonly element: { readonly type: ResultType; readonly delimiter: string } | null;
}

interface TypeRow {
  oid: string;
  name: string;
  base: string | null;
  element: string | null;
  delimiter: string;
}

const typesSql = `
with recursive wanted (oid) as (
  select pg_catalog.unnest($1::text::oid[])
  union
  select case when t.typtype = 'd' then t.typbasetype else t.typelem end
  from wanted w join pg_catalog.pg_type t on t.oid = w.oid
  where t.typtype = 'd' or (t.typcategory = 'A' and t.typelem <> 0)
)
select t.oid::text as oid, pg_catalog.format_type(t.oid, null) as name,
  case when t.typtype = 'd' then t.typbasetype::text end as base,
  case when t.typtype <> 'd' and t.typcategory = 'A' and t.typelem <> 0 then t.typelem::text end as element,
  t.typdelim::text as delimiter
from wanted w join pg_catalog.pg_type t on t.oid = w.oid`;

/** Built-in types, which never change; cached. */
const firstUserOid = 16_384;
const builtIn = new Map<string, TypeRow>();

/** Loads the types of these OIDs, as the session's transaction sees them. */
async function loadTypes(
  session: Pick<SqlSession, "query">,
  oids: readonly string[],
): Promise<(oid: string) => ResultType> {
  const rows = new Map(builtIn);
  const unknown = [...new Set(oids)].filter((oid) => !rows.has(oid));
  if (unknown.length > 0) {
    for (const row of await session.query<TypeRow>(typesSql, [arrayLiteral(unknown)])) {
      rows.set(row.oid, row);
      if (Number(row.oid) < firstUserOid) builtIn.set(row.oid, row);
    }
  }
  return (oid) => resolve(oid, rows);
}

function resolve(oid: string, rows: ReadonlyMap<string, TypeRow>): ResultType {
  const row = rows.get(oid);
  if (row === undefined) return { name: "unknown", base: oid, element: null };
  if (row.base !== null) return { ...resolve(row.base, rows), name: row.name };
  const element =
    row.element === null
      ? null
      : { type: resolve(row.element, rows), delimiter: rows.get(row.element)?.delimiter ?? "," };
  return { name: row.name, base: oid, element };
}
