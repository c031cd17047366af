import { arrayLiteral, type SqlSession } from "@rowhouse/db";

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
  select unnest($1::text::oid[])
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
export async function loadTypes(
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
