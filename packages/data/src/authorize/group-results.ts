import type { DatePart } from "@rowhouse/access";
import { type Filter, type FilterResolver, plainPath, resolveFilter } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { GroupTerm, TimeUnit } from "../parse/parse-aggregate.ts";
import type { OrderTerm } from "../parse/request.ts";
import {
  type FieldPath,
  type PathOptions,
  resolveToOneValue,
  unknownField,
} from "./resolve-path.ts";
import type { Visible } from "./visible.ts";

/** A value by which rows are grouped. */
export interface GroupResult {
  readonly name: string;
  readonly path: FieldPath;
  readonly unit: TimeUnit | null;
  readonly part: DatePart | null;
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
  return terms.map(({ name, field, unit, part }) => ({
    ...{ name, unit, part },
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
