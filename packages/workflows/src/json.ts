import { isExactNumber, writeExactJson } from "@rowhouse/json";

/** A JSON object, read by its own keys only. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether `value` is a JSON object: no list, and no number that kept its digits. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** Sets an own key, whatever its name. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** `value` with each string and each other leaf replaced by `map`; keys stay. */
export function mapLeaves(value: unknown, map: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map));
  if (!isJsonObject(value)) return map(value);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(result, key, mapLeaves(item, map));
  return result;
}

/** JSON text with exact numbers; `undefined` is null. */
export function toJson(value: unknown): string {
  return value === undefined ? "null" : writeExactJson(value);
}

/** Whether `value` as JSON is longer than about `max` characters; stops counting there. */
export function exceedsSize(value: unknown, max: number): boolean {
  let left = max;
  const count = (part: unknown): boolean => {
    left -= 8;
    if (typeof part === "string") left -= part.length;
    else if (Array.isArray(part)) return left < 0 || part.some(count);
    else if (isJsonObject(part)) {
      for (const [key, item] of Object.entries(part)) {
        left -= key.length;
        if (count(item)) return true;
      }
    }
    return left < 0;
  };
  return count(value);
}

/** About how many characters `value` has as JSON, counted no further than `max`. */
export function sizeOf(value: unknown, max: number): number {
  if (typeof value === "string") return value.length + 8;
  let size = 8;
  const parts = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  for (const part of parts) {
    size += sizeOf(part, max - size);
    if (size > max) break;
  }
  return size;
}
