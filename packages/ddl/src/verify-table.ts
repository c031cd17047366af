import type { Queryable, Transaction } from "@rowhouse/db";
import { type AppError, createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { namedOidSql } from "./base/load-table-sql.ts";
import type { ForeignKeyTarget, GuardedTable, TypeReference } from "./guarded-table.ts";
import { canReferTo, findUnfitTexts, hasCertainDefaults, type TypeKind } from "./probe-table.ts";
import { requireSchema } from "./require-schema.ts";

/**
 * Checks a table against the database without creating it: schema, name, types, foreign keys, and whether each default
 * and check fits its columns. Its probes leave nothing in the transaction.
 *
 * @param isCreated whether the transaction creates the table next, which decides on all but the values of defaults
 * @throws AppError NOT_FOUND for the schema, CONFLICT for the name, otherwise every fault at its path
 */
export async function verifyTable(
  transaction: Transaction,
  schema: string,
  table: GuardedTable,
  isCreated = false,
): Promise<void> {
  await requireSchema(transaction, schema);
  await requireFreeName(transaction, schema, table.name);
  const references = table.columns.flatMap((column) => column.typeReferences);
  const types = await findTypes(transaction, references);
  // Stop here: a missing type would appear again as a fault of each text that uses it.
  throwFaults(unknownTypes(references, types));
  const badForeignKeys = await findBadForeignKeys(transaction, schema, table);
  if (isCreated && badForeignKeys.length === 0 && hasCertainDefaults(table, types)) return;
  throwFaults([...badForeignKeys, ...(await findUnfitTexts(transaction, table))]);
}

/** Returns the error for a name that is in use in its schema. */
export function nameTaken(cause?: unknown): AppError {
  const message = "This schema already contains an object with this name";
  return createError("CONFLICT", { path: "/data/name", message, cause });
}

/**
 * Requires that no object in the schema has this name.
 *
 * @throws AppError CONFLICT
 */
export async function requireFreeName(
  database: Queryable,
  schema: string,
  name: string,
): Promise<void> {
  // A table also creates a type with its name, so an existing type is a conflict as well. Postgres renames an array type
  // that is in the way.
  const [row] = await database.query(
    `select 1 from pg_catalog.pg_namespace n
     where n.nspname = $1::text and (
       exists (select 1 from pg_catalog.pg_class c where c.relnamespace = n.oid and c.relname = $2::text)
       or exists (select 1 from pg_catalog.pg_type t where t.typnamespace = n.oid and t.typname = $2::text
                  and not (t.typcategory = 'A' and t.typelem <> 0)))`,
    [schema, name],
    { prepare: true },
  );
  if (row !== undefined) throw nameTaken();
}

/** Distinguishes what could exist from what no database has. */
export const absence = { missing: true } as const;

/** Returns the types that do not exist in the database or that a definition may not use. */
export async function findUnknownTypes(
  database: Pick<Transaction, "asService">,
  references: readonly TypeReference[],
): Promise<Fault[]> {
  return unknownTypes(references, await findTypes(database, references));
}

/** Returns the types that a definition may use, with their kinds. */
async function findTypes(
  database: Pick<Transaction, "asService">,
  references: readonly TypeReference[],
): Promise<ReadonlyMap<string, TypeKind>> {
  if (references.length === 0) return new Map();
  const known = await database.asService.query<{ name: string; kind: TypeKind }>(
    `select r.name, t.typtype as kind from jsonb_array_elements_text($1::text::jsonb) r (name)
     join pg_catalog.pg_type t on t.oid = to_regtype(r.name)
     join pg_catalog.pg_namespace n on n.oid = t.typnamespace
     where t.typtype <> 'p' and n.nspname !~ '^pg_'::text
       and n.nspname not in ('information_schema', 'system', 'rowhouse_queue')`,
    [JSON.stringify([...new Set(references.map((reference) => reference.sql))])],
    { prepare: true },
  );
  return new Map(known.map(({ name, kind }) => [name, kind]));
}

function unknownTypes(
  references: readonly TypeReference[],
  known: ReadonlyMap<string, TypeKind>,
): Fault[] {
  return references
    .filter((reference) => !known.has(reference.sql))
    .map(({ path, place }) =>
      createFault("VALUE_INVALID", {
        path,
        message: "This type does not exist",
        details: { ...absence, ...place },
      }),
    );
}

async function findBadForeignKeys(
  transaction: Transaction,
  schema: string,
  table: GuardedTable,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { path, foreignKey: target, dataType } of table.columns) {
    if (target === null) continue;
    const names = { columns: [target.column], schema: target.schema, table: target.table };
    const found =
      target.schema === schema && target.table === table.name
        ? findOwnTarget(table, target)
        : await findTarget(transaction, names);
    const fieldOf = { table: "/targetTable", columns: "/targetColumn", whole: "" };
    const refuse = (field: keyof typeof fieldOf, message: string): void => {
      const at = `${path}/foreignKey${fieldOf[field]}`;
      const details = detailsOf(found);
      faults.push(createFault("VALUE_INVALID", { path: at, message, details }));
    };
    await requireFitting(transaction, [dataType], found, refuse);
  }
  return faults;
}

