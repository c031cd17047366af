import { encode } from "../request/query.ts";
import type { KeyValue } from "../types/resource.ts";

/** A field of an earlier result of the same batch, instead of a value. */
export type Reference = { readonly $ref: string };

/** A row in which each value may be a reference. */
export type WithReferences<T> = { readonly [K in keyof T]: T[K] | Reference };

/** A key in which each value may be a reference. */
export type KeyWithReferences<K> = K extends readonly unknown[] ? WithReferences<K> : K | Reference;

/**
 * Refers to a field of an earlier result of the same batch.
 *
 * @param write position of the earlier write, from 0
 * @param row position in its result, if that is a list
 */
export function ref(write: number, field: string, row?: number): Reference {
  return { $ref: `${write}.${row === undefined ? "" : `${row}.`}${field}` };
}

/** Returns a key with references as a segment of a path, or undefined if it has none. */
export function keyWithReferences(key: unknown): string | undefined {
  const parts: readonly unknown[] = Array.isArray(key) ? key : [key];
  if (!parts.some(isReference)) return undefined;
  return parts
    .map((part) =>
      isReference(part) ? `{${encode(part.$ref)}}` : encode(String(part as KeyValue)),
    )
    .join(",");
}

function isReference(part: unknown): part is Reference {
  return typeof part === "object" && part !== null && "$ref" in part;
}
