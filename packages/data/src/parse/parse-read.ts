import { type Slot, splitTerms } from "@rowhouse/access";
import {
  type AppError,
  createError,
  escapePointer,
  type Fault,
  throwFaults,
} from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import { inBodyAt, memberOf, ObjectReader, objectSource } from "./object-reader.ts";
import { deepMembers, deepShape, parseDeep, readDeep } from "./parse-deep.ts";
import {
  formOfId,
  noOptions,
  type ParsedQuery,
  parseFilterParameter,
  parseId,
  parseQuery,
  parseWhole,
  type RequestLimits,
  requireKnown,
  shapeOf,
} from "./query-parameters.ts";
import {
  aggregateParameters,
  type ListSource,
  listParameters,
  readAggregation,
  readList,
} from "./read-list.ts";
import {
  queryFormOf,
  type ReadQuery,
  recallList,
  recallRead,
  rememberList,
} from "./remembered-requests.ts";
import type {
  AggregateRequest,
  ListRequest,
  ReadRequest,
  RequestOptions,
  RequestParts,
  Target,
} from "./request.ts";
import { readFields } from "./terms.ts";

/**
 * Parses `GET /api/{schema}/table/{table}` and `GET /api/{schema}/view/{name}`: a list or an aggregation of it. A list
 * that differs from an earlier one in its values alone is not parsed again.
 */
export function parseListRequest(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
  { etags }: Pick<RequestOptions, "etags"> = noOptions,
): ListRequest | AggregateRequest {
  const form = queryFormOf(target, rawQuery, etags);
  if (form === undefined) return parseWholeList(target, rawQuery, limits, etags);
  const known = recallList(form, limits);
  if (known !== undefined) return known;
  const request = parseWholeList(target, rawQuery, limits, etags);
  if (request.kind === "LIST") rememberList(form, limits, request);
  return request;
}

function parseWholeList(
  target: Target,
  rawQuery: string,
  limits: RequestLimits,
  etags: boolean,
): ListRequest | AggregateRequest {
  const query = parseQuery(rawQuery);
  const isAggregate = query.single.has("aggregate") || query.single.has("group_by");
  if (etags) refuseEtags(isAggregate, target);
  const { names, nested } = isAggregate ? aggregateParameters : listParameters;
  const source = querySource(query, limits, requireKnown(query, names, nested));
  return isAggregate
    ? readAggregation(target, source, limits)
    : readList(target, source, limits, etags);
}

function querySource(query: ParsedQuery, limits: RequestLimits, faults: Fault[]): ListSource {
  const { single } = query;
  return {
    faults,
    has: (name) => single.has(name),
    text: (name) => single.get(name),
    terms: (name) => termsOf(query, name),
    whole: (name, fallback, max) => parseWhole(single.get(name), name, fallback, max, faults),
    filter: (name, slots) => parseFilterParameter(query, name, limits, true, slots),
    deep: (slots) => parseDeep(query, limits, slots),
    placeOf: (path) => ({ code: "QUERY_INVALID", path }),
  };
}

/** @throws AppError QUERY_INVALID unless the list has rows that a write can name */
function refuseEtags(isAggregate: boolean, { kind }: Target): void {
  if (!isAggregate && kind === "TABLE") return;
  const message = "Prefer: etags applies to the rows of a table";
  throw createError("QUERY_INVALID", { path: "Prefer", message });
}

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
  const place = inBodyAt("/data");
  const { names } = isAggregate ? aggregateParameters : listParameters;
  const body = new ObjectReader(data, place, names, faults);
  const source = {
    ...objectSource(body, place, limits, faults),
    deep: (slots: readonly Slot[]) =>
      readDeep(body.any("deep"), memberOf(place, "deep"), limits, slots),
  };
  return isAggregate
    ? readAggregation(target, source, limits)
    : readList(target, source, limits, etags);
}

/** The parameters of the forms of a CSV file. */
export const fileParameters = ["references", "heads"] as const;

const parameters: ReadonlySet<string> = new Set([
  ...listParameters.names,
  ...aggregateParameters.names,
  ...fileParameters,
]);

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

/** Parses `GET …/{id}`. A query of an earlier request is not parsed again. */
export function parseReadRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  limits: RequestLimits,
): ReadRequest {
  const id = parseId(rawId);
  const keyLength = formOfId(id);
  const { kind, fields, deep, slots, shape } = recallRead(target, keyLength, rawQuery, limits, () =>
    parseReadQuery(target, keyLength, rawQuery, limits),
  );
  return { kind, target, id, fields, deep, slots, shape };
}

function parseReadQuery(
  target: Target,
  keyLength: number,
  rawQuery: string,
  limits: RequestLimits,
): ReadQuery {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["fields", "deep"], ["deep"]);
  const fields = readFields(termsOf(query, "fields"), faults);
  throwFaults(faults);
  const { deep, slots } = parseDeep(query, limits, []);
  const shape = shapeOf("READ", target, fields, deepShape(deep), keyLength);
  return { kind: "READ", fields, deep, slots, shape };
}

/** Splits a parameter at its commas; null if it is missing. */
function termsOf({ single }: ParsedQuery, name: string): string[] | null {
  const text = single.get(name);
  return text === undefined ? null : splitTerms(text);
}
