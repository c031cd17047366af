import { quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { compileForeignKey, type ForeignKeyText } from "../compile-create-table.ts";
import { detailsOf, type FoundTarget, findTarget, requireFitting } from "../verify-table.ts";
import type { TableChangeOf } from "./definition.ts";
import type { AlterationDraft } from "./draft.ts";
import type { RowCheck } from "./plan.ts";

/** Adds a foreign key over one or more columns. */
export async function planAddForeignKey(
  draft: AlterationDraft,
  change: TableChangeOf<"addForeignKey">,
  path: string,
): Promise<void> {
  const { columns, targetColumns, targetSchema, targetTable, onDelete, name } = change;
  if (columns.length !== targetColumns.length) {
    draft.refuse(`${path}/targetColumns`, "The number of columns must equal that of the key");
    return;
  }
  if (name !== undefined && draft.hasConstraint(name)) {
    draft.refuse(`${path}/name`, "The table already has a constraint with this name", "CONFLICT");
  }
  if (!draft.hasColumns(columns, `${path}/columns`)) return;
  draft.changedFields.add("foreignKeys");
  const key = {
    name: name ?? draft.nameConstraint(columns.join("_"), "fkey"),
    columns,
    schema: targetSchema,
    table: targetTable,
    targetColumns,
    onDelete: onDelete ?? "NO ACTION",
  };
  await addForeignKeyStep(draft, key, path, `${path}/targetTable`, `${path}/targetColumns`);
}

/** Adds the statement for a foreign key whose columns exist in the table. */
export async function addForeignKeyStep(
  draft: AlterationDraft,
  key: ForeignKeyText,
  path: string,
  tablePath: string,
  columnsPath: string,
): Promise<void> {
  const own = key.schema === draft.schema && key.table === draft.name;
  const target = own
    ? findOwnKey(draft, key.targetColumns)
    : await findTarget(draft.transaction, { ...key, columns: key.targetColumns });
  const types = key.columns.map(
    (name) => draft.columns.find((column) => column.name === name)?.dataType ?? "",
  );
  const paths = { table: tablePath, columns: columnsPath, whole: path };
  await requireFitting(draft.transaction, types, target, (field, message) =>
    draft.refuse(paths[field], message, undefined, detailsOf(target)),
  );
  const { onDelete } = key;
  const mustHave = draft.columns.filter(
    (column) => key.columns.includes(column.name) && !column.nullable,
  );
  if (onDelete === "SET NULL" && mustHave.length > 0) {
    draft.refuse(`${path}/onDelete`, "SET NULL requires nullable columns", "BODY_INVALID");
  }
  draft.foreignKeys.push({
    name: key.name,
    columns: key.columns,
    targetSchema: key.schema,
    targetTable: key.table,
    targetColumns: key.targetColumns,
    onDelete,
    onUpdate: "NO ACTION",
    validated: true,
  });
  if (!own) {
    const { schema, table } = key;
    draft.otherLocks.push({ schema, table, mode: "SHARE ROW EXCLUSIVE", work: "NONE" });
  }
  draft.addStep({
    compile: (table) => compileForeignKey(table, key),
    path,
    lock: "SHARE ROW EXCLUSIVE",
    work: "SCAN",
    // A temporary table cannot reference a permanent table.
    refusal: null,
    counts: [countOrphans(draft, key, own, path)],
  });
}

function findOwnKey(draft: AlterationDraft, columns: readonly string[]): FoundTarget {
  const found = columns.map((name) => draft.columns.find((column) => column.name === name));
  const types = found.flatMap((column) => (column === undefined ? [] : [column.dataType]));
  if (types.length < columns.length) return "NO_COLUMN";
  const isKey = draft.keys.some(
    (key) =>
      key.kind !== "EXCLUSION" &&
      key.columns.length === columns.length &&
      key.columns.every((name) => columns.includes(name)),
  );
  return isKey ? { types } : "NOT_UNIQUE";
}

/** Counts rows whose key columns all have values but reference no existing row. */
function countOrphans(
  draft: AlterationDraft,
  key: ForeignKeyText,
  own: boolean,
  path: string,
): RowCheck {
  const target = own ? `(${draft.rows})` : quoteQualified(key.schema, key.table);
  const given = key.columns.map((name) => `t.${quoteIdentifier(name)} is not null`);
  const pairs = key.columns.map(
    (name, index) =>
      `t.${quoteIdentifier(name)} = r.${quoteIdentifier(key.targetColumns[index] ?? "")}`,
  );
  return draft.countRows(
    path,
    "FOREIGN_KEY_VIOLATION",
    "Rows refer to rows that do not exist",
    `${given.join(" and ")} and not exists (select from ${target} as r where ${pairs.join(" and ")})`,
  );
}
