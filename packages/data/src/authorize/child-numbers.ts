import { plainPath, wholeName } from "@rowhouse/access";
import { AppError, createError } from "@rowhouse/errors";
import { mapExpression } from "../parse/expression.ts";
import { readAggregate, readComputed } from "../parse/parse-aggregate.ts";
import type { AggregateResult } from "./aggregate-result.ts";
import { type PathOptions, relationsOn, resolveToOneValue, unknownField } from "./resolve-path.ts";
import type { Visible, VisibleEdge } from "./visible.ts";

/** A number of the rows of a to-many relation: `trips.count`, `trips.sum(distance_km)`. */
export interface ChildNumber {
  /** The last one leads to many rows. */
  readonly edges: readonly VisibleEdge[];
  readonly result: AggregateResult;
}

/**
 * Resolves a path to a number of a to-many relation's rows; undefined for a text of another form, and if the principal may not see the relation.
 *
 * @param path as `readPath` returns it
 * @throws AppError FIELD_UNKNOWN if the field is missing or hidden from the principal, QUERY_INVALID for a relation of one row and for a path that is
 * too long or too deep
 */
export function resolveNumber(
  visible: Visible,
  path: string,
  options: PathOptions,
): ChildNumber | undefined {
  for (const { steps, end } of relationsOn(visible, path, options).found) {
    const result = resolveResult(steps, path.slice(end + 1), path, options);
    if (result !== undefined) return { edges: steps, result };
  }
  return undefined;
}

/**
 * Resolves a number of the rows at the end of a path; undefined for a text of another form.
 *
 * @param path the whole path, for errors
 * @throws AppError as `resolveNumber` does
 */
export function resolveResult(
  edges: readonly VisibleEdge[],
  written: string,
  path: string,
  options: PathOptions,
): AggregateResult | undefined {
  const term = readTerm(wholeName(written) ?? written);
  const last = edges.at(-1);
  if (term === undefined || last === undefined) return undefined;
  const { name, apply, field, expression } = term;
  if (last.edge.kind !== "MANY") {
    const message = `${edges.map(({ edge }) => edge.name).join(".")} is one row, so that ${apply} does not apply to it`;
    throw createError("QUERY_INVALID", { path: options.parameter, message });
  }
  const at = (own: string) => within(last.target, path, own, edges, options);
  return {
    name,
    apply,
    path: field === null ? null : at(field),
    expression: expression && mapExpression(expression, at),
  };
}

function readTerm(written: string): ReturnType<typeof readAggregate> {
  return readComputed(written) ?? readAggregate(written);
}

/** Resolves the field of the relation's rows from which the number is computed. */
function within(
  target: Visible,
  path: string,
  field: string,
  edges: readonly VisibleEdge[],
  options: PathOptions,
): NonNullable<AggregateResult["path"]> {
  const found = named(path, options, () => resolveToOneValue(target, field, options));
  if (found !== undefined && edges.length + found.edges.length <= options.depthMax) return found;
  const message =
    found === undefined
      ? `${plainPath(field)} crosses a to-many relation`
      : `A path crosses at most ${options.depthMax} relations`;
  throw createError("QUERY_INVALID", { path: options.parameter, message });
}

/** Names the whole path in the error for a part of it that is missing or hidden. */
function named<Result>(path: string, options: PathOptions, resolve: () => Result): Result {
  try {
    return resolve();
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === "FIELD_UNKNOWN";
    throw isUnknown ? unknownField(plainPath(path), options.parameter) : error;
  }
}
