import { type Catalogue, type GrantRecord, keyOfEdge, type Snapshot } from "@rowhouse/db";
import { resolveGrantPath } from "./meaning/grant-path.ts";

/**
 * Returns the grants whose filter or check has a path that leads over other foreign keys in another catalogue of the same
 * tables, or that leads somewhere in one of the two only.
 */
export function movedGrants(
  { catalogue, grants }: Pick<Snapshot, "catalogue" | "grants">,
  after: Catalogue,
): GrantRecord[] {
  return grants.filter(({ resourceId, columns }) =>
    columns.some(
      ({ mention, pathResourceId }) =>
        pathResourceId !== null &&
        wayOf(catalogue, resourceId, mention) !== wayOf(after, resourceId, mention),
    ),
  );
}

/** Identifies the foreign keys and the column that a path leads to; undefined if it leads nowhere. */
function wayOf(catalogue: Catalogue, resourceId: string, path: string): string | undefined {
  const relation = catalogue.relationByResource(resourceId);
  const found = relation && resolveGrantPath(catalogue, relation, path);
  return found && [...found.edges.map(keyOfEdge), found.column.attributeNumber].join();
}
