import type { Transaction } from "@rowhouse/db";
import { findResource } from "./registry.ts";

/** A column in whose place another one comes, by their names at that moment. */
export interface Rebinding {
  readonly from: string;
  readonly to: string;
}

/** Whether a column of a grant, the record `x`, belongs to the resource `$1`. */
const grantedSql = `exists (select from system.grants g
    where g.id = x.grant_id and coalesce(x.path_resource_id, g.resource_id) = $1::text::uuid)`;

/** Binds what refers to a column of a table to another column of it. */
export async function bindToColumn(
  transaction: Transaction,
  resourceId: string,
  { from, to }: Rebinding,
): Promise<void> {
  for (const statement of toColumnSql) await transaction.query(statement, [resourceId, from, to]);
}

const columnNumberSql = (name: string) => `(select a.attnum from system.resources r
    join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attname = ${name}::text and not a.attisdropped
    where r.id = $1::text::uuid)`;
const [formerSql, nextSql] = [columnNumberSql("$2"), columnNumberSql("$3")];

const toColumnSql = [
  `update system.grant_columns x set attribute_number = ${nextSql} where ${grantedSql} and x.attribute_number = ${formerSql}`,
  `update system.resource_columns set attribute_number = ${nextSql}
     where resource_id = $1::text::uuid and attribute_number = ${formerSql}`,
  `update system.reading_columns set attribute_number = ${nextSql}
     where path_resource_id = $1::text::uuid and attribute_number = ${formerSql}`,
  `update system.workflow_watches set column_numbers = pg_catalog.array_replace(column_numbers, ${formerSql}, ${nextSql})
     where resource_id = $1::text::uuid and ${formerSql} = any (column_numbers)`,
];

/**
 * Binds a record to another view, and what refers to columns to those of the same names. What named a column that the view
 * does not have goes, or names none: a filter then allows nothing until it is written again.
 *
 * @returns the OID of the view
 */
export async function bindAgain(
  transaction: Transaction,
  resourceId: string,
  view: { readonly schema: string; readonly name: string },
): Promise<string> {
  const newId = await findResource(transaction, view.schema, view.name);
  const [row] = await transaction.query<{ oid: string }>(
    `with gone as (delete from system.resources where id = $1::text::uuid returning relation_oid)
     select relation_oid::text as oid from gone`,
    [newId],
  );
  await transaction.query(
    `update system.resources set relation_oid = $2::text::oid, schema_name = $3::text, relation_name = $4::text
     where id = $1::text::uuid`,
    [resourceId, row?.oid ?? null, view.schema, view.name],
  );
  for (const statement of toViewSql) await transaction.query(statement, [resourceId]);
  return row?.oid ?? "";
}

/** The number of a column of the record `r` by the name that another record `x` keeps of it; null if there is none. */
const numberSql = `(select a.attnum from system.resources r
    join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attname = x.column_name and a.attnum > 0 and not a.attisdropped
    where r.id = $1::text::uuid)`;

const toViewSql = [
  `delete from system.grant_columns x where ${grantedSql} and x.usage = 'FIELD' and ${numberSql} is null`,
  `update system.grant_columns x set attribute_number = coalesce(${numberSql}, 0) where ${grantedSql}`,
  `delete from system.resource_columns x where x.resource_id = $1::text::uuid and ${numberSql} is null`,
  `update system.resource_columns x set attribute_number = ${numberSql} where x.resource_id = $1::text::uuid`,
  `delete from system.reading_columns x where x.path_resource_id = $1::text::uuid and ${numberSql} is null`,
  `update system.reading_columns x set attribute_number = ${numberSql} where x.path_resource_id = $1::text::uuid`,
];
