import { encode } from "../request/query.ts";
import type { KeyValue } from "../types/resource.ts";

/** A field of an earlier result of the same batch, instead of a value. */
export type Reference<P extends string = string> = { readonly $ref: P };

/** A row in which each value may be a reference. P: the places that the references name */
export type WithReferences<T, P extends string = string> = {
  readonly [K in keyof T]: T[K] | Reference<P>;
};

/** A key in which each value may be a reference. */
export type KeyWithReferences<K, P extends string = string> = K extends readonly unknown[]
  ? WithReferences<K, P>
  : K | Reference<P>;

/**
 * Refers to a field of an earlier result of the same batch.
 *
 * @param write position of the earlier write, from 0
 * @param row position in its result, if that is a list
 */
export function ref<const W extends number, const F extends string>(
  write: W,
  field: F,
): Reference<`${W}.${F}`>;
export function ref<const W extends number, const F extends string, const I extends number>(
  write: W,
  field: F,
  row: I,
): Reference<`${W}.${I}.${F}`>;
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
