import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Relation } from "./catalogue/relation.ts";

/**
 * Whether a written row may change again before its transaction commits, after RETURNING has shown it: an AFTER trigger
 * with code of the database's users runs, or a foreign key passes the change of a column on to the same table, or to one
 * with such a trigger.
 *
 * @param columns those that an update changes
 */
export function isChangedAgain(
  { relations }: Pick<Catalogue, "relations">,
  relation: Relation,
  event: "INSERT" | "UPDATE",
  columns: readonly string[] = [],
): boolean {
  if (relation.codeAfter.includes(event)) return true;
  if (event === "INSERT") return false;
  const passed = new Set<string>();
  const changes = [{ oid: relation.oid, columns }];
  for (const change of changes) {
    for (const child of relations) {
      for (const {
        name,
        columns: own,
        targetOid,
        targetColumns,
        passesUpdates,
      } of child.foreignKeys) {
        const isPassed =
          passesUpdates &&
          targetOid === change.oid &&
          targetColumns.some((column) => change.columns.includes(column));
        if (!isPassed) continue;
        if (child.oid === relation.oid || child.codeAfter.includes("UPDATE")) return true;
        const key = `${child.oid} ${name}`;
        if (!passed.has(key)) changes.push({ oid: child.oid, columns: own });
        passed.add(key);
      }
    }
  }
  return false;
}
