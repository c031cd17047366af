import { isExactNumber } from "@rowhouse/wire";
import { isObject } from "./object-reader.ts";

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

/** The write and the rest of a reference's text. */
export type ReferenceText = Pick<Reference, "write" | "rest">;

/** Reads a value of a column; undefined unless it is a reference. Any other object is a value. */
export function readReference(value: unknown): ReferenceText | undefined {
  if (!isObject(value) || isExactNumber(value)) return undefined;
  const { $ref: text } = value;
  if (typeof text !== "string" || Object.keys(value).length !== 1) return undefined;
  return splitReference(text);
}

/** Reads a raw segment of a key, `{0.id}`; undefined unless it is a reference. A literal brace is percent-encoded. */
export function readKeyReference(segment: string): ReferenceText | undefined {
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
