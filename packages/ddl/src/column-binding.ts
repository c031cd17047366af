import type { Transaction } from "@rowhouse/db";
import type { Rebinding } from "./alteration/plan.ts";

/** Whether a column of a grant, the record `x`, belongs to the resource `$1`. */
export const grantedSql = `exists (select from system.grants g
    where g.id = x.grant_id and coalesce(x.path_resource_id, g.resource_id) = $1::text::uuid)`;

/** Binds what refers to a column of a table to another column of it. */
export async function bindToColumn(
  transaction: Transaction,
  resourceId: string,
  { from, to }: Rebinding,
): Promise<void> {
  for (const statement of bindingSql) await transaction.query(statement, [resourceId, from, to]);
}

const numberSql = (name: string) => `(select a.attnum from system.resources r
    join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attname = ${name}::text and not a.attisdropped
    where r.id = $1::text::uuid)`;
const [formerSql, nextSql] = [numberSql("$2"), numberSql("$3")];

const bindingSql = [
  `update system.grant_columns x set attribute_number = ${nextSql} where ${grantedSql} and x.attribute_number = ${formerSql}`,
  `update system.resource_columns set attribute_number = ${nextSql}
     where resource_id = $1::text::uuid and attribute_number = ${formerSql}`,
  `update system.reading_columns set attribute_number = ${nextSql}
     where path_resource_id = $1::text::uuid and attribute_number = ${formerSql}`,
  `update system.workflow_watches set column_numbers = pg_catalog.array_replace(column_numbers, ${formerSql}, ${nextSql})
     where resource_id = $1::text::uuid and ${formerSql} = any (column_numbers)`,
];
