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
import { settingsOf } from "@rowhouse/settings";
import { writeExactJson, writeRowId } from "@rowhouse/wire";
import { inWriteArguments } from "./argument-paths.ts";
import type { ResourceName, ToolCall } from "./tool-call.ts";

export interface RowWriteDependencies {
  readonly database: Database;
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
}

/** A row, or the changes of one: JSON with exact numbers by field. */
export type RowValues = Readonly<Record<string, unknown>>;

/** The row with a key, or the rows that match a filter. */
export type WriteSelection =
  | {
      readonly key: readonly string[];
      /** The entity tag that the row must have. */
      readonly ifMatch?: string | undefined;
    }
  | {
      readonly where: RowValues;
      /** If more rows match, nothing is changed. */
      readonly maxAffected: number;
    };

/** Rows after a write, as PostgreSQL wrote them. */
export interface WrittenRows {
  /** A JSON array with the fields that the caller may read. */
  readonly data: string;
  readonly count: number;
  /** Whether an earlier call with the same key made the rows. */
  readonly isReplayed: boolean;
}

/**
 * Creates rows by one statement that proves the rights of the caller, as `POST` does. Errors are those of the Data API,
 * with JSON pointers into the arguments of the tool as paths.
 *
 * @throws AppError IDEMPOTENCY_CONFLICT if the key was used for other rows
 */
export async function insertRows(
  dependencies: RowWriteDependencies,
  resource: ResourceName,
  rows: readonly RowValues[],
  key: string,
  { caller }: ToolCall,
): Promise<WrittenRows> {
  const { database, engine } = dependencies;
  const parts = { ...nothing, method: "POST", data: rows } as const;
  const write = async () => {
    const request = await parseWrite<CreateRequest>(dependencies, resource, parts);
    return answerOnce(database, engine, request, caller, key);
  };
  const answer = await write().catch((error) => inWriteArguments(error, "rows"));
  return written(answer, rows.length);
}

/**
 * Changes rows, like `insertRows`.
 *
 * @param isDryRun whether the change is rolled back
 */
export async function changeRows(
  dependencies: RowWriteDependencies,
  resource: ResourceName,
  selection: WriteSelection,
  values: RowValues,
  isDryRun: boolean,
  call: ToolCall,
): Promise<WrittenRows> {
  const write = async () => {
    const parts = { ...partsOf(selection), method: "PATCH", data: values } as const;
    const request = await parseWrite<UpdateRequest>(dependencies, resource, parts);
    return change(dependencies, request, isDryRun, call);
  };
  return written(await write().catch((error) => inWriteArguments(error, "values")), 1);
}

/**
 * Deletes rows, like `insertRows`.
 *
 * @param isDryRun whether the deletion is rolled back
 * @returns the number of deleted rows
 */
export async function removeRows(
  dependencies: RowWriteDependencies,
  resource: ResourceName,
  selection: WriteSelection,
  isDryRun: boolean,
  call: ToolCall,
): Promise<number> {
  const write = async () => {
    const parts = { ...partsOf(selection), method: "DELETE" } as const;
    const request = await parseWrite<DeleteRequest>(dependencies, resource, parts);
    return change(dependencies, request, isDryRun, call);
  };
  const { affected } = await write().catch((error) => inWriteArguments(error, "values"));
  return affected ?? 0;
}

async function change(
  { database, engine }: RowWriteDependencies,
  request: UpdateRequest | DeleteRequest,
  isDryRun: boolean,
  { caller }: ToolCall,
): Promise<DataAnswer> {
  return isDryRun
    ? rehearseWrite(database, engine, request, caller)
    : engine.answer(request, caller);
}

/** The parts of a write besides its target. */
type WriteParts = Pick<RequestParts, "method" | "id" | "query" | "data"> & {
  readonly ifMatch: readonly string[] | null;
};

const nothing = { id: null, query: "", ifMatch: null } as const;

/** @throws AppError NOT_FOUND for a key that no row can have, QUERY_INVALID */
function partsOf(selection: WriteSelection): Pick<WriteParts, "id" | "query" | "ifMatch"> {
  if ("key" in selection) {
    const { key, ifMatch } = selection;
    if (!key.every((value) => value.isWellFormed())) throw createError("NOT_FOUND");
    const id = writeRowId(key);
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
  { snapshots }: RowWriteDependencies,
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
