import { type FilterResolver, resolveFilter } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import { mapExpression } from "../parse/expression.ts";
import type { AggregateRequest } from "../parse/request.ts";
import type { AggregateResult } from "./aggregate-result.ts";
import { rowConditions } from "./authorize-read.ts";
import type { Authorized, AuthorizedAggregate, GroupResult } from "./authorized-plan.ts";
import { type FieldPath, resolveToOne, unknownField } from "./resolve-path.ts";
import type { Visible } from "./visible.ts";

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeAggregate(
  common: Authorized,
  request: AggregateRequest,
  depthMax: number,
): AuthorizedAggregate {
  const { read } = common;
  const groups = request.groups.map(
    ({ name, field, unit, part }): GroupResult => ({
      name,
      unit,
      part,
      path: requireToOne(read, field, "group_by", depthMax),
    }),
  );
  const aggregates = request.aggregates.map(
    ({ name, apply, field, expression }): AggregateResult => ({
      name,
      apply,
      path: field === null ? null : requireToOne(read, field, "aggregate", depthMax),
      expression:
        expression &&
        mapExpression(expression, (path) => requireToOne(read, path, "aggregate", depthMax)),
    }),
  );
  const names = [...groups, ...aggregates].map(({ name }) => name);
  requireDistinct(names);
  const conditions = rowConditions(request, read, depthMax);
  const having = request.having === null ? null : resolveFilter(request.having, resultsOf(names));
  const order = request.order.map(({ field, descending, nulls }) => ({
    result: positionOf(names, field, "order_by"),
    descending,
    nulls,
  }));
  const { limit, count } = request;
  const page = { order, limit, count, hasOffset: request.offset > 0 };
  return { ...common, ...conditions, ...page, kind: "AGGREGATE", groups, aggregates, having };
}

function requireToOne(
  visible: Visible,
  field: string,
  parameter: string,
  depthMax: number,
): FieldPath {
  const path = resolveToOne(visible, field, { parameter, depthMax });
  if (path !== undefined) return path;
  throw createError("QUERY_INVALID", {
    path: parameter,
    message: `${field} crosses a to-many relation`,
  });
}

function requireDistinct(names: readonly string[]): void {
  if (new Set(names).size === names.length) return;
  throw createError("QUERY_INVALID", {
    path: "aggregate",
    message: "Two results have one name; beside a field count, the number of rows is count(*)",
  });
}

/** `having` names results, which are already authorized. */
function resultsOf(names: readonly string[]): FilterResolver<number, never> {
  return {
    field: (name, path) => positionOf(names, name, path),
    relation: (name, path) => {
      throw unknownField(name, path);
    },
  };
}

function positionOf(names: readonly string[], name: string, path: string): number {
  const position = names.indexOf(name);
  if (position < 0) throw unknownField(name, path);
  return position;
}
