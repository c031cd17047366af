import {
  type Queryable,
  quoteIdentifier,
  quoteLiteral,
  quoteQualified,
  readPostgresFailure,
  type Transaction,
} from "@rowhouse/db";
import { refreshRegistry } from "./base/registry.ts";
import { renameSql } from "./names/rename-sql.ts";
import { nameTaken } from "./verify-table.ts";

/** An enum type of users. */
export interface EnumType {
  readonly schema: string;
  readonly name: string;
  /** In their order. */
  readonly values: readonly string[];
}

/** Returns every enum type of users, in no order. */
export async function listEnumTypes(queryable: Queryable): Promise<EnumType[]> {
  const rows = await queryable.query<{ schema: string; name: string; values: string }>(
    `select n.nspname as schema, t.typname as name,
       pg_catalog.json_agg(e.enumlabel order by e.enumsortorder)::text as values
     from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
     join pg_catalog.pg_enum e on e.enumtypid = t.oid
     where n.nspname !~ '^pg_|^(information_schema|system|rowhouse_queue)$'::text
       and not exists (select from pg_catalog.pg_depend d
         where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
     group by n.nspname, t.typname`,
  );
  return rows.map(({ values, ...type }) => ({ ...type, values: JSON.parse(values) as string[] }));
}

/**
 * Creates an enum type.
 *
 * @throws AppError CONFLICT for a name that another type or a table has
 */
export async function createEnumType(
  transaction: Transaction,
  { schema, name, values }: EnumType,
): Promise<void> {
  const list = values.map(quoteLiteral).join(", ");
  try {
    await transaction.asService.query(
      `create type ${quoteQualified(schema, name)} as enum (${list})`,
    );
  } catch (error) {
    throw isTaken(error) ? nameTaken(error) : error;
  }
  await refreshRegistry(transaction);
}

type TypeName = Omit<EnumType, "values">;

/**
 * Gives an enum type another schema and name.
 *
 * @throws AppError CONFLICT for a name that another type or a table has
 */
export async function renameEnumType(
  transaction: Transaction,
  from: TypeName,
  to: TypeName,
): Promise<void> {
  try {
    for (const sql of renameSql("type", from, to)) await transaction.asService.query(sql);
  } catch (error) {
    throw isTaken(error) ? nameTaken(error) : error;
  }
  await refreshRegistry(transaction);
}

function isTaken(error: unknown): boolean {
  return ["42710", "42P07", "23505"].includes(readPostgresFailure(error)?.code ?? "");
}

/** Returns the statement that adds a value before another one, or at the end. */
export function addEnumValueSql(
  { schema, name }: TypeName,
  value: string,
  before: string | null,
): string {
  const place = before === null ? "" : ` before ${quoteLiteral(before)}`;
  return `alter type ${quoteQualified(schema, name)} add value ${quoteLiteral(value)}${place}`;
}

/** Adds values to an enum type. Until the transaction ends, no statement can use them. */
export async function addEnumValues(
  transaction: Transaction,
  type: TypeName,
  values: readonly { readonly value: string; readonly before: string | null }[],
): Promise<void> {
  for (const { value, before } of values) {
    await transaction.asService.query(addEnumValueSql(type, value, before));
  }
  await refreshRegistry(transaction);
}

/**
 * Runs work that sees enum types with other values, which it can use at once: values that are added to a type cannot be
 * used before the transaction ends. What the work makes with them must be gone when it ends. Types that do not exist are
 * created, and left to the end of the transaction.
 */
export async function withEnumTypes<Result>(
  transaction: Transaction,
  types: readonly EnumType[],
  work: () => Promise<Result>,
): Promise<Result> {
  const present = await listEnumTypes(transaction);
  const isPresent = (type: EnumType) =>
    present.some(({ schema, name }) => schema === type.schema && name === type.name);
  for (const type of types.filter((one) => !isPresent(one))) {
    const [schema] = await transaction.query(
      "select from pg_catalog.pg_namespace where nspname = $1::text",
      [type.schema],
    );
    // With "if not exists", it would need the privilege to create schemas.
    if (schema === undefined) {
      await transaction.asService.query(`create schema ${quoteIdentifier(type.schema)}`);
    }
    await createEnumType(transaction, type);
  }
  const named = types.filter(isPresent).map((type, index) => ({
    type: quoteQualified(type.schema, type.name),
    name: quoteIdentifier(type.name),
    values: type.values.map(quoteLiteral).join(", "),
    aside: `rowhouse aside ${index}`,
    schema: type.schema,
  }));
  for (const { type, values, aside } of named) {
    await transaction.asService.query(`alter type ${type} rename to ${quoteIdentifier(aside)}`);
    await transaction.asService.query(`create type ${type} as enum (${values})`);
  }
  const result = await work();
  for (const { type, name, aside, schema } of named) {
    await transaction.asService.query(`drop type ${type}`);
    await transaction.asService.query(
      `alter type ${quoteQualified(schema, aside)} rename to ${name}`,
    );
  }
  return result;
}

export function dropEnumTypeSql({ schema, name }: Omit<EnumType, "values">): string {
  return `drop type ${quoteQualified(schema, name)}`;
}

/** Drops a type that nothing uses. */
export async function dropEnumType(transaction: Transaction, type: TypeName): Promise<void> {
  await transaction.asService.query(dropEnumTypeSql(type));
  await refreshRegistry(transaction);
}
