import type { Column, Relation, Snapshot } from "@rowhouse/db";

/** Returns whether a column refers to a file by itself, by a foreign key to `system.files`. */
export function isFileColumn(
  { catalogue }: Pick<Snapshot, "catalogue">,
  relation: Relation,
  column: Column,
): boolean {
  return relation.foreignKeys.some(({ columns, targetOid, targetColumns }) => {
    if (columns.join() !== column.name || targetColumns.join() !== "id") return false;
    const target = catalogue.relationByOid(targetOid);
    return target?.schema === "system" && target.name === "files";
  });
}
