import type { Column } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { ListRequest, ReadRequest } from "../parse/request.ts";
import type {
  Authorized,
  AuthorizedList,
  AuthorizedRead,
  RowConditions,
} from "./authorized-plan.ts";
import { projectFields } from "./projection.ts";
import { sortKeys } from "./sort-keys.ts";
import type { Visible } from "./visible.ts";
import { visibleFilter } from "./visible-filter.ts";

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeList(
  common: Authorized,
  request: ListRequest,
  depthMax: number,
): AuthorizedList {
  const { fields, deep, limit, count, etags } = request;
  const { read } = common;
  const { projection, paths } = projectFields(read, fields, deep, depthMax);
  const conditions = rowConditions(request, read, depthMax);
  const options = { parameter: "order_by", depthMax };
  const order = sortKeys(request.order, read, options, conditions.where);
  const after = request.after?.map((value) => value === null) ?? null;
  if (after !== null && after.length !== order.length) {
    throw createError("QUERY_INVALID", { path: "cursor", message: "The table's key has changed" });
  }
  const page = { order, after, limit, count, etags, hasOffset: request.offset > 0 };
  return { ...common, ...conditions, ...page, kind: "LIST", projection, paths };
}

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeRead(
  common: Authorized,
  key: readonly Column[],
  { fields, deep }: ReadRequest,
  depthMax: number,
): AuthorizedRead {
  const { projection } = projectFields(common.read, fields, deep, depthMax);
  return { ...common, kind: "READ", projection, key, isWhole: fields === null && deep.size === 0 };
}

/**
 * Resolves the filter of a list or an aggregation.
 *
 * @throws AppError FIELD_UNKNOWN, QUERY_INVALID
 */
export function rowConditions(
  { where, search }: Pick<ListRequest, "where" | "search">,
  visible: Visible,
  depthMax: number,
): RowConditions {
  return { where: where === null ? null : visibleFilter(where, visible, depthMax), search };
}
