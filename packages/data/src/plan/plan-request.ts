import type { Catalogue, Column, Method, Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isOnlyComma } from "../parse/query-parameters.ts";
import { type DataRequest, rowIdOf, type Target } from "../parse/request.ts";

/** A request with its relation resolved. Its fields are still names; authorization resolves them. */
export interface Plan {
  readonly relation: Relation;
  /** The columns of the key by which the request names one row; empty if it names none. */
  readonly key: readonly Column[];
  readonly request: DataRequest;
}

const methods: Readonly<Record<DataRequest["kind"], Method>> = {
  LIST: "GET",
  AGGREGATE: "GET",
  READ: "GET",
  HISTORY: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};

/** Returns the method that a resource must expose for this kind of request. */
export function methodOf({ kind }: Pick<DataRequest, "kind">): Method {
  return methods[kind];
}

/**
 * Resolves the relation of a request and, if it names one row, the columns of the key.
 *
 * @throws AppError NOT_FOUND if the resource is missing or exposes no method, or if the id does not fit its primary
 * key
 */
export function planRequest(request: DataRequest, catalogue: Catalogue): Plan {
  const relation = requireRelation(request.target, catalogue);
  const id = rowIdOf(request);
  return { relation, key: id === null ? [] : keyOf(relation, id), request };
}

function requireRelation(target: Target, catalogue: Catalogue): Relation {
  const relation = catalogue.relationByName(target.schema, target.name);
  const isKnown =
    relation !== undefined &&
    (target.kind === "ANY" || relation.resource.kind === target.kind) &&
    relation.resource.exposedMethods.length > 0;
  if (!isKnown) throw createError("NOT_FOUND");
  return relation;
}

/**
 * Returns the primary key. A table without one has no rows by id, and an id must have as many values as the key has
 * columns. A segment of a path cannot be empty, so a comma alone is the id of an empty text.
 */
function keyOf(relation: Relation, id: readonly string[]): Column[] {
  const parts = relation.primaryKey.length;
  const isOfEmptyText = parts === 1 && isOnlyComma(id);
  if (parts === 0 || (parts !== id.length && !isOfEmptyText)) throw createError("NOT_FOUND");
  return relation.primaryKey.map((name) => {
    const column = relation.columnByName(name);
    if (column === undefined) throw createError("NOT_FOUND");
    return column;
  });
}
