import { hash } from "node:crypto";
import { createError } from "@rowhouse/errors";
import { cursorQueryOf, writeCursor } from "../parse/cursor.ts";
import type {
  CreateRequest,
  CursorValues,
  DataRequest,
  ListRequest,
  Selection,
} from "../parse/request.ts";

/** An answer without its transport: the JSON that Postgres built passes through as text. */
export interface DataAnswer {
  readonly status: 200 | 201 | 204;
  /** The whole body, or null for none. */
  readonly body: string | null;
  /** The rows or row alone, as JSON; null for none. */
  readonly data: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The rows that a DELETE took. */
  readonly affected?: number;
}

/** What a statement gave. */
export interface AnswerRow {
  readonly data: string | null;
  /** Bytes of the data, also where it is withheld because it exceeds the limit. */
  readonly size?: string | null;
  /** The to-many relations of which a list has more rows than it shows. */
  readonly more?: readonly string[];
  readonly count?: string | null;
  /** The order keys of a list's last row, as a JSON array, where there may be more. */
  readonly next?: string | null;
  /** The row's entity tag, where `data` is only a part of the row. */
  readonly tag?: string | null;
  /** "true" where the row that was to change has another entity tag. */
  readonly stale?: string | null;
  /** The rows that a write to many found, up to one more than it may affect. */
  readonly affected?: string | null;
}

/**
 * Stage 6.
 *
 * @throws AppError NOT_FOUND where the one row that was asked for is not there for this caller, PRECONDITION_FAILED where
 * it has changed, CONFLICT where more rows match than may be affected
 */
export function renderAnswer(request: DataRequest, row: AnswerRow, cursorKey: string): DataAnswer {
  switch (request.kind) {
    case "LIST":
      return ok(requireData(row), metaOf(request, row, cursorKey));
    case "AGGREGATE":
      return ok(requireData(row), row.count == null ? "" : `,"meta":{"count":${row.count}}`);
    case "READ": {
      const data = requireData(row);
      const tag = row.tag ?? hash("md5", data);
      const meta = row.more?.length ? `,"meta":{${moreOf(row.more)}}` : "";
      return { ...ok(data, meta), headers: { ETag: `"${tag}"` } };
    }
    case "CREATE":
      if (row.data === null && request.conflict?.resolution === "ignore") return nothing;
      return renderCreated(request, requireData(row));
    case "UPDATE": {
      const affected = requireAffected(request.selection, row);
      if (request.minimal) return minimal;
      return ok(requireData(row), affected === null ? "" : `,"meta":{"count":${affected}}`);
    }
    case "DELETE":
      return { ...nothing, affected: requireAffected(request.selection, row) ?? 1 };
    default:
      return request satisfies never;
  }
}

const nothing: DataAnswer = { status: 204, body: null, data: null };

const minimal: DataAnswer = {
  ...nothing,
  headers: { "Preference-Applied": "return=minimal" },
};

function ok(data: string, meta: string): DataAnswer {
  return { status: 200, body: `{"data":${data}${meta}}`, data };
}

function requireData({ data }: AnswerRow): string {
  if (data === null) throw createError("NOT_FOUND");
  return data;
}

function requireAffected(selection: Selection, row: AnswerRow): number | null {
  if (selection.by === "KEY") {
    if (row.stale === "true") throw createError("PRECONDITION_FAILED");
    requireData(row);
    return null;
  }
  const affected = Number(row.affected ?? 0);
  if (affected > selection.affectedMax) {
    throw createError("CONFLICT", {
      path: "max_affected",
      message: `The matching rows are more than max_affected allows (${selection.affectedMax}); nothing was changed`,
    });
  }
  return affected;
}

function renderCreated(request: CreateRequest, data: string): DataAnswer {
  if (request.minimal) return minimal;
  const rows = request.isList ? `[${linesInOrder(request, data).join(",")}]` : data;
  return { status: 201, body: `{"data":${rows}}`, data: rows };
}

/** The rows of all groups in the order in which they were sent. Rows that were ignored are in none. */
function linesInOrder({ groups, rows }: CreateRequest, data: string): string[] {
  const lines: (string | undefined)[] = rows.map(() => undefined);
  const left: string[] = [];
  for (const [index, text] of (JSON.parse(data) as string[]).entries()) {
    const written = text === "" ? [] : text.split("\n");
    const positions = groups[index]?.positions ?? [];
    if (written.length < positions.length) {
      left.push(...written);
      continue;
    }
    for (const [at, position] of positions.entries()) lines[position] = written[at];
  }
  return [...lines.filter((line) => line !== undefined), ...left];
}

function moreOf(more: readonly string[]): string {
  return `"more":${JSON.stringify(more)}`;
}

function metaOf(request: ListRequest, row: AnswerRow, cursorKey: string): string {
  const { count, next, more = [] } = row;
  const parts: string[] = more.length === 0 ? [] : [moreOf(more)];
  if (count != null) parts.push(`"count":${count}`);
  if (next != null) {
    const values = JSON.parse(next) as CursorValues;
    parts.push(`"nextCursor":"${writeCursor(values, cursorQueryOf(request), cursorKey)}"`);
  }
  return parts.length === 0 ? "" : `,"meta":{${parts.join(",")}}`;
}
