import { createError } from "@rowhouse/errors";
import { type CursorValues, cursorQueryOf, writeCursor } from "./cursor.ts";
import type { DataRequest, ListRequest } from "./request.ts";

/** An answer without its transport: the JSON that Postgres built passes through as text. */
export interface DataAnswer {
  readonly status: 200 | 201 | 204;
  /** The whole body, or null for none. */
  readonly body: string | null;
  /** The rows or row alone, as JSON; null for none. */
  readonly data: string | null;
}

/** What a statement gave. */
export interface AnswerRow {
  readonly data: string | null;
  readonly count?: string | null;
  /** The order keys of a list's last row, as a JSON array, where there may be more. */
  readonly next?: string | null;
}

/**
 * Stage 6.
 *
 * @throws AppError NOT_FOUND where the one row that was asked for is not there for this caller
 */
export function renderAnswer(request: DataRequest, row: AnswerRow, cursorKey: string): DataAnswer {
  const { data } = row;
  if (data === null) throw createError("NOT_FOUND");
  switch (request.kind) {
    case "LIST":
      return { status: 200, body: `{"data":${data}${metaOf(request, row, cursorKey)}}`, data };
    case "AGGREGATE": {
      const meta = row.count == null ? "" : `,"meta":{"count":${row.count}}`;
      return { status: 200, body: `{"data":${data}${meta}}`, data };
    }
    case "READ":
    case "UPDATE":
      return { status: 200, body: `{"data":${data}}`, data };
    case "CREATE":
      return { status: 201, body: `{"data":${data}}`, data };
    case "DELETE":
      return { status: 204, body: null, data: null };
    default:
      return request satisfies never;
  }
}

function metaOf(request: ListRequest, { count, next }: AnswerRow, cursorKey: string): string {
  const parts: string[] = [];
  if (count != null) parts.push(`"count":${count}`);
  if (next != null) {
    const values = JSON.parse(next) as CursorValues;
    parts.push(`"nextCursor":"${writeCursor(values, cursorQueryOf(request), cursorKey)}"`);
  }
  return parts.length === 0 ? "" : `,"meta":{${parts.join(",")}}`;
}
