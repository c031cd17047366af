import { createError } from "@rowhouse/errors";
import type { DataRequest } from "./request.ts";

/** An answer without its transport: the JSON that Postgres built passes through as text. */
export interface DataAnswer {
  readonly status: 200 | 201 | 204;
  /** The whole body, or null for none. */
  readonly body: string | null;
  /** The rows or row alone, as JSON; null for none. */
  readonly data: string | null;
}

/**
 * Stage 6.
 *
 * @throws AppError NOT_FOUND where the one row that was asked for is not there for this caller
 */
export function renderAnswer(
  request: DataRequest,
  data: string | null,
  count: string | null,
): DataAnswer {
  if (data === null) throw createError("NOT_FOUND");
  switch (request.kind) {
    case "LIST": {
      const meta = count === null ? "" : `,"meta":{"count":${count}}`;
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
