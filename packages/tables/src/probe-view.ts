import {
  type Database,
  type PostgresFailure,
  type Queryable,
  readPostgresFailure,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isStatementsFault } from "./attempt.ts";
import { definitionPath, type GuardedView } from "./guarded-view.ts";
import { lockTimeout } from "./lock-timeout.ts";
import { findUnknownTypes } from "./verify-table.ts";
import { toViewError } from "./view-errors.ts";

/** A column as a view's definition gives it. */
export interface ProbedColumn {
  readonly name: string;
  /** With its modifier. */
  readonly type: string;
  readonly collation: string | null;
}

/** A view's or materialized view's columns by its OID (`$1`), in the form of `ProbedColumn`. */
export const columnsSql = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         (select c.collname from pg_catalog.pg_collation c where c.oid = a.attcollation) as collation
  from pg_catalog.pg_attribute a
  where a.attrelid = $1::text::oid and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/**
 * Tries a view as a temporary one, which is undone: what columns it has, and whether everything that it mentions is there
 * and allowed. Nothing of it is executed.
 *
 * @throws AppError with each fault at its path
 */
export async function probeView(database: Database, view: GuardedView): Promise<ProbedColumn[]> {
  throwFaults(await findUnknownTypes(database, view.references.types));
  throwFaults(await findUnknownRelations(database, view));
  const { columns, faults } = await tryView(database, view);
  throwFaults(faults);
  throwFaults(findUnknownIndexColumns(view, columns));
  return columns;
}

/** Only tables and views that are resources can be read, and none of the system schema. */
async function findUnknownRelations(database: Queryable, view: GuardedView): Promise<Fault[]> {
  const { relations } = view.references;
  if (relations.length === 0) return [];
  const known = await database.query<{ schema: string; name: string }>(
    `select r.schema_name as schema, r.relation_name as name from system.registrable_relations r
     join jsonb_to_recordset($1::text::jsonb) w (schema text, name text)
       on w.schema = r.schema_name and w.name = r.relation_name
     where r.schema_name <> 'system'`,
    [JSON.stringify(relations)],
  );
  const keyOf = (relation: { readonly schema: string; readonly name: string }): string =>
    JSON.stringify([relation.schema, relation.name]);
  const keys = new Set(known.map(keyOf));
  const unknown = new Map(
    relations.filter((relation) => !keys.has(keyOf(relation))).map((r) => [keyOf(r), r]),
  );
  return [...unknown.values()].map(({ schema, name }) =>
    createFault("EXPRESSION_INVALID", {
      path: definitionPath,
      message: `There is no table or view ${schema}.${name}`,
    }),
  );
}

class Undo extends Error {}

async function tryView(
  database: Database,
  view: GuardedView,
): Promise<{ columns: ProbedColumn[]; faults: Fault[] }> {
  const statement = `create temporary view rowhouse_probe as ${view.sql}`;
  let columns: ProbedColumn[] = [];
  let faults: Fault[] = [];
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      await transaction.query(statement);
      const [probe] = await transaction.query<{ oid: string }>(
        "select 'pg_temp.rowhouse_probe'::regclass::oid::text as oid",
      );
      const oid = probe?.oid ?? null;
      columns = await transaction.query<ProbedColumn>(columnsSql, [oid]);
      faults = (await transaction.query<{ name: string }>(forbiddenSql, [oid])).map(({ name }) =>
        createFault("EXPRESSION_INVALID", {
          path: definitionPath,
          message: `${name} is not allowed in a view: of your own functions, those that are declared IMMUTABLE are`,
        }),
      );
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return { columns, faults };
    const failure = readPostgresFailure(error);
    if (failure === undefined || !isStatementsFault(failure.code)) {
      throw toViewError(error, definitionPath);
    }
    const message = describeFailure(failure, statement);
    throw createError("EXPRESSION_INVALID", { path: definitionPath, message, cause: error });
  }
  return { columns, faults };
}

/**
 * What the stored rule rests on and may not: functions outside of pg_catalog that are not immutable, by themselves, behind
 * an operator or inside of an aggregate. Those of pg_catalog stand on the allowlist by name.
 */
const forbiddenSql = `
  with used as (
    select d.refclassid, d.refobjid from pg_catalog.pg_rewrite w
    join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
    where w.ev_class = $1::text::oid
  ), called as (
    select u.refobjid as oid from used u where u.refclassid = 'pg_proc'::regclass
    union
    select o.oprcode from used u join pg_catalog.pg_operator o on o.oid = u.refobjid
    where u.refclassid = 'pg_operator'::regclass
  ), worked as (
    select oid as named, oid from called
    union
    select c.oid, p.oid from called c join pg_catalog.pg_aggregate a on a.aggfnoid = c.oid
    cross join unnest(array[a.aggtransfn::oid, a.aggfinalfn::oid, a.aggcombinefn::oid, a.aggserialfn::oid,
      a.aggdeserialfn::oid, a.aggmtransfn::oid, a.aggminvtransfn::oid, a.aggmfinalfn::oid]) p (oid)
    where p.oid <> 0
  )
  select distinct format('%s.%s', n.nspname, f.proname) as name
  from worked w
  join pg_catalog.pg_proc p on p.oid = w.oid
  join pg_catalog.pg_proc f on f.oid = w.named
  join pg_catalog.pg_namespace n on n.oid = f.pronamespace
  where p.provolatile <> 'i' or n.nspname in ('system', 'rowhouse_queue', 'information_schema')
  order by 1`;

/** Sentences of ours; those of Postgres do not go out. */
const sentences: Readonly<Record<string, string>> = {
  "42601": "The definition does not fit together",
  "42P01": "There is no such table or view",
  "42703": "There is no such column",
  "42702": "Several columns have this name; write whose it is",
  "42701": "Two columns of the view have the same name",
  "42883": "There is no function or operator for values of these types",
  "42725": "Several functions fit; cast the arguments",
  "42803": "A column must be grouped, or stand in an aggregate",
  "42804": "The types do not fit together",
  "42846": "A value of this type cannot be cast like this",
  "42704": "There is no such type or collation",
  "42712": "Two tables have the same name; give one an alias",
  "42P10": "This column cannot be referred to here",
  "42P19": "The recursion is not one that Postgres allows",
  "42P20": "The window is not one that Postgres allows",
  "0A000": "Postgres does not support this form",
};

function describeFailure({ code, position }: PostgresFailure, statement: string): string {
  const sentence =
    sentences[code] ??
    (code.startsWith("22") ? "A constant does not fit its type" : undefined) ??
    "The database does not accept this definition";
  // The place is in our own text, made of the caller's.
  const rest = position === undefined ? "" : [...statement].slice(position - 1).join("");
  const near = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$.]|::)+|^[^\s\p{L}]{1,3}/u.exec(
    rest,
  )?.[0];
  return near === undefined ? sentence : `${sentence}, near ${near}`;
}

function findUnknownIndexColumns(view: GuardedView, columns: readonly ProbedColumn[]): Fault[] {
  const names = new Set(columns.map((column) => column.name));
  return (view.indexes ?? []).flatMap((index, at) =>
    index.columns.flatMap((name, column) =>
      names.has(name)
        ? []
        : [
            createFault("VALUE_INVALID", {
              path: `/data/indexes/${at}/columns/${column}`,
              message: "The view has no such column",
            }),
          ],
    ),
  );
}
