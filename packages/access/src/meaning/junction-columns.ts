import type { Catalogue, Column, Edge, GrantColumnRecord, Relation } from "@rowhouse/db";
import { resolveGrantPath } from "./grant-path.ts";

/** A column of a junction that a path of a grant leads over. */
export interface JunctionColumn {
  /** The path to the target, and the position of the column among those of the two foreign keys: `tracks->2`. */
  readonly mention: string;
  readonly column: Column;
  readonly relation: Relation;
}

const mentionForm = /->[0-9]+$/;

/**
 * Returns the columns of every junction on a path. They are bound with the grant: the name of a junction's relation is
 * that of its target, so another junction could take the place of a dropped one.
 */
export function junctionColumns(edges: readonly Edge[]): JunctionColumn[] {
  return edges.flatMap((edge, index) => {
    if (edge.foreignKey !== "JUNCTION") return [];
    const { junction, near, far } = edge;
    const path = edges.slice(0, index + 1).map(({ name }) => name);
    const names = [...near.map(([, name]) => name), ...far.map(([name]) => name)];
    return names.flatMap((name, position): JunctionColumn[] => {
      const column = junction.columnByName(name);
      const mention = `${path.join(".")}->${position + 1}`;
      return column === undefined ? [] : [{ mention, column, relation: junction }];
    });
  });
}

export function isOfJunction(
  { mention, pathResourceId }: GrantColumnRecord,
  relation: Relation,
  catalogue: Catalogue,
): boolean {
  return (
    pathResourceId !== null &&
    mentionForm.test(mention) &&
    resolveGrantPath(catalogue, relation, mention) === undefined
  );
}

/** Returns the paths of a grant that lead over other junctions than when it was saved. */
export function junctionChanges(
  columns: readonly GrantColumnRecord[],
  relation: Relation,
  catalogue: Catalogue,
): { readonly usage: GrantColumnRecord["usage"]; readonly path: string }[] {
  const keyOf = (usage: string, mention: string) => `${usage} ${mention}`;
  const expected = new Map<string, JunctionColumn & Pick<GrantColumnRecord, "usage">>();
  for (const { usage, mention, pathResourceId } of columns) {
    const path =
      pathResourceId === null ? undefined : resolveGrantPath(catalogue, relation, mention);
    for (const found of junctionColumns(path?.edges ?? [])) {
      expected.set(keyOf(usage, found.mention), { usage, ...found });
    }
  }
  const lost = columns.filter((bound) => {
    if (!isOfJunction(bound, relation, catalogue)) return false;
    const key = keyOf(bound.usage, bound.mention);
    const now = expected.get(key);
    const isSame =
      now?.column.attributeNumber === bound.attributeNumber &&
      now.relation.resource.id === bound.pathResourceId;
    if (isSame) expected.delete(key);
    return !isSame;
  });
  return [...lost, ...expected.values()].map(({ usage, mention }) => ({
    usage,
    path: mention.replace(mentionForm, ""),
  }));
}
