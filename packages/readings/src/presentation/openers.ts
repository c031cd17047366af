import { arrayLiteral, type RecordFilter, schema, type Transaction } from "@rowhouse/db";
import { eq, inArray, sql } from "drizzle-orm";

/** The roles that can open each kind of record. */
const openerTables = { data_view: schema.dataViewRoles, dashboard: schema.dashboardRoles };

/** Records that roles can open. */
export type Openable = keyof typeof openerTables;

/** SQL for the ids of the roles that may open a record, as a JSON array. */
export function openers(kind: Openable, idSql: string): string {
  return `coalesce((select pg_catalog.json_agg(o.role_id order by o.role_id) from system.${kind}_roles o where o.${kind}_id = ${idSql}), '[]')`;
}

/** Restricts a list to the records that members of one of these roles may open; null for all records. */
export function openableBy(
  kind: Openable,
  idSql: string,
  roleIds: readonly string[] | null,
): RecordFilter {
  return {
    value: roleIds === null ? null : arrayLiteral(roleIds),
    sql: (value) => `exists (select 1 from system.${kind}_roles o
         where o.${kind}_id = ${idSql} and o.role_id = any (${value}::uuid[]))`,
  };
}

/** Sets the roles that may open a record; omits roles that were deleted after the validation. */
export async function replaceOpeners(
  { orm }: Transaction,
  kind: Openable,
  recordId: string,
  roleIds: readonly string[],
): Promise<void> {
  const { roles } = schema;
  const table = openerTables[kind];
  await orm.delete(table).where(eq(table.recordId, recordId));
  if (roleIds.length === 0) return;
  await orm.insert(table).select((query) =>
    query
      .select({ recordId: sql<string>`${recordId}::uuid`.as("record_id"), roleId: roles.id })
      .from(roles)
      .where(inArray(roles.id, [...roleIds]))
      .for("key share"),
  );
}

/** SQL for the text that lists are sorted by: the position, with as many digits as the largest has, and the name. */
export function navigationKey(alias: string): string {
  return `lpad(${alias}.position::text, ${String(positionMax).length}, '0') || ' ' || lower(${alias}.name)`;
}

/** The greatest position of a record in the navigation; the least is 0. */
export const positionMax = 1_000_000;
