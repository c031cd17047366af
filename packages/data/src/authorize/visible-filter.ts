import type { Filter } from "@rowhouse/access";
import { type FilterResolver, resolveFilter } from "@rowhouse/access";
import {
  type FieldPath,
  type RelationPath,
  resolveField,
  resolveRelation,
} from "./resolve-path.ts";
import type { Visible } from "./visible.ts";

/** A filter whose every field and relation the principal may read. */
export type VisibleFilter = Filter<FieldPath, RelationPath>;

/**
 * Resolves the names in a caller's filter.
 *
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID as `resolveField` does
 */
export function visibleFilter(filter: Filter, visible: Visible, depthMax: number): VisibleFilter {
  return resolveFilter(filter, resolverOf(visible, depthMax));
}

function resolverOf(visible: Visible, depthMax: number): FilterResolver<FieldPath, RelationPath> {
  return {
    field: (name, parameter) => resolveField(visible, name, { parameter, depthMax }),
    relation: (name, parameter) => {
      const relation = resolveRelation(visible, name, { parameter, depthMax });
      return { relation, inner: resolverOf(relation.target, depthMax) };
    },
  };
}