/** Returns the details of the fault of a foreign key's target. */
export function detailsOf(target: FoundTarget): typeof absence | undefined {
  return target === "NO_TABLE" ? absence : undefined;
}

/** Returns the fault of a foreign key's target, if it has one. */
export async function requireFitting(
  transaction: Transaction,
  types: readonly string[],
  target: FoundTarget,
  refuse: (field: "table" | "columns" | "whole", message: string) => void,
): Promise<void> {
  if (target === "NO_TABLE") return refuse("table", "This table does not exist");
  if (target === "NO_COLUMN") return refuse("columns", "The table has no such column");
  if (target === "NOT_UNIQUE") {
    return refuse("columns", "A foreign key must reference a primary key or a unique column");
  }
  for (const [index, type] of types.entries()) {
    if (await canReferTo(transaction, type, target.types[index] ?? "")) continue;
    refuse("whole", "The column's type differs from the type of the referenced column");
  }
}

export type FoundTarget = "NO_TABLE" | "NO_COLUMN" | "NOT_UNIQUE" | { readonly types: string[] };

function findOwnTarget(table: GuardedTable, target: ForeignKeyTarget): FoundTarget {
  const column = table.columns.find((candidate) => candidate.name === target.column);
  if (column === undefined) return "NO_COLUMN";
  const keys = table.columns.filter((candidate) => candidate.primaryKey);
  return column.primaryKey && keys.length === 1 ? { types: [column.dataType] } : "NOT_UNIQUE";
}

/** Returns the target of a foreign key. A definition may reference only tables that are resources. */
export async function findTarget(
  database: Queryable,
  target: { readonly schema: string; readonly table: string; readonly columns: readonly string[] },
): Promise<FoundTarget> {
  const [row] = await database.query<{ types: string; is_unique: boolean }>(
    `select f.types::text, exists (
       select 1 from pg_catalog.pg_index i
       where i.indrelid = r.relation_oid and i.indisunique and i.indisvalid and i.indimmediate
         and i.indpred is null and i.indexprs is null
         and (select pg_catalog.array_agg(k order by k) from pg_catalog.unnest(i.indkey[0:i.indnkeyatts - 1]) k) operator(pg_catalog.=) f.numbers) as is_unique
     from system.registrable_relations r
     cross join lateral (
       select pg_catalog.json_agg(format_type(a.atttypid, a.atttypmod) order by w.position) as types,
         pg_catalog.array_agg(a.attnum order by a.attnum) as numbers
       from jsonb_array_elements_text($3::text::jsonb) with ordinality w (name, position)
       left join pg_catalog.pg_attribute a
         on a.attrelid = r.relation_oid and a.attname = w.name and a.attnum > 0 and not a.attisdropped) f
     where r.schema_name = $1::text and r.relation_name = $2::text and r.kind = 'TABLE'
       and r.relation_oid = ${namedOidSql}`,
    [target.schema, target.table, JSON.stringify(target.columns)],
    { prepare: true },
  );
  if (row === undefined) return "NO_TABLE";
  const types = JSON.parse(row.types) as (string | null)[];
  const known = types.filter((type) => type !== null);
  if (known.length < types.length) return "NO_COLUMN";
  return row.is_unique ? { types: known } : "NOT_UNIQUE";
}
