import type { Filter } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { DeepRequest } from "../parse/request.ts";
import type { AggregateResult } from "./aggregate-result.ts";
import {
  type GroupResult,
  havingOf,
  type ResultOrder,
  requireDistinct,
  resolveGroups,
  resultOrder,
} from "./group-results.ts";
import { type SortKey, sortKeys } from "./sort-keys.ts";
import type { Visible } from "./visible.ts";
import { type VisibleFilter, visibleFilter } from "./visible-filter.ts";

/** The rows of a to-many relation that a row shows, by the `deep` parameter for it. */
export interface RelatedRows {
  /** The path of the relation in the response, by which `deep` names it. */
  readonly path: string;
  readonly where: VisibleFilter | null;
  /** Empty for numbers of the rows. */
  readonly order: readonly SortKey[];
  /** Maximum number of rows or groups; null if the request gives none. */
  readonly limit: number | null;
  readonly hasOffset: boolean;
  /** Null for a list without cursors. */
  readonly page: RelatedPage | null;
}

/** A page of related rows. */
interface RelatedPage {
  /** For each value of the cursor, whether it is null: the columns that identify the parent row, then the order. Null for the first page. */
  readonly after: readonly boolean[] | null;
}

/** The numbers that take the place of a to-many relation's rows. */
export interface RelatedNumbers {
  readonly results: readonly AggregateResult[];
  /** Null for one group of all rows. */
  readonly groups: RelatedGroups | null;
}

export interface RelatedGroups {
  readonly groups: readonly GroupResult[];
  /** Its fields are positions in `groups`, followed by the results. */
  readonly having: Filter<number, never> | null;
  readonly order: readonly ResultOrder[];
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID for options that do not apply to rows */
export function relatedRows(
  target: Visible,
  path: string,
  deep: DeepRequest | undefined,
  own: number,
  depthMax: number,
): RelatedRows {
  const where = whereOf(target, deep, depthMax);
  if (deep === undefined) {
    const order = sortKeys([], target, { parameter: "deep", depthMax });
    return { path, where, order, limit: null, hasOffset: false, page: null };
  }
  const { limit, offset, isPaged, after } = deep;
  if (deep.groups.length > 0 || deep.having !== null) {
    const option = deep.groups.length > 0 ? "group_by" : "having";
    throw invalid(path, option, "This requires numbers of the relation in fields, such as count");
  }
  const parameter = `deep[${path}][order_by]`;
  const order = sortKeys(deep.order, target, { parameter, depthMax });
  if (after !== null && after.length !== own + order.length) {
    throw invalid(path, "cursor", "The table's key has changed");
  }
  const page = { after: after?.map((value) => value === null) ?? null };
  return { path, where, order, limit, hasOffset: offset > 0, page: isPaged ? page : null };
}

/** Returns the rows from which numbers are computed. */
export function countedRows(
  target: Visible,
  path: string,
  deep: DeepRequest | undefined,
  depthMax: number,
): RelatedRows {
  const { limit = null, offset = 0 } = deep ?? {};
  const where = whereOf(target, deep, depthMax);
  return { path, where, order: [], limit, hasOffset: offset > 0, page: null };
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID for options that do not apply to numbers */
export function relatedNumbers(
  target: Visible,
  path: string,
  deep: DeepRequest | undefined,
  results: readonly AggregateResult[],
  depthMax: number,
): RelatedNumbers {
  if (deep === undefined) return { results, groups: null };
  const { limit, offset, order, isPaged, having } = deep;
  if (isPaged) throw invalid(path, "cursor", "Numbers of related rows have no cursor");
  if (deep.groups.length === 0) {
    if (limit === null && offset === 0 && order.length === 0 && having === null) {
      return { results, groups: null };
    }
    const message =
      "Numbers of related rows take only a where, unless they are grouped by group_by";
    throw createError("QUERY_INVALID", { path: `deep[${path}]`, message });
  }
  const parameter = `deep[${path}][group_by]`;
  const groups = resolveGroups(target, deep.groups, { parameter, depthMax });
  const names = [...groups, ...results].map(({ name }) => name);
  requireDistinct(names, parameter);
  return {
    results,
    groups: {
      groups,
      having: havingOf(having, names),
      order: resultOrder(order, names, `deep[${path}][order_by]`),
    },
  };
}

function whereOf(
  target: Visible,
  deep: DeepRequest | undefined,
  depthMax: number,
): VisibleFilter | null {
  return deep?.where == null ? null : visibleFilter(deep.where, target, depthMax);
}

function invalid(path: string, option: string, message: string): Error {
  return createError("QUERY_INVALID", { path: `deep[${path}][${option}]`, message });
}
