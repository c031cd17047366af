import { AppError, createError } from "@rowhouse/errors";
import { readAggregate } from "../parse/parse-aggregate.ts";
import type { AggregateResult } from "./aggregate-result.ts";
import { type PathOptions, resolveRelation, resolveToOne, unknownField } from "./resolve-path.ts";
import type { Visible, VisibleEdge } from "./visible.ts";

/** A number of the rows of a to-many relation: `trips.count`, `trips.sum(distance_km)`. */
export interface ChildNumber {
  /** The last one leads to many rows. */
  readonly edges: readonly VisibleEdge[];
  readonly result: AggregateResult;
}

/**
 * Resolves a path to a number of a to-many relation's rows; undefined for a text of another form.
 *
 * @throws AppError FIELD_UNKNOWN if the relation or the field is missing or hidden from the principal, QUERY_INVALID for a relation of one row and for
 * a path that is too deep or ambiguous
 */
export function resolveNumber(
  visible: Visible,
  path: string,
  options: PathOptions,
): ChildNumber | undefined {
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const term = readAggregate(path.slice(dot + 1));
    if (term === undefined) continue;
    const relation = path.slice(0, dot);
    const { edges, target } = named(path, options, () =>
      resolveRelation(visible, relation, options),
    );
    if (edges.at(-1)?.edge.kind !== "MANY") {
      const message = `${relation} is one row, so that ${term.apply} does not apply to it`;
      throw createError("QUERY_INVALID", { path: options.parameter, message });
    }
    const { name, apply, field } = term;
    if (field === null) return { edges, result: { name, apply, path: null, expression: null } };
    const at = within(target, path, field, edges, options);
    return { edges, result: { name, apply, path: at, expression: null } };
  }
  return undefined;
}

/** Resolves the field of the relation's rows from which the number is computed. */
function within(
  target: Visible,
  path: string,
  field: string,
  edges: readonly VisibleEdge[],
  options: PathOptions,
): NonNullable<AggregateResult["path"]> {
  const found = named(path, options, () => resolveToOne(target, field, options));
  if (found !== undefined && edges.length + found.edges.length <= options.depthMax) return found;
  const message =
    found === undefined
      ? `${field} crosses a to-many relation`
      : `A path crosses at most ${options.depthMax} relations`;
  throw createError("QUERY_INVALID", { path: options.parameter, message });
}

/** Names the whole path in the error for a part of it that is missing or hidden. */
function named<Result>(path: string, options: PathOptions, resolve: () => Result): Result {
  try {
    return resolve();
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === "FIELD_UNKNOWN";
    throw isUnknown ? unknownField(path, options.parameter) : error;
  }
}
