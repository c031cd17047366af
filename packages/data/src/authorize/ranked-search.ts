import type { Condition } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { FieldPath } from "./resolve-path.ts";
import type { VisibleFilter } from "./visible-filter.ts";

/**
 * Returns the condition whose rank orders the rows that a filter selects: its only full-text search.
 *
 * @param where undefined for rows that have no rank
 * @param parameter the request parameter that orders the rows
 * @throws AppError QUERY_INVALID if there is not exactly one, or if it is a condition on many rows
 */
export function rankedSearch(
  where: VisibleFilter | null | undefined,
  parameter: string,
): Condition<FieldPath> {
  const invalid = (message: string) => createError("QUERY_INVALID", { path: parameter, message });
  if (where === undefined) throw invalid("_rank orders only the rows of a list");
  const [found, ...others] = where === null ? [] : [...searchesIn(where, true)];
  if (found === undefined || others.length > 0) {
    throw invalid("_rank requires exactly one _search in where");
  }
  const { condition, isOfRow } = found;
  if (isOfRow && condition.field.edges.every(({ edge }) => edge.kind === "ONE")) return condition;
  throw invalid("_rank requires a _search in a field of the row, or of a row that it refers to");
}

interface Found {
  readonly condition: Condition<FieldPath>;
  /** Whether the condition is on the row itself, and not on the rows of a quantifier or a count. */
  readonly isOfRow: boolean;
}

function* searchesIn(filter: VisibleFilter, isOfRow: boolean): Generator<Found> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      for (const inner of filter.filters) yield* searchesIn(inner, isOfRow);
      return;
    case "NOT":
      yield* searchesIn(filter.filter, isOfRow);
      return;
    case "QUANTIFIED":
    case "COUNTED":
      yield* searchesIn(filter.filter, false);
      return;
    case "CONDITION":
      if (filter.operator === "_search") yield { condition: filter, isOfRow };
      return;
    default:
      filter satisfies never;
  }
}
