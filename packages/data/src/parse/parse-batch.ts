import { AppError, createError, createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import { entityTagsOf } from "./headers.ts";
import { inBodyAt, ObjectReader } from "./object-reader.ts";
import { parseAddress } from "./parse-request.ts";
import { noOptions } from "./query-parameters.ts";
import type { RequestOptions, RequestParts } from "./request.ts";

/** Maximum number of writes in one batch. */
export const batchMax = 100;

/** One write of a batch: the parts of its own request, in which each reference is null or a placeholder. */
export interface ParsedBatchWrite {
  readonly parts: RequestParts;
  readonly options: RequestOptions;
  readonly references: readonly Reference[];
}

/** The write, or its error with paths within the write. */
export type ParsedWrite = ParsedBatchWrite | AppError;

const members = ["method", "path", "ifMatch", "data"];
const methods = ["POST", "PATCH", "DELETE"] as const;

/**
 * Parses the body of a batch. The faults of one write do not hide those of the others.
 *
 * @throws AppError BODY_INVALID unless `data` is a list of 1 to 100 writes
 */
export function parseBatch(data: unknown, minimal: boolean): ParsedWrite[] {
  if (!Array.isArray(data) || data.length === 0 || data.length > batchMax) {
    const message = `A batch is a list of 1 to ${batchMax} writes`;
    throw createError("BODY_INVALID", { path: "/data", message });
  }
  return data.map((write: unknown) => {
    try {
      return parseWrite(write, minimal);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
}

function parseWrite(input: unknown, minimal: boolean): ParsedBatchWrite {
  const faults: Fault[] = [];
  const reader = new ObjectReader(input, inBodyAt(""), members, faults);
  const method = methods.find((each) => each === reader.any("method"));
  if (method === undefined) {
    const message = "method must be POST, PATCH or DELETE";
    faults.push(createFault("BODY_INVALID", { path: "/method", message }));
  }
  const path = reader.text("path");
  if (!reader.has("path")) {
    faults.push(createFault("BODY_INVALID", { path: "/path", message: "path is required" }));
  }
  const hasData = reader.has("data");
  if (method !== undefined && hasData !== (method !== "DELETE")) {
    const message = hasData ? "DELETE takes no data" : "data is required";
    faults.push(createFault("BODY_INVALID", { path: "/data", message }));
  }
  const ifMatch = reader.text("ifMatch");
  const [first, ...rest] = faults;
  if (first !== undefined) throw new AppError([first, ...rest]);
  if (method === undefined || path === undefined) throw createError("BODY_INVALID");
  const mark = path.indexOf("?");
  const address = parseAddress(mark < 0 ? path : path.slice(0, mark));
  const key = referencesOfKey(address.id);
  const values = referencesOfData(reader.any("data"));
  if (ifMatch !== undefined && (method === "POST" || address.id === null)) {
    const message = "ifMatch applies to PATCH and DELETE of one row by its id";
    throw createError("BODY_INVALID", { path: "/ifMatch", message });
  }
  return {
    parts: {
      target: address.target,
      id: key.id,
      method,
      query: mark < 0 ? "" : path.slice(mark + 1),
      ...(hasData ? { data: values.data } : {}),
    },
    options: {
      ...noOptions,
      minimal,
      ifMatch: ifMatch === undefined ? null : tagsOf(ifMatch),
    },
    references: [...key.references, ...values.references],
  };
}

function tagsOf(text: string): readonly string[] {
  try {
    return entityTagsOf(text);
  } catch (error) {
    const message = 'ifMatch must be * or a list of entity tags: "…"';
    throw createError("BODY_INVALID", { path: "/ifMatch", message, cause: error });
  }
}

function referencesOfKey(id: string | null): {
  readonly id: string | null;
  readonly references: readonly Reference[];
} {
  if (id === null) return { id, references: [] };
  const references: Reference[] = [];
  const segments = id.split(",").map((segment, position) => {
    const found = readKeyReference(segment);
    if (found === undefined) return segment;
    references.push({ ...found, place: { kind: "KEY", position }, path: "/path" });
    return "0";
  });
  return { id: segments.join(","), references };
}

function referencesOfData(data: unknown): {
  readonly data: unknown;
  readonly references: readonly Reference[];
} {
  const references: Reference[] = [];
  const rowOf = (input: unknown, row: number, pointer: string): unknown => {
    if (!isObject(input)) return input;
    const found = Object.entries(input).flatMap(([field, value]): [string, ReferenceText][] => {
      const text = readReference(value);
      return text === undefined ? [] : [[field, text]];
    });
    if (found.length === 0) return input;
    for (const [field, text] of found) {
      const path = `${pointer}/${escapePointer(field)}`;
      references.push({ ...text, place: { kind: "VALUE", row, field }, path });
    }
    const replaced = new Map(found);
    // `fromEntries` also keeps a column that has the name of a prototype's member.
    return Object.fromEntries(
      Object.entries(input).map(([field, value]) => [field, replaced.has(field) ? null : value]),
    );
  };
  const replaced = Array.isArray(data)
    ? data.map((row: unknown, index) => rowOf(row, index, `/data/${index}`))
    : rowOf(data, 0, "/data");
  return { data: replaced, references };
}

/** A value that an earlier write of a batch gives: `{"$ref": "0.id"}`. */
export interface Reference {
  /** Position of the earlier write in its batch. */
  readonly write: number;
  /** The rest of the text: a field, or the position of a row in a list and its field. */
  readonly rest: string;
  /** Where the value belongs. */
  readonly place: ValuePlace | KeyPlace;
  /** JSON pointer within the write that has the reference. */
  readonly path: string;
}

interface ValuePlace {
  readonly kind: "VALUE";
  /** Position of the row; 0 unless the write has a list of rows. */
  readonly row: number;
  readonly field: string;
}

interface KeyPlace {
  readonly kind: "KEY";
  /** Position in the key. */
  readonly position: number;
}

type ReferenceText = Pick<Reference, "write" | "rest">;

/** Reads a value of a column; undefined unless it is a reference. Any other object is a value. */
function readReference(value: unknown): ReferenceText | undefined {
  if (!isObject(value)) return undefined;
  const { $ref: text } = value;
  if (typeof text !== "string" || Object.keys(value).length !== 1) return undefined;
  return splitReference(text);
}

/** Reads a raw segment of a key, `{0.id}`; undefined unless it is a reference. A literal brace is percent-encoded. */
function readKeyReference(segment: string): ReferenceText | undefined {
  if (!segment.startsWith("{") || !segment.endsWith("}")) return undefined;
  try {
    return splitReference(decodeURIComponent(segment.slice(1, -1)));
  } catch {
    return undefined;
  }
}

function splitReference(text: string): ReferenceText | undefined {
  const [, write, rest] = /^([0-9]{1,9})\.(.+)$/s.exec(text) ?? [];
  return write === undefined || rest === undefined ? undefined : { write: Number(write), rest };
}
