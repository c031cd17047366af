import { createError } from "@rowhouse/errors";
import type { Relation } from "./catalogue/relation.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";

/** Returns the relation of a resource id in a request body; undefined for an unknown id. */
export function findRelation(
  snapshot: Pick<Snapshot, "catalogue">,
  id: string,
): Relation | undefined {
  return snapshot.catalogue.relationByResource(id.toLowerCase());
}

/** Returns the relation of a record that refers to it by a foreign key. */
export function requireRelation(snapshot: Pick<Snapshot, "catalogue">, id: string): Relation {
  const relation = findRelation(snapshot, id);
  if (relation === undefined) throw createError("NOT_FOUND");
  return relation;
}
