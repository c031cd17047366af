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
  const { size, depth } = measure(value, max, depthCounted);
  return size > max || depth > depthCounted;
}

/** The size of a value as JSON, and how deep it is nested. */
export interface Measure {
  /** Characters, about. */
  readonly size: number;
  /** Objects and lists within one another. */
  readonly depth: number;
}

/** Deeper values would exhaust the stack of whatever walks through them. */
const depthCounted = 1000;

/** Measures no further than `sizeMax` and `depthMax`: a measure above one of them says only that it is above. */
export function measure(value: unknown, sizeMax: number, depthMax = depthCounted): Measure {
  let size = 0;
  let deepest = 0;
  const count = (part: unknown, depth: number): void => {
    size += 8;
    if (typeof part === "string") size += part.length;
    else if (typeof part === "object" && part !== null && !isExactNumber(part)) {
      if (depth > deepest) deepest = depth;
      if (depth > depthMax) return;
      if (Array.isArray(part)) {
        for (const item of part) {
          if (size > sizeMax || deepest > depthMax) return;
          count(item, depth + 1);
        }
      } else {
        for (const [key, item] of Object.entries(part)) {
          if (size > sizeMax || deepest > depthMax) return;
          size += key.length;
          count(item, depth + 1);
        }
      }
    }
  };
  count(value, 1);
  return { size, depth: deepest };
}
