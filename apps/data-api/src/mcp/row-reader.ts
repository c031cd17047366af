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
import type {
  AggregateTerms,
  ListTerms,
  PortCall,
  ResourceName,
  RowReader,
  RowsAnswer,
} from "@rowhouse/mcp";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { inArguments } from "./argument-paths.ts";

interface RowReaderDependencies {
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
}

/** Creates the reads of the tools: requests of the data engine, as `POST …/query` makes them. */
export function createRowReader(dependencies: RowReaderDependencies): RowReader {
  const { engine } = dependencies;
  return {
    list: async (resource, terms, call) => {
      const request = await parseQuery(dependencies, resource, listBody(terms), call);
      const answer = rowsOf(await engine.answer(request, call.caller).catch(inArguments));
      // A page with a next one is full.
      const isFull = answer.nextCursor !== undefined && request.kind === "LIST";
      return isFull ? { ...answer, rows: request.limit } : answer;
    },
    aggregate: async (resource, terms, call) => {
      const request = await parseQuery(dependencies, resource, aggregateBody(terms), call);
      return rowsOf(await engine.answer(request, call.caller).catch(inArguments));
    },
    one: async ({ schema, name }, key, fields, call) => {
      const target = { schema, name, kind: "ANY" } as const;
      const read = async () => {
        const request = readRequestOf(target, key, fields ?? null);
        return engine.answer(request, call.caller);
      };
      const { data, ...rest } = rowsOf(await read().catch(inArguments));
      return { ...rest, data: `[${data}]` };
    },
  };
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
  { snapshots }: RowReaderDependencies,
  { schema, name }: ResourceName,
  data: Record<string, unknown>,
  { isAbandoned }: PortCall,
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
