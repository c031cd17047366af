import type { Queryable } from "../src/index.ts";

/**
 * The features of the schema `system` that code may rely on, and the rules for its writes, as PostgreSQL reports them.
 * Unlike the statements of a migration this also covers the effects of dynamic SQL, triggers and unique indexes.
 */
export interface SchemaFacts {
  /** Facts that must stay true. */
  readonly offers: ReadonlySet<string>;
  /** Rules for writes, by table and name. */
  readonly demands: ReadonlyMap<string, Demand>;
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
  /** The oldest build that the schema declares as supported. */
  readonly servesFrom: number;
}

interface Demand {
  readonly table: string;
  readonly text: string;
  /** The columns that it refers to, separated by spaces; null for none. */
  readonly columns: string | null;
}

const offersSql = `
select format('%s %s', case c.relkind when 'r' then 'table' when 'v' then 'view' else 'sequence' end, c.relname) as line
from pg_class c where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'S')
union all
select format('column %s.%s of type %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod))
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
union all
select format('null in %s.%s', c.relname, a.attname)
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and not a.attnotnull
where c.relnamespace = 'system'::regnamespace and c.relkind = 'r'
union all
select format('a default of %s.%s', c.relname, a.attname)
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and (a.atthasdef or a.attidentity <> '')
where c.relnamespace = 'system'::regnamespace and c.relkind = 'r'
union all
select format('function %s returning %s', p.oid::regprocedure, pg_get_function_result(p.oid))
from pg_proc p where p.pronamespace = 'system'::regnamespace
union all
select format('trigger %s on %s', t.tgname, c.relname)
from pg_trigger t join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'system'::regnamespace and not t.tgisinternal and t.tgenabled <> 'D'
union all
-- What \`on conflict\` names.
select format('unique %s (%s)', c.relname, (select string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' order by k) from generate_series(1, i.indnkeyatts) k)
  || coalesce(' where ' || pg_get_expr(i.indpred, i.indrelid), ''))
from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'system'::regnamespace and i.indisunique`;

const columnsOf = (numbers: string) =>
  `(select string_agg(format('%s.%s', c.relname, a.attname), ' ') from pg_attribute a where a.attrelid = c.oid and a.attnum = any (${numbers}))`;

const demandsSql = `
select c.relname::text as "table", 'column ' || a.attname as name, 'a value in every row' as text, null as columns
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'system'::regnamespace and c.relkind = 'r' and a.attnotnull and not a.atthasdef and a.attidentity = ''
union all
select c.relname, 'constraint ' || k.conname, pg_get_constraintdef(k.oid), ${columnsOf("k.conkey")}
from pg_constraint k join pg_class c on c.oid = k.conrelid
where c.relnamespace = 'system'::regnamespace and k.contype in ('c', 'f', 'x')
union all
select c.relname, 'index ' || i.indexrelid::regclass, regexp_replace(pg_get_indexdef(i.indexrelid), '^.*? USING ', 'unique '), ${columnsOf("i.indkey")}
from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'system'::regnamespace and i.indisunique
union all
select 'function ' || p.proname, 'form ' || p.oid::regprocedure, 'calls may fit it better', null
from pg_proc p where p.pronamespace = 'system'::regnamespace`;

/** Reads the current schema. */
export async function readSchemaFacts(database: Queryable): Promise<SchemaFacts> {
  const offers = await database.query<{ line: string }>(offersSql);
  const demands = await database.query<Demand & { name: string }>(demandsSql);
  const columns = await database.query<{ name: string }>(
    `select format('%s.%s', c.relname, a.attname) as name
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'system'::regnamespace and c.relkind = 'r'`,
  );
  const [installation] = await database.query<{ from: string | null }>(
    "select to_jsonb(i) ->> 'serves_from' as from from system.installation i",
  );
  return {
    offers: new Set(offers.map(({ line }) => line)),
    demands: new Map(demands.map((demand) => [`${demand.table}: ${demand.name}`, demand])),
    columns: new Set(columns.map(({ name }) => name)),
    tables: new Set(demands.map(({ table }) => table)),
    servesFrom: Number(installation?.from ?? 0),
  };
}

/** Returns the features that code for `before` may miss in `after`, and the rules that it may break there. */
export function contractionsBetween(before: SchemaFacts, after: SchemaFacts): string[] {
  const gone = [...before.offers].filter((line) => !after.offers.has(line));
  const demanded = [...after.demands].flatMap(([key, { table, text, columns }]) => {
    // No old code writes to a new table or column, or calls a new name.
    if (!before.tables.has(table)) return [];
    if (columns?.split(" ").some((column) => !before.columns.has(column))) return [];
    const was = before.demands.get(key)?.text;
    if (was === text || (was !== undefined && isWidened(was, text))) return [];
    return [`${key}: ${text}`];
  });
  return [...gone.map((line) => `gone: ${line}`), ...demanded.map((line) => `asked: ${line}`)];
}

/** Returns whether a check that lists the values of a column only lists more of them. */
function isWidened(was: string, is: string): boolean {
  const list = /^(.*= ANY \(ARRAY\[)(.*)(\]\).*)$/;
  const [, startWas, valuesWas = "", endWas] = list.exec(was) ?? [];
  const [, start, values = "", end] = list.exec(is) ?? [];
  if (start === undefined || start !== startWas || end !== endWas) return false;
  const now = new Set(values.split(", "));
  return valuesWas.split(", ").every((value) => now.has(value));
}
