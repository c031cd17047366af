import { hash } from "node:crypto";
import { createError, escapePointer } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { meaningOfOrder } from "../authorize/sort-keys.ts";
import { cursorQueryOf, withMeaning, writeCursor } from "../execute/cursor.ts";
import { readTag, writtenTag } from "../execute/read-tag.ts";
import type { AnswerRow } from "../execute/run-statement.ts";
import type {
  CreateRequest,
  DataRequest,
  HistoryRequest,
  ListRequest,
  Selection,
  WriteRequest,
} from "../parse/request.ts";

/** A response independent of HTTP. The JSON that PostgreSQL built passes through as text. */
export interface DataAnswer {
  readonly status: 200 | 201 | 204;
  /** The whole body, or null without one. */
  readonly body: string | null;
  /** The rows or the row alone, as JSON; null if the response has none. */
  readonly data: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The number of rows that a DELETE removed. */
  readonly affected?: number;
}

/**
 * Builds the response from the result of the statement.
 *
 * @throws AppError NOT_FOUND if the requested row does not exist for this caller, PRECONDITION_FAILED if it has
 * changed, CONFLICT if more rows match than `max_affected` allows
 */
export function renderAnswer(
  request: DataRequest,
  row: AnswerRow,
  cursorKey: string,
  plan: AuthorizedPlan,
): DataAnswer {
  switch (request.kind) {
    case "LIST":
      return renderList(request, inOrderOf(plan, row), cursorKey);
    case "HISTORY":
      return ok(requireData(row), metaOf(nextPart(request, row, cursorKey)));
    case "AGGREGATE":
      return counted(row.count, ok(requireData(row), countMeta(row.count)));
    case "READ": {
      const data = requireData(row);
      const tag = row.tag ?? hash("md5", data);
      const meta = row.more?.length ? `,"meta":{${moreOf(row.more)}}` : "";
      const answer = ok(data, meta);
      // Other rows change without the row's own tag.
      const shown = plan.kind === "READ" && plan.projection.related.length > 0 ? answer.body : null;
      return { ...answer, headers: { ETag: readTag(tag, shown) } };
    }
    case "CREATE":
      if (row.data === null && request.conflict?.resolution === "ignore") return nothing;
      return tagged(renderCreated(request, requireData(row)), plan);
    case "UPDATE": {
      const affected = requireAffected(request.selection, row);
      if (request.minimal) return counted(affected, minimalOf(request));
      const data = requireData(row);
      return tagged(counted(affected, ok(data, countMeta(affected))), plan);
    }
    case "DELETE": {
      const affected = requireAffected(request.selection, row);
      const answer = request.representation
        ? { ...ok(requireData(row), countMeta(affected)), headers: preferenceApplied(request) }
        : nothing;
      return { ...counted(affected, answer), affected: affected ?? 1 };
    }
    default:
      return request satisfies never;
  }
}

/** Returns the header that names the preference of a write that its response follows. */
export function preferenceApplied(request: WriteRequest): Readonly<Record<string, string>> {
  if (request.kind !== "DELETE") {
    return request.minimal ? { "Preference-Applied": "return=minimal" } : {};
  }
  return request.representation ? { "Preference-Applied": "return=representation" } : {};
}

/** The header with the number of rows, for a response without a body. */
export const countHeader = "X-Service-Count";

function countMeta(count: string | number | null | undefined): string {
  return count == null ? "" : `,"meta":{"count":${count}}`;
}

function counted(count: string | number | null | undefined, answer: DataAnswer): DataAnswer {
  if (count == null) return answer;
  return { ...answer, headers: { ...answer.headers, [countHeader]: String(count) } };
}

const nothing: DataAnswer = { status: 204, body: null, data: null };

function minimalOf(request: WriteRequest): DataAnswer {
  return { ...nothing, headers: preferenceApplied(request) };
}

/** Adds the meaning of the order to the position of the next page. */
function inOrderOf(plan: AuthorizedPlan, row: AnswerRow): AnswerRow {
  if (plan.kind !== "LIST" || row.next == null) return row;
  return { ...row, next: withMeaning(row.next, meaningOfOrder(plan.order)) };
}

function renderList(request: ListRequest, row: AnswerRow, cursorKey: string): DataAnswer {
  const answer = ok(requireData(row), metaOf(listParts(request, row, cursorKey)));
  return counted(
    row.count,
    request.etags ? { ...answer, headers: { "Preference-Applied": "etags" } } : answer,
  );
}

function ok(data: string, meta: string): DataAnswer & { readonly body: string } {
  return { status: 200, body: `{"data":${data}${meta}}`, data };
}

function requireData({ data }: AnswerRow): string {
  if (data === null) throw createError("NOT_FOUND");
  return data;
}

function requireAffected(selection: Selection, row: AnswerRow): number | null {
  if (selection.by === "KEY") {
    if (row.stale === "true") throw createError("PRECONDITION_FAILED");
    requireFit(row);
    requireData(row);
    return null;
  }
  const affected = Number(row.affected ?? 0);
  if (affected > selection.affectedMax) {
    throw createError("CONFLICT", {
      path: "max_affected",
      message: `More rows match than max_affected allows (${selection.affectedMax}); the request changed nothing`,
    });
  }
  requireFit(row);
  return affected;
}

/** @throws AppError CONFLICT if a document does not take its change */
function requireFit({ unfit }: AnswerRow): void {
  if (unfit == null) return;
  throw createError("CONFLICT", {
    path: `/data/${escapePointer(unfit)}`,
    message: "The document, or a value on a path of the change, is not an object or is hidden",
  });
}

function renderCreated(request: CreateRequest, data: string): DataAnswer {
  if (request.minimal) return minimalOf(request);
  const rows = request.isList ? `[${linesInOrder(request, data).join(",")}]` : data;
  return { status: 201, body: `{"data":${rows}}`, data: rows };
}

/** Adds the entity tag of the one row that was written. */
function tagged(answer: DataAnswer, plan: AuthorizedPlan): DataAnswer {
  const tag = answer.data === null ? undefined : writtenTag(plan, answer.data);
  return tag === undefined ? answer : { ...answer, headers: { ...answer.headers, ETag: tag } };
}

/** Returns the rows in the order of the request. Groups with ignored rows follow at the end. */
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

function listParts(request: ListRequest, row: AnswerRow, cursorKey: string): string[] {
  const { count, more = [] } = row;
  const parts: string[] = more.length === 0 ? [] : [moreOf(more)];
  if (count != null) parts.push(`"count":${count}`);
  if (request.etags) parts.push(`"etags":${row.etags ?? "[]"}`);
  return [...parts, ...nextPart(request, row, cursorKey)];
}

/** The cursor of the next page; empty after the last, and for a caller in this process who takes the rows alone. */
function nextPart(
  request: ListRequest | HistoryRequest,
  { next }: AnswerRow,
  cursorKey: string,
): string[] {
  if (next == null || request.wholeLists === true) return [];
  return [`"nextCursor":"${writeCursor(next, cursorQueryOf(request), cursorKey)}"`];
}

function metaOf(parts: readonly string[]): string {
  return parts.length === 0 ? "" : `,"meta":{${parts.join(",")}}`;
}
