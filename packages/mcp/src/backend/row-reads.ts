import {
  type DataAnswer,
  type DataEngine,
  type DataRequest,
  parseRequest,
  type RequestParts,
  readRequestOf,
  receiveRequest,
} from "@rowhouse/data";
import type { SnapshotStore } from "@rowhouse/db";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { inArguments } from "./argument-paths.ts";
import type { ResourceName, ToolCall } from "./tool-call.ts";

export interface RowReadDependencies {
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
}

/** A list. Each term has the syntax of a query of the Data API; the filter is JSON with exact numbers. */
export interface ListTerms {
  readonly fields?: readonly string[] | undefined;
  readonly where?: unknown;
  readonly search?: string | undefined;
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly count?: boolean | undefined;
}

/** An aggregation; the terms are those of the Data API. */
export interface AggregateTerms {
  readonly aggregate: readonly string[];
  readonly groupBy?: readonly string[] | undefined;
  readonly where?: unknown;
  readonly search?: string | undefined;
  readonly having?: unknown;
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** Rows as PostgreSQL wrote them. */
export interface RowsAnswer {
  /** A JSON array; its numbers have all their digits. */
  readonly data: string;
  /** The number of rows, if it is known without counting them. */
  readonly rows?: number | undefined;
  /** The cursor of the next page; absent after the last row. */
  readonly nextCursor?: string | undefined;
  readonly count?: number | undefined;
  /** The to-many relations that have more rows than the answer. */
  readonly more?: readonly string[] | undefined;
}

/**
 * Reads rows by one statement that proves the rights of the caller, as `POST …/query` does. Errors are those of the Data
 * API, with JSON pointers into the arguments of the tool as paths.
 */
export async function fetchRows(
  dependencies: RowReadDependencies,
  resource: ResourceName,
  terms: ListTerms,
  call: ToolCall,
): Promise<RowsAnswer> {
  const request = await parseQuery(dependencies, resource, listBody(terms), call);
  const answer = rowsOf(await dependencies.engine.answer(request, call.caller).catch(inArguments));
  // A page with a next one is full.
  const isFull = answer.nextCursor !== undefined && request.kind === "LIST";
  return isFull ? { ...answer, rows: request.limit } : answer;
}

/** Aggregates rows, like `fetchRows`. */
export async function fetchGroups(
  dependencies: RowReadDependencies,
  resource: ResourceName,
  terms: AggregateTerms,
  call: ToolCall,
): Promise<RowsAnswer> {
  const request = await parseQuery(dependencies, resource, aggregateBody(terms), call);
  return rowsOf(await dependencies.engine.answer(request, call.caller).catch(inArguments));
}

/** @throws AppError NOT_FOUND */
export async function fetchRow(
  { engine }: RowReadDependencies,
  { schema, name }: ResourceName,
  key: readonly string[],
  fields: readonly string[] | undefined,
  { caller }: ToolCall,
): Promise<RowsAnswer> {
  const target = { schema, name, kind: "ANY" } as const;
  const read = async () => engine.answer(readRequestOf(target, key, fields ?? null), caller);
  const { data, ...rest } = rowsOf(await read().catch(inArguments));
  return { ...rest, data: `[${data}]` };
}

function listBody({ orderBy, count, ...terms }: ListTerms): Record<string, unknown> {
  return withoutUndefined({
    ...terms,
    order_by: orderBy,
    count: count === true ? "exact" : undefined,
  });
}

function aggregateBody({ groupBy, orderBy, ...terms }: AggregateTerms): Record<string, unknown> {
  return withoutUndefined({ ...terms, group_by: groupBy, order_by: orderBy });
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** @throws AppError with the arguments of the tool as paths */
async function parseQuery(
  { snapshots }: RowReadDependencies,
  { schema, name }: ResourceName,
  data: Record<string, unknown>,
  { isAbandoned }: ToolCall,
): Promise<DataRequest> {
  const target = { schema, name, kind: "ANY" } as const;
  const parts: RequestParts = { target, id: null, method: "QUERY", query: "", data };
  const options = { etags: false, minimal: false, representation: false, ifMatch: null };
  const origin = { parts, options, timeZone: null, bodyBytes: 0, isTimed: false, isAbandoned };
  const parse = (settings: Settings) => receiveRequest(parseRequest, { ...origin, settings });
  const known = settingsOf(snapshots.peek() ?? (await snapshots.current()));
  try {
    return parse(known);
  } catch (error) {
    // The limits may have just been raised.
    const now = settingsOf(await snapshots.fresh());
    if (now === known) return inArguments(error);
    return Promise.resolve(now).then(parse).catch(inArguments);
  }
}

function rowsOf({ body, data }: DataAnswer): RowsAnswer {
  const rows = data ?? "[]";
  // The body is `{"data":…,"meta":{…}}`.
  const rest = (body ?? "").slice('{"data":'.length + rows.length + 1);
  const { meta } = JSON.parse(rest === "" ? "{}" : `{${rest}`) as {
    readonly meta?: Omit<RowsAnswer, "data">;
  };
  return { ...meta, data: rows };
}
