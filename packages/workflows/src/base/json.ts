import { isExactNumber, writeExactJson } from "@rowhouse/wire";

/** A JSON object. Read its own keys only. */
export type JsonObject = { readonly [key: string]: unknown };

/** Returns whether `value` is a JSON object: neither a list nor an exact number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
  );
}

/** Sets an own key. Plain assignment of `__proto__` would set the prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Returns `value` with each leaf replaced by `map`; keys stay. */
export function mapLeaves(value: unknown, map: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, map));
  if (!isJsonObject(value)) return map(value);
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(result, key, mapLeaves(item, map));
  return result;
}

/** Returns JSON text with exact numbers; `undefined` becomes null. */
export function toJson(value: unknown): string {
  return value === undefined ? "null" : writeExactJson(value);
}

/** Returns whether the JSON of `value` is longer than about `max` characters. Stops counting there. */
export function exceedsSize(value: unknown, max: number): boolean {
  const { size, depth } = measure(value, max, depthCounted);
  return size > max || depth > depthCounted;
}

/** The size and the nesting depth of a value as JSON. */
export interface Measure {
  /** Approximate number of characters. */
  readonly size: number;
  /** Levels of nested objects and lists. */
  readonly depth: number;
}

/** A deeper value would exhaust the stack of recursive functions. */
const depthCounted = 1000;

/** Measures up to `sizeMax` and `depthMax`. A result above a limit only means that the value exceeds it. */
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
