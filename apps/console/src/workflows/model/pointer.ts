import { fieldOf, isJsonObject } from "./definition.ts";

/** Returns the keys of a JSON pointer (RFC 6901). */
export function keysOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the JSON pointer of keys. */
export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Whether a pointer is another one or points into its value. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** Returns the value at keys; undefined if there is none. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (Array.isArray(inner) ? inner[indexOf(key)] : fieldOf(inner, key)),
    value,
  );
}

/**
 * Returns a copy in which the value at keys is another one. Missing objects on the way are created; a value that has no
 * such place stays as it is.
 */
export function withValueAt(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    const index = indexOf(key);
    if (index < 0 || index >= value.length) return value;
    return value.with(index, withValueAt(value[index], rest, change));
  }
  if (value !== undefined && !isJsonObject(value)) return value;
  return { ...value, [key]: withValueAt(fieldOf(value, key), rest, change) };
}

/** Splits the pointer of a list's item into that of the list and the position. */
export function splitPointer(pointer: string): { readonly list: string; readonly index: number } {
  const slash = pointer.lastIndexOf("/");
  return { list: pointer.slice(0, slash), index: indexOf(pointer.slice(slash + 1)) };
}

function indexOf(key: string): number {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(key) ? Number(key) : -1;
}
