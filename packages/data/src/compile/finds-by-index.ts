import type { Relation } from "@rowhouse/db";
import type { VisibleEdge } from "../authorize/visible.ts";

/**
 * Whether an index finds the related rows of one row: then it costs less to search for those of each row than to group
 * all of them. Texts that differ may be equal in the other table's collation, and would be groups of one row.
 *
 * @param own the relation of the row
 */
export function findsByIndex({ edge }: VisibleEdge, own: Relation): boolean {
  if (edge.foreignKey !== "TARGET") return true;
  const { target } = edge;
  const names = edge.columns.map(([, name]) => name);
  const key = target.foreignKeys.find(
    (each) =>
      each.targetOid === own.oid &&
      each.columns.length === names.length &&
      each.columns.every((name, at) => name === names[at]),
  );
  const isGroupable = names.every((name) => target.columnByName(name)?.type.folds === false);
  return key === undefined || key.isIndexed || !isGroupable;
}
