import {
  answerOnce,
  type CreateRequest,
  type DataAnswer,
  type DataEngine,
  type DataRequest,
  type DeleteRequest,
  entityTagsOf,
  parseRequest,
  type RequestParts,
  receiveRequest,
  rehearseWrite,
  type UpdateRequest,
} from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { PortCall, ResourceName, RowWriter, WriteSelection, WrittenRows } from "@rowhouse/mcp";
import { settingsOf } from "@rowhouse/settings";
import { writeExactJson } from "@rowhouse/wire";
import { inWriteArguments } from "./argument-paths.ts";

interface RowWriterDependencies {
  readonly database: Database;
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
}

/** The parts of a write besides its target. */
type WriteParts = Pick<RequestParts, "method" | "id" | "query" | "data"> & {
  readonly ifMatch: readonly string[] | null;
};

/** Creates the writes of the tools: requests of the data engine, as `POST`, `PATCH` and `DELETE` make them. */
export function createRowWriter(dependencies: RowWriterDependencies): RowWriter {
  const { database, engine } = dependencies;
  const change = async (
    request: UpdateRequest | DeleteRequest,
    isDryRun: boolean,
    { caller }: PortCall,
  ): Promise<DataAnswer> =>
    isDryRun ? rehearseWrite(database, engine, request, caller) : engine.answer(request, caller);
  return {
    create: async (resource, rows, key, call) => {
      const parts = { ...nothing, method: "POST", data: rows } as const;
      const write = async () => {
        const request = await parseWrite<CreateRequest>(dependencies, resource, parts);
        return answerOnce(database, engine, request, call.caller, key);
      };
      const answer = await write().catch((error) => inWriteArguments(error, "rows"));
      return written(answer, rows.length);
    },
    update: async (resource, selection, values, isDryRun, call) => {
      const write = async () => {
        const parts = { ...partsOf(selection), method: "PATCH", data: values } as const;
        const request = await parseWrite<UpdateRequest>(dependencies, resource, parts);
        return change(request, isDryRun, call);
      };
      return written(await write().catch((error) => inWriteArguments(error, "values")), 1);
    },
    delete: async (resource, selection, isDryRun, call) => {
      const write = async () => {
        const parts = { ...partsOf(selection), method: "DELETE" } as const;
        const request = await parseWrite<DeleteRequest>(dependencies, resource, parts);
        return change(request, isDryRun, call);
      };
      const { affected } = await write().catch((error) => inWriteArguments(error, "values"));
      return affected ?? 0;
    },
  };
}

const nothing = { id: null, query: "", ifMatch: null } as const;

/** @throws AppError NOT_FOUND for a key that no row can have, QUERY_INVALID */
function partsOf(selection: WriteSelection): Pick<WriteParts, "id" | "query" | "ifMatch"> {
  if ("key" in selection) {
    const { key, ifMatch } = selection;
    if (!key.every((value) => value.isWellFormed())) throw createError("NOT_FOUND");
    const id = key.map(encodeURIComponent).join(",");
    return { ...nothing, id, ifMatch: ifMatch === undefined ? null : entityTagsOf(ifMatch) };
  }
  const where = writeExactJson(selection.where);
  const query = new URLSearchParams({ where, max_affected: String(selection.maxAffected) });
  return { ...nothing, query: query.toString() };
}

/**
 * Parses a write under the settings of this moment.
 *
 * @throws AppError with the parts of a request by HTTP as paths
 */
async function parseWrite<Request extends DataRequest>(
  { snapshots }: RowWriterDependencies,
  { schema, name }: ResourceName,
  { ifMatch, ...parts }: WriteParts,
): Promise<Request> {
  const target = { schema, name, kind: "TABLE" } as const;
  const settings = settingsOf(await snapshots.current());
  return receiveRequest(parseRequest, {
    parts: { ...parts, target },
    options: { etags: false, minimal: false, representation: false, ifMatch },
    ...{ timeZone: null, bodyBytes: 0, isTimed: false, settings },
  }) as Request;
}

/** @param count of the rows, unless the answer states it */
function written({ body, data, headers }: DataAnswer, count: number): WrittenRows {
  // A repeated answer has its body alone.
  const rows = data ?? (body === null ? "[]" : body.slice('{"data":'.length, -1));
  const rest = data === null || body === null ? "" : body.slice('{"data":'.length + rows.length);
  const { meta } = JSON.parse(rest.startsWith(",") ? `{${rest.slice(1)}` : "{}") as {
    readonly meta?: { readonly count?: number };
  };
  return {
    data: rows.startsWith("[") ? rows : `[${rows}]`,
    count: meta?.count ?? count,
    isReplayed: headers?.["Idempotency-Replayed"] === "true",
  };
}
