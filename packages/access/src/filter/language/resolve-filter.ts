import { type Filter, fieldLocation, mapFields } from "./filter.ts";

/** The meaning of the names in a filter on the rows of one relation. */
export interface FilterResolver<Field, Relation> {
  /** @throws AppError if the field is missing or not visible to the caller */
  readonly field: (name: string, path: string) => Field;
  /** @throws AppError if the relation is missing or not visible to the caller */
  readonly relation: (
    name: string,
    path: string,
  ) => {
    readonly relation: Relation;
    /** For the conditions on the related rows. */
    readonly inner: FilterResolver<Field, Relation>;
  };
}

/**
 * Replaces the names in a filter by what they mean, in the order in which they were written.
 *
 * @throws AppError of the resolver
 */
export function resolveFilter<Field, Relation>(
  filter: Filter,
  resolver: FilterResolver<Field, Relation>,
): Filter<Field, Relation> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      return { ...filter, filters: filter.filters.map((inner) => resolveFilter(inner, resolver)) };
    case "NOT":
      return { ...filter, filter: resolveFilter(filter.filter, resolver) };
    case "QUANTIFIED":
    case "COUNTED": {
      const { relation, inner } = resolver.relation(filter.field, fieldLocation(filter));
      return { ...filter, field: relation, filter: resolveFilter(filter.filter, inner) };
    }
    case "CONDITION":
      return mapFields(
        filter,
        (name) => resolver.field(name, fieldLocation(filter)),
        (name) => resolver.field(name, filter.path),
      );
    default:
      return filter satisfies never;
  }
}
