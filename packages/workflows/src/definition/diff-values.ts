import { escapePointer } from "@rowhouse/errors";
import { isJsonObject, toJson } from "../base/json.ts";

/** One difference between two JSON values. A null pointer means that there is no value on that side. */
export interface ValueChange {
  readonly from: string | null;
  readonly to: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns the differences between two JSON values, at the innermost level possible: objects key by key, lists of equal
 * length item by item. Numbers are compared as written: 1 and 1.0 differ.
 */
export function diffValues(before: unknown, after: unknown, pointer = ""): ValueChange[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...keys].flatMap((key) => {
      const own = `${pointer}/${escapePointer(key)}`;
      if (valueAt(before, key) === undefined) {
        const added = valueAt(after, key);
        return added === undefined ? [] : [{ from: null, to: own, before: null, after: added }];
      }
      const left = valueAt(after, key);
      return left === undefined
        ? [{ from: own, to: null, before: valueAt(before, key), after: null }]
        : diffValues(valueAt(before, key), left, own);
    });
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => diffValues(before[index], item, `${pointer}/${index}`));
  }
  if (toJson(before) === toJson(after)) return [];
  return [{ from: pointer, to: pointer, before, after }];
}

/** A key that JSON omits (`undefined`) does not exist. */
function valueAt(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
