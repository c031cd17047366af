import type { Access } from "./evaluate-access.ts";
import { groupJson, groupRows } from "./evaluate-groups.ts";
import { asWritten, matchingRows } from "./evaluate-read.ts";
import { faultsOf } from "./faults.ts";
import type { AggregateRequest, Expected } from "./model.ts";
import { tableOf } from "./relations.ts";

const limitDefault = 50;

/** Computes the expected response of an aggregate: groups of the visible rows, over the values visible in them. */
export function expectedAggregate(request: AggregateRequest, access: Access): Expected {
  const table = tableOf(access.world, request.table);
  const faults = faultsOf(request, table, access);
  if (faults.length > 0 || table === undefined) return { kind: "REFUSED", codes: faults };
  const { search, limit, offset, count } = request;
  const where = asWritten(request);
  const results = groupRows(matchingRows({ where, search }, table, access), request, table, access);
  const start = offset ?? 0;
  const data = results.slice(start, start + (limit ?? limitDefault)).map(groupJson);
  const number = count ? results.length : undefined;
  const meta = count ? { meta: { count: number } } : {};
  return { kind: "BODY", status: 200, body: { data, ...meta }, count: number };
}
