import { quoteIdentifier, quoteQualified, type Transaction } from "@rowhouse/db";
import { attempt, rollBackTo } from "../base/attempt.ts";
import { withPlainPath } from "../base/transaction-settings.ts";
import type { TableState } from "../table-state.ts";

/**
 * Name of the empty copy of a table on which changes are tried. Only Postgres can decide which changes it accepts.
 */
export const trialTable = "pg_temp.rowhouse_trial";

/** Creates the copy, with everything of the table except its rows and its foreign keys. */
export async function createTrialTable(transaction: Transaction, table: TableState): Promise<void> {
  const source = quoteQualified(table.schema, table.name);
  await transaction.asService.query(
    `create temporary table rowhouse_trial (like ${source} including defaults including constraints including generated including identity)`,
  );
  const statements = table.keys.map(
    (key) =>
      `alter table ${trialTable} add constraint ${quoteIdentifier(key.name)} ${key.definition}`,
  );
  for (const statement of [...statements, ...(await loadIndexes(transaction, table))]) {
    // A statement that the copy cannot run is tried on the table itself.
    await attempt(transaction, async () => {
      await transaction.asService.query(statement);
    });
  }
}

/** The statements that create the indexes of the copy that belong to no constraint. */
async function loadIndexes(transaction: Transaction, table: TableState): Promise<string[]> {
  const rows = await withPlainPath(transaction, () =>
    transaction.query<{ statement: string }>(
      `select pg_catalog.format('create %sindex %I on ${trialTable} using %s', kind, name, substr(definition, length(beginning) + 1)) as statement
     from (
       select k.kind, i.relname as name, pg_get_indexdef(i.oid) as definition,
         pg_catalog.format('CREATE %sINDEX %I ON %s%I.%I USING ', upper(k.kind), i.relname,
           case when c.relkind = 'p' then 'ONLY ' else '' end, n.nspname, c.relname) as beginning
       from pg_catalog.pg_index x
       join pg_catalog.pg_class i on i.oid = x.indexrelid
       join pg_catalog.pg_class c on c.oid = x.indrelid
       join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       cross join lateral (select case when x.indisunique then 'unique ' else '' end as kind) k
       where x.indrelid = $1::text::oid
         and not exists (select 1 from pg_catalog.pg_constraint t where t.conindid = i.oid and t.contype in ('p', 'u', 'x'))
     ) d
     where starts_with(definition, beginning)`,
      [String(table.oid)],
    ),
  );
  return rows.map((row) => row.statement);
}

/** Returns the file of the copy on disk; a statement that rewrites the table changes it. */
export async function readTrialFile(transaction: Transaction): Promise<string> {
  const [row] = await transaction.query<{ file: string }>(
    `select pg_relation_filenode('${trialTable}'::regclass)::text as file`,
  );
  return row?.file ?? "";
}

/** A type and a default in the form in which PostgreSQL shows them. */
export interface NormalColumn {
  readonly dataType: string;
  readonly default: string | null;
  /** `Column.meaning` of a column of this type. */
  readonly meaning: string;
}

/**
 * Returns a type and a default in the form in which Postgres shows them, so that a change without an effect is
 * recognized.
 *
 * @param type passed the guard, as did the default
 * @returns undefined if a column cannot have them
 */
export async function normalizeColumn(
  transaction: Transaction,
  type: string,
  defaultExpression: string | null,
): Promise<NormalColumn | undefined> {
  let result: NormalColumn | undefined;
  const clause = defaultExpression === null ? "" : ` default (${defaultExpression})`;
  await transaction.query("savepoint rowhouse_normalize");
  await attempt(transaction, async () => {
    await transaction.asService.query(
      `create temporary table rowhouse_column (c ${type}${clause})`,
    );
    // A default of the right type may still fail when it is evaluated: 1 / 0.
    if (defaultExpression !== null) {
      await transaction.asService.query("insert into pg_temp.rowhouse_column default values");
    }
    await transaction.query("set local search_path = pg_catalog, pg_temp");
    const [row] = await transaction.query<{
      type: string;
      expression: string | null;
      meaning: string;
    }>(
      `select format_type(a.atttypid, a.atttypmod) as type, pg_get_expr(d.adbin, d.adrelid) as expression,
         system.column_meaning(a.atttypid, a.attcollation)::text as meaning
       from pg_catalog.pg_attribute a left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = 'pg_temp.rowhouse_column'::regclass and a.attnum = 1`,
    );
    if (row === undefined) return;
    result = { dataType: row.type, default: row.expression, meaning: row.meaning };
  });
  await rollBackTo(transaction, "rowhouse_normalize");
  return result;
}
