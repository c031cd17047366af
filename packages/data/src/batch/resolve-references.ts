import { AppError, createError, type Fault } from "@rowhouse/errors";
import { exactNumberText, parseExactJson, writeExactJson } from "@rowhouse/wire";
import { isObject } from "../parse/object-reader.ts";
import type { CreateRequest, WriteRequest } from "../parse/request.ts";
import type { DataAnswer } from "../render/render-response.ts";
import type { PreparedWrite } from "./prepare-batch.ts";
import { type ResolvableReference, unknownField } from "./result-fields.ts";

/** The responses of the writes so far. A response is parsed at most once, when a reference names it. */
export class BatchAnswers {
  readonly all: DataAnswer[] = [];
  /** Reads the rows of a write again, by its position. */
  readonly again = new Map<number, (bytesMax: number) => Promise<DataAnswer>>();
  readonly #parsed = new Map<number, unknown>();
  readonly #bytesMax: number;
  #bytes = 0;

  /** @param bytesMax maximum size of the values of all references together */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The row or the list of rows in the response of a write; undefined without one. */
  dataOf(write: number): unknown {
    const data = this.all[write]?.data;
    if (data == null) return undefined;
    if (!this.#parsed.has(write)) this.#parsed.set(write, parseExactJson(data));
    return this.#parsed.get(write);
  }

  /**
   * Counts the value of a reference. Otherwise a small body could name a large value thousands of times.
   *
   * @throws AppError BODY_TOO_LARGE
   */
  count(value: unknown, path: string): void {
    this.#bytes += Buffer.byteLength(typeof value === "string" ? value : writeExactJson(value));
    if (this.#bytes <= this.#bytesMax) return;
    const message = `The values of all references have at most ${this.#bytesMax} bytes together (limits.body_bytes)`;
    throw createError("BODY_TOO_LARGE", { path, message });
  }
}

/**
 * Returns the request of a write with the values of its references.
 *
 * @throws AppError FIELD_UNKNOWN for a value that the response of the earlier write does not have; BODY_TOO_LARGE
 */
export function resolveReferences(
  { request, references }: PreparedWrite,
  answers: BatchAnswers,
): WriteRequest {
  if (references.length === 0) return request;
  const faults: Fault[] = [];
  const values = new Map<ResolvableReference, unknown>();
  for (const reference of references) {
    const value = valueIn(reference, answers.dataOf(reference.write));
    if (value === undefined) faults.push(unknownField(reference.path));
    else answers.count(value, reference.path);
    values.set(reference, value);
  }
  const [first, ...rest] = faults;
  if (first !== undefined) throw new AppError([first, ...rest]);
  return withKey(withValues(request, values), values);
}

/** Undefined if the response has no such row or field. */
function valueIn({ row, field }: ResolvableReference, data: unknown): unknown {
  const source: unknown = row === null ? data : Array.isArray(data) ? data[row] : undefined;
  return isObject(source) && Object.hasOwn(source, field) ? source[field] : undefined;
}

function withValues(
  request: WriteRequest,
  values: ReadonlyMap<ResolvableReference, unknown>,
): WriteRequest {
  const byRow = new Map<number, Map<string, unknown>>();
  for (const [{ place }, value] of values) {
    if (place.kind !== "VALUE") continue;
    const row = byRow.get(place.row) ?? new Map<string, unknown>();
    byRow.set(place.row, row.set(place.field, value));
  }
  if (byRow.size === 0) return request;
  const merged = (row: CreateRequest["rows"][number], position: number) =>
    new Map([...row, ...(byRow.get(position) ?? [])]);
  if (request.kind === "CREATE") return { ...request, rows: request.rows.map(merged) };
  if (request.kind === "UPDATE") return { ...request, values: merged(request.values, 0) };
  return request;
}

function withKey(
  request: WriteRequest,
  values: ReadonlyMap<ResolvableReference, unknown>,
): WriteRequest {
  const parts = new Map<number, string>();
  for (const [{ place }, value] of values) {
    if (place.kind === "KEY") parts.set(place.position, keyText(value));
  }
  if (parts.size === 0 || request.kind === "CREATE") return request;
  const { selection } = request;
  if (selection.by !== "KEY") return request;
  const id = selection.id.map((part, position) => parts.get(position) ?? part);
  return { ...request, selection: { ...selection, id } };
}

/** @throws AppError NOT_FOUND for a value that no key has */
function keyText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const digits = exactNumberText(value);
  if (digits === undefined) throw createError("NOT_FOUND");
  return digits;
}
