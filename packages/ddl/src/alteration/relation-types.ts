import type { Transaction } from "@rowhouse/db";
import { canReferTo } from "../probe-table.ts";
import type { AlterationDraft, DraftColumn } from "./draft.ts";

/** Refuses a type that does not match the other side of a foreign key from or to the column. */
export async function requireFittingRelations(
  draft: AlterationDraft,
  column: DraftColumn,
  dataType: string,
  path: string,
): Promise<void> {
  const { transaction, original } = draft;
  const refuse = (name: string): void =>
    draft.refuse(path, `The foreign key ${name} requires a matching type on its other side`);
  const lock = (schema: string, table: string): void => {
    draft.otherLocks.push({ schema, table, mode: "SHARE ROW EXCLUSIVE", work: "NONE" });
  };
  for (const key of draft.foreignKeys) {
    const at = key.columns.indexOf(column.name);
    if (at < 0) continue;
    const { targetSchema, targetTable, targetColumns } = key;
    const isOwn = targetSchema === draft.schema && targetTable === draft.name;
    const target = isOwn
      ? draft.columns.find((other) => other.name === targetColumns[at])?.dataType
      : await loadColumnType(transaction, targetSchema, targetTable, targetColumns[at]);
    // A foreign key of the column to itself fits any type.
    if (isOwn && targetColumns[at] === column.name) continue;
    if (target !== undefined && !(await canReferTo(transaction, dataType, target))) {
      refuse(key.name);
    }
    lock(targetSchema, targetTable);
  }
  const { attributeNumber } = column;
  const oldName = original.columns.find((known) => known.attributeNumber === attributeNumber)?.name;
  for (const key of draft.referencedBy) {
    const at = key.targetColumns.indexOf(oldName ?? "");
    if (oldName === undefined || at < 0) continue;
    const isOwn = key.schema === original.schema && key.table === original.name;
    const own = original.columns.find((known) => known.name === key.columns[at])?.attributeNumber;
    const type = isOwn
      ? draft.columns.find((other) => other.attributeNumber === own)?.dataType
      : await loadColumnType(transaction, key.schema, key.table, key.columns[at]);
    if (isOwn && own === attributeNumber) continue;
    if (type !== undefined && !(await canReferTo(transaction, type, dataType))) refuse(key.name);
    lock(key.schema, key.table);
  }
}

async function loadColumnType(
  transaction: Transaction,
  schema: string,
  table: string,
  column: string | undefined,
): Promise<string | undefined> {
  const [row] = await transaction.query<{ type: string }>(
    `select format_type(a.atttypid, a.atttypmod) as type
     from pg_catalog.pg_namespace n
     join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = $2::text
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = $3::text
     where n.nspname = $1::text`,
    [schema, table, column ?? ""],
  );
  return row?.type;
}
