import type { Database, Queryable } from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { ForeignKeyTarget, GuardedTable, TypeReference } from "./guarded-table.ts";
import { canReferTo, findUnfitTexts } from "./probe-table.ts";
import { requireSchema } from "./require-schema.ts";

/**
 * Checks a table against the database without creating it: schema, name, types, foreign keys, and whether each default
 * and check fits its columns.
 *
 * @throws AppError NOT_FOUND for the schema, CONFLICT for the name, else every fault at its path
 */
export async function verifyTable(
  database: Database,
  schema: string,
  table: GuardedTable,
): Promise<void> {
  await requireSchema(database, schema);
  await requireFreeName(database, schema, table.name);
  const unknownTypes = await findUnknownTypes(
    database,
    table.columns.flatMap((column) => column.typeReferences),
  );
  // A type that does not exist would only repeat itself as a fault of every text beside it.
  throwFaults(unknownTypes);
  const badForeignKeys = await findBadForeignKeys(database, schema, table);
  throwFaults([...badForeignKeys, ...(await findUnfitTexts(database, table))]);
}

/** The answer for a name that is taken in its schema. */
export function nameTaken(cause?: unknown): Error {
  const message = "This schema already has something of this name";
  return createError("CONFLICT", { path: "/data/name", message, cause });
}

/**
 * Requires that nothing in the schema has this name.
 *
 * @throws AppError CONFLICT
 */
export async function requireFreeName(
  database: Queryable,
  schema: string,
  name: string,
): Promise<void> {
  // A table brings a type of its name, so a type may be in the way as well; an array type steps aside by itself.
  const [row] = await database.query(
    `select 1 from pg_catalog.pg_namespace n
     where n.nspname = $1::text and (
       exists (select 1 from pg_catalog.pg_class c where c.relnamespace = n.oid and c.relname = $2::text)
       or exists (select 1 from pg_catalog.pg_type t where t.typnamespace = n.oid and t.typname = $2::text
                  and not (t.typcategory = 'A' and t.typelem <> 0)))`,
    [schema, name],
  );
  if (row !== undefined) throw nameTaken();
}

/** The types that the database does not have, or not for an administrator's definitions. */
export async function findUnknownTypes(
  database: Queryable,
  references: readonly TypeReference[],
): Promise<Fault[]> {
  if (references.length === 0) return [];
  const known = await database.query<{ name: string }>(
    `select r.name from jsonb_array_elements_text($1::text::jsonb) r (name)
     join pg_catalog.pg_type t on t.oid = to_regtype(r.name)
     join pg_catalog.pg_namespace n on n.oid = t.typnamespace
     where t.typtype <> 'p' and n.nspname !~ '^pg_'
       and n.nspname not in ('information_schema', 'system', 'rowhouse_queue')`,
    [JSON.stringify([...new Set(references.map((reference) => reference.sql))])],
  );
  const names = new Set(known.map((row) => row.name));
  return references
    .filter((reference) => !names.has(reference.sql))
    .map(({ path }) => createFault("VALUE_INVALID", { path, message: "There is no such type" }));
}

async function findBadForeignKeys(
  database: Database,
  schema: string,
  table: GuardedTable,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const column of table.columns) {
    if (column.foreignKey === null) continue;
    const refuse = (field: string, message: string): void => {
      const path = `/data/columns/${column.index}/foreignKey${field}`;
      faults.push(createFault("VALUE_INVALID", { path, message }));
    };
    const target = column.foreignKey;
    const found =
      target.schema === schema && target.table === table.name
        ? findOwnTarget(table, target)
        : await findTarget(database, target);
    if (found === "NO_TABLE") refuse("/targetTable", "There is no such table");
    else if (found === "NO_COLUMN") refuse("/targetColumn", "The table has no such column");
    else if (found === "NOT_UNIQUE") {
      refuse("/targetColumn", "A foreign key refers to a primary key or a unique column");
    } else if (!(await canReferTo(database, column, found.type))) {
      refuse("", "The column's type differs from that of its target");
    }
  }
  return faults;
}

type Target = "NO_TABLE" | "NO_COLUMN" | "NOT_UNIQUE" | { readonly type: string };

function findOwnTarget(table: GuardedTable, target: ForeignKeyTarget): Target {
  const column = table.columns.find((candidate) => candidate.name === target.column);
  if (column === undefined) return "NO_COLUMN";
  const keys = table.columns.filter((candidate) => candidate.primaryKey);
  return column.primaryKey && keys.length === 1 ? { type: column.dataType } : "NOT_UNIQUE";
}

/** Only tables that are resources: others are not for an administrator's definitions. */
async function findTarget(database: Queryable, target: ForeignKeyTarget): Promise<Target> {
  const [row] = await database.query<{ type: string | null; is_unique: boolean }>(
    `select a.type, exists (
       select 1 from pg_catalog.pg_index i
       where i.indrelid = r.relation_oid and i.indisunique and i.indisvalid and i.indimmediate
         and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum) as is_unique
     from system.registrable_relations r
     left join lateral (
       select a.attnum, format_type(a.atttypid, a.atttypmod) as type from pg_catalog.pg_attribute a
       where a.attrelid = r.relation_oid and a.attname = $3::text and a.attnum > 0 and not a.attisdropped) a on true
     where r.schema_name = $1::text and r.relation_name = $2::text and r.kind = 'TABLE'`,
    [target.schema, target.table, target.column],
  );
  if (row === undefined) return "NO_TABLE";
  if (row.type === null) return "NO_COLUMN";
  return row.is_unique ? { type: row.type } : "NOT_UNIQUE";
}
