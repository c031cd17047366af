import { arrayLiteral, type RecordFilter, type Transaction } from "@rowhouse/db";

/** Records that roles can open. */
export type Openable = "data_view" | "dashboard";

/** SQL for the ids of the roles that may open a record, as a JSON array. */
export function openers(kind: Openable, idSql: string): string {
  return `coalesce((select json_agg(o.role_id order by o.role_id) from system.${kind}_roles o where o.${kind}_id = ${idSql}), '[]')`;
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
  transaction: Transaction,
  kind: Openable,
  id: string,
  roleIds: readonly string[],
): Promise<void> {
  await transaction.query(`delete from system.${kind}_roles where ${kind}_id = $1::text::uuid`, [
    id,
  ]);
  await transaction.query(
    `insert into system.${kind}_roles (${kind}_id, role_id)
     select $1::text::uuid, r.id from system.roles r where r.id = any ($2::text::uuid[]) for key share`,
    [id, arrayLiteral(roleIds)],
  );
}
