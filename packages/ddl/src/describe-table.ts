import type { Queryable } from "@rowhouse/db";
import { guessOwner } from "./base/constraint-name.ts";
import type { ColumnDefinition, TableDefinition } from "./definition.ts";
import type { CheckState, ColumnState, TableState } from "./table-state.ts";

/** A table as the Admin API shows it. */
export interface TableDescription
  extends Omit<TableState, "oid" | "columns" | "keys" | "checks" | "referencedBy"> {
  /**
   * The definition in the form that creating a table accepts. Properties that a definition cannot express are separate
   * fields.
   */
  readonly definition: TableDefinition;
  readonly columns: readonly Omit<ColumnState, "attributeNumber">[];
  readonly primaryKey: ConstraintDescription | null;
  readonly uniques: readonly ConstraintDescription[];
  readonly exclusions: readonly { readonly name: string; readonly definition: string }[];
  readonly checks: readonly CheckState[];
  readonly referencedBy: TableState["referencedBy"];
  readonly textSearch: readonly TextSearch[];
}

export interface ConstraintDescription {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Converts the state of a table to its description, and reads which indexes serve its full-text searches. */
export async function describeTable(
  database: Queryable,
  state: TableState,
): Promise<TableDescription> {
  const { oid, keys, columns, ...rest } = state;
  const describe = (key: ConstraintDescription) => ({ name: key.name, columns: key.columns });
  const primaryKey = keys.find((key) => key.kind === "PRIMARY_KEY");
  return {
    ...rest,
    definition: defineTable(state),
    columns: columns.map(({ attributeNumber, ...column }) => column),
    primaryKey: primaryKey === undefined ? null : describe(primaryKey),
    uniques: keys.filter((key) => key.kind === "UNIQUE").map(describe),
    exclusions: keys
      .filter((key) => key.kind === "EXCLUSION")
      .map(({ name, definition }) => ({ name, definition })),
    textSearch: await loadTextSearch(database, oid),
  };
}

function defineTable(state: TableState): TableDefinition {
  const keyColumns = state.keys.find((key) => key.kind === "PRIMARY_KEY")?.columns ?? [];
  const checks = new Map<string, CheckState>();
  for (const check of state.checks) {
    const owner = ownerOf(check, state);
    if (owner !== undefined && !checks.has(owner)) checks.set(owner, check);
  }
  return {
    name: state.name,
    columns: state.columns.map((column) =>
      defineColumn(column, keyColumns.includes(column.name), checks.get(column.name), state),
    ),
  };
}

/** Assigns a check to the column in its name, otherwise to the only column that it mentions. */
function ownerOf(check: CheckState, state: TableState): string | undefined {
  const names = state.columns.map((column) => column.name);
  return guessOwner(check.name, state.name, names, "check") ?? onlyOne(check.columns);
}

function defineColumn(
  column: ColumnState,
  primaryKey: boolean,
  check: CheckState | undefined,
  { foreignKeys }: TableState,
): ColumnDefinition {
  const foreignKey = foreignKeys.find((key) => onlyOne(key.columns) === column.name);
  const targetColumn = foreignKey === undefined ? undefined : onlyOne(foreignKey.targetColumns);
  return {
    name: column.name,
    dataType: column.dataType,
    ...(primaryKey && { primaryKey }),
    ...(column.identity !== null && { identity: column.identity }),
    ...(column.generatedAs !== null && { generated: column.generatedAs }),
    ...(column.nullable || primaryKey || column.identity !== null ? {} : { nullable: false }),
    ...(column.default !== null && { default: column.default }),
    ...(check !== undefined && { check: check.expression }),
    ...(check?.message != null && { checkMessage: check.message }),
    ...(foreignKey !== undefined &&
      targetColumn !== undefined && {
        foreignKey: {
          targetSchema: foreignKey.targetSchema,
          targetTable: foreignKey.targetTable,
          targetColumn,
          onDelete: foreignKey.onDelete,
        },
      }),
  };
}

function onlyOne(names: readonly string[]): string | undefined {
  return names.length === 1 ? names[0] : undefined;
}

/** A column that full-text search reads, with the indexes that serve it. */
interface TextSearch {
  readonly column: string;
  /** Valid indexes of all rows, by name. */
  readonly indexes: readonly {
    readonly name: string;
    /** The configuration that a search must name to use the index; null for a `tsvector`, where any does. */
    readonly configuration: string | null;
  }[];
  /** The statement that creates such an index; null if PostgreSQL cannot index the column. */
  readonly createIndex: string | null;
}

/**
 * The columns of a table (`$1` its OID) that full-text search reads, as one JSON text. Enums are omitted: PostgreSQL has
 * no index on the text of an enum.
 *
 * An index serves a search if its expression is the one that the search compiles to, so both are compared as PostgreSQL
 * writes them. The search path is the one that resolves the configuration of a search.
 */
const textSearchSql = `
with columns as materialized (
  select a.attnum, a.attname, e.oid = 'tsvector'::regtype as is_vector,
    pg_catalog.format(case when a.atttypid = 'text'::regtype then '%I' else '(%I)::text' end, a.attname) as text_sql,
    c.relkind <> 'f' and a.attgenerated <> 'v' as can_index, n.nspname, c.relname
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type t on t.oid = a.atttypid
  join pg_catalog.pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
  join pg_catalog.pg_type e on e.oid = case when b.typtype = 'd' then b.typbasetype else b.oid end
  where c.oid = $1::text::oid and (e.typname = 'citext' or e.oid in
    ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'name'::regtype, 'tsvector'::regtype))
), configurations as materialized (
  -- The names that a search accepts.
  select g.oid, g.cfgname from pg_catalog.pg_ts_config g
  where pg_ts_config_is_visible(g.oid) and g.cfgname ~ '^[a-z_][a-z0-9_]{0,62}$'::text
), keys as materialized (
  select i.relname, x.indkey[k] as attnum,
    case when x.indkey[k] = 0 then pg_get_indexdef(x.indexrelid, k + 1, false) end as expression
  from pg_catalog.pg_index x
  join pg_catalog.pg_class i on i.oid = x.indexrelid
  cross join generate_series(0, x.indnkeyatts - 1) k
  join pg_catalog.pg_opclass o on o.oid = x.indclass[k]
  join pg_catalog.pg_amop p on p.amopfamily = o.opcfamily and p.amopopr = 'pg_catalog.@@(tsvector,tsquery)'::regoperator
  where x.indrelid = $1::text::oid and x.indisvalid and x.indisready and x.indpred is null
), served as materialized (
  select c.attnum, k.relname, null::name as cfgname
  from columns c join keys k on k.attnum = c.attnum
  where c.is_vector
  union all
  select c.attnum, k.relname, g.cfgname
  from columns c
  cross join configurations g
  join keys k on k.expression = pg_catalog.format('%s(%L::regconfig, %s)',
    split_part('pg_catalog.to_tsvector(regconfig,text)'::regprocedure::text, '(', 1), g.oid::regconfig, c.text_sql)
  where not c.is_vector
)
select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
  'column', c.attname,
  'indexes', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', s.relname, 'configuration', s.cfgname)
      order by s.relname, s.cfgname), '[]')
    from served s where s.attnum = c.attnum),
  'createIndex', case when c.can_index then
    pg_catalog.format('create index on %I.%I using gin (', c.nspname, c.relname) ||
    case when c.is_vector then pg_catalog.format('%I)', c.attname)
      else pg_catalog.format('to_tsvector(%L, %I))', d.configuration, c.attname) end end
  ) order by c.attnum), '[]')::text as list
from columns c
cross join (select coalesce((
  select g.cfgname from configurations g
  where g.cfgname = regexp_replace(current_setting('default_text_search_config'), '^pg_catalog\\.', '')), 'simple')) d (configuration)`;

/** Lists the text columns of a table in its order, with the indexes that serve a full-text search of each. */
async function loadTextSearch(
  database: Queryable,
  tableOid: number,
): Promise<readonly TextSearch[]> {
  const [row] = await database.query<{ list: string }>(textSearchSql, [String(tableOid)]);
  return JSON.parse(row?.list ?? "[]") as TextSearch[];
}
