import { arrayLiteral, type Transaction } from "@rowhouse/db";

/** What roles may open. */
export type Openable = "data_view" | "dashboard";

/** The ids of the roles that may open a record, as a JSON array in SQL. */
export function openers(kind: Openable, idSql: string): string {
  return `coalesce((select json_agg(o.role_id order by o.role_id) from system.${kind}_roles o where o.${kind}_id = ${idSql}), '[]')`;
}

/** Sets which roles may open a record; one that has gone since it was looked at is left out. */
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
