import { type AppError, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import { inBodyAt, ObjectReader } from "./object-reader.ts";
import { cursorWithOffset, deepMembers, offsetMax, readDeep, readFilter } from "./parse-deep.ts";
import { aggregateParameters, listParameters, refuseEtags } from "./parse-read.ts";
import { parseQuery, type RequestLimits, requireKnown } from "./query-parameters.ts";
import type { AggregateRequest, ListRequest, RequestOptions, RequestParts } from "./request.ts";
import {
  labelGroups,
  readAggregates,
  readCount,
  readFields,
  readGroupTerms,
  readOrderTerms,
} from "./terms.ts";
import { assembleAggregate, assembleList } from "./typed-read.ts";

/**
 * Parses `POST …/query`: the parameters of a list or an aggregation as members of the body. Lists of terms are arrays,
 * filters are objects, numbers are numbers.
 *
 * @throws AppError BODY_INVALID for a member of a wrong type, QUERY_INVALID as `parseListRequest` does; see `inBody`
 */
export function parseQueryBody(
  { target, query, data }: Pick<RequestParts, "target" | "query" | "data">,
  limits: RequestLimits,
  { etags }: Pick<RequestOptions, "etags">,
): ListRequest | AggregateRequest {
  throwFaults(requireKnown(parseQuery(query), [], []));
  const isAggregate = isObject(data) && ("aggregate" in data || "group_by" in data);
  if (etags) refuseEtags(isAggregate, target);
  const faults: Fault[] = [];
  const body = new ObjectReader(
    data,
    inBodyAt("/data"),
    isAggregate ? aggregateParameters : listParameters,
    faults,
  );
  const order = readOrderTerms(body.texts("order_by") ?? [], "order_by", faults);
  const limit =
    body.whole("limit", limits.limitMax) ?? Math.min(limits.limitDefault, limits.limitMax);
  const offset = body.whole("offset", offsetMax) ?? 0;
  const count = readCount(body.text("count"), countInvalid, faults);
  const search = body.text("search");
  const page = { order, limit, offset, count, search };
  if (isAggregate) {
    const terms = readGroupTerms(body.texts("group_by") ?? [], faults);
    const labels = { code: "BODY_INVALID", path: "/data/labels" } as const;
    const groups = labelGroups(terms, body.text("labels"), labels, faults);
    const aggregates = readAggregates(body.texts("aggregate") ?? ["count"], faults);
    throwFaults(faults);
    const where = readFilter(body.any("where"), inBodyAt("/data/where"), limits, []);
    const having = readFilter(body.any("having"), inBodyAt("/data/having"), limits, where.slots);
    const filters = { where: where.filter, having: having.filter, slots: having.slots };
    return assembleAggregate(target, { ...page, ...filters, groups, aggregates });
  }
  const fields = readFields(body.texts("fields"), faults);
  const cursor = body.text("cursor") ?? null;
  if (cursor !== null && body.has("offset")) faults.push(cursorWithOffset);
  throwFaults(faults);
  const where = readFilter(body.any("where"), inBodyAt("/data/where"), limits, []);
  const { deep, slots } = readDeep(body.any("deep"), inBodyAt("/data/deep"), limits, where.slots);
  const list = { fields, deep, where: where.filter, slots, cursor, etags };
  return assembleList(target, { ...page, ...list });
}

const countInvalid = { code: "BODY_INVALID", path: "/data/count" } as const;

const parameters: ReadonlySet<string> = new Set([...listParameters, ...aggregateParameters]);

const deepForm = new RegExp(`^deep\\[(.*?)\\](?:\\[(${deepMembers.join("|")})\\])?$`, "s");

/** Returns an error whose faults name members of the body where those of a list name parameters of the query. */
export function inBody(error: AppError): AppError {
  return error.mapFaults((fault) => {
    const { path } = fault;
    if (path === undefined) return fault;
    const [, relation, member] = deepForm.exec(path) ?? [];
    if (relation !== undefined) {
      const rest = member === undefined ? "" : `/${member}`;
      return { ...fault, path: `/data/deep/${escapePointer(relation)}${rest}` };
    }
    return parameters.has(path) ? { ...fault, path: `/data/${path}` } : fault;
  });
}
