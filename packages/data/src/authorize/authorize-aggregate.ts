import { mapExpression } from "../parse/expression.ts";
import type { AggregateRequest } from "../parse/request.ts";
import type { AggregateResult } from "./aggregate-result.ts";
import { rowConditions } from "./authorize-read.ts";
import type { Authorized, AuthorizedAggregate } from "./authorized-plan.ts";
import {
  havingOf,
  requireDistinct,
  requireToOne,
  resolveGroups,
  resultOrder,
} from "./group-results.ts";

/** @throws AppError FIELD_UNKNOWN, QUERY_INVALID */
export function authorizeAggregate(
  common: Authorized,
  request: AggregateRequest,
  depthMax: number,
): AuthorizedAggregate {
  const { read } = common;
  const groups = resolveGroups(read, request.groups, { parameter: "group_by", depthMax });
  const at = (field: string) => requireToOne(read, field, { parameter: "aggregate", depthMax });
  const aggregates = request.aggregates.map(
    ({ name, apply, field, expression }): AggregateResult => ({
      name,
      apply,
      path: field === null ? null : at(field),
      expression: expression && mapExpression(expression, at),
    }),
  );
  const names = [...groups, ...aggregates].map(({ name }) => name);
  requireDistinct(names, "aggregate");
  const conditions = rowConditions(request, read, depthMax);
  const having = havingOf(request.having, names);
  const order = resultOrder(request.order, names, "order_by");
  const { limit, count } = request;
  const page = { order, limit, count, hasOffset: request.offset > 0 };
  return { ...common, ...conditions, ...page, kind: "AGGREGATE", groups, aggregates, having };
}
