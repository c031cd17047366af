import {
  type DatePart,
  type Filter,
  type FilterResolver,
  plainPath,
  resolveFilter,
  wholeName,
} from "@rowhouse/access";
import { AppError, createError } from "@rowhouse/errors";
import { type Expression, mapExpression } from "../parse/expression.ts";
import {
  type AggregateFunction,
  type GroupTerm,
  type OrderTerm,
  readAggregate,
  readComputed,
  type TimeUnit,
} from "../parse/terms.ts";
import {
  type FieldPath,
  type PathOptions,
  relationsOn,
  resolveToOneValue,
  unknownField,
} from "./resolve-path.ts";
import type { Visible, VisibleEdge } from "./visible.ts";

/** A value by which rows are grouped. */
export interface GroupResult {
  readonly name: string;
  readonly path: FieldPath;
  readonly unit: TimeUnit | null;
  readonly part: DatePart | null;
  readonly isLabeled: boolean;
}

export interface ResultOrder {
  /** Position among the values of a group, followed by its aggregates. */
  readonly result: number;
  readonly descending: boolean;
  readonly nulls: "FIRST" | "LAST" | null;
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function resolveGroups(
  visible: Visible,
  terms: readonly GroupTerm[],
  options: PathOptions,
): readonly GroupResult[] {
  return terms.map(({ name, field, unit, part, isLabeled = false }) => ({
    ...{ name, unit, part, isLabeled },
    path: requireToOne(visible, field, options),
  }));
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID for a field of many rows */
export function requireToOne(visible: Visible, field: string, options: PathOptions): FieldPath {
  const path = resolveToOneValue(visible, field, options);
  if (path !== undefined) return path;
  throw createError("QUERY_INVALID", {
    path: options.parameter,
    message: `${plainPath(field)} crosses a to-many relation`,
  });
}

/** @throws AppError QUERY_INVALID for two results of one name */
export function requireDistinct(names: readonly string[], parameter: string): void {
  if (new Set(names).size === names.length) return;
  throw createError("QUERY_INVALID", {
    path: parameter,
    message: "Two results have one name; beside a field count, the number of rows is count(*)",
  });
}

/** Resolves the names of results in `having`; the results are already authorized. */
export function havingOf(
  filter: Filter | null,
  names: readonly string[],
): Filter<number, never> | null {
  return filter === null ? null : resolveFilter(filter, resultsOf(names));
}

function resultsOf(names: readonly string[]): FilterResolver<number, never> {
  return {
    field: (name, path) => positionOf(names, plainPath(name), path),
    relation: (name, path) => {
      throw unknownField(plainPath(name), path);
    },
  };
}

/** Resolves the names of results in an order. */
export function resultOrder(
  order: readonly OrderTerm[],
  names: readonly string[],
  parameter: string,
): readonly ResultOrder[] {
  return order.map(({ field, descending, nulls }) => ({
    result: positionOf(names, plainPath(field), parameter),
    descending,
    nulls,
  }));
}

function positionOf(names: readonly string[], name: string, path: string): number {
  const position = names.indexOf(name);
  if (position < 0) throw unknownField(name, path);
  return position;
}

/** A function over the values of a field in several rows. */
export interface AggregateResult {
  readonly name: string;
  readonly apply: AggregateFunction;
  /** Null for the number of rows, and for an expression. */
  readonly path: FieldPath | null;
  /** Computes the value of each row. */
  readonly expression: Expression<FieldPath> | null;
}

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
