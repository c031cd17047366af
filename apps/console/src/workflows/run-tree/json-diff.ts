import { writeJson } from "@rowhouse/client";
import { isJsonObject } from "../model/definition.ts";

/** A place at which two values differ. A missing value is undefined. */
interface JsonDifference {
  /** As a template names it: `values.cost`, `0.id`; empty for the whole value. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns where two values of JSON differ, in the order of the second one.
 *
 * @param max the largest number of differences
 */
export function diffJson(before: unknown, after: unknown, max = 200): JsonDifference[] {
  const found: JsonDifference[] = [];
  const visit = (one: unknown, other: unknown, path: string): void => {
    if (found.length >= max) return;
    const [left, right] = [entriesOf(one), entriesOf(other)];
    if (left === undefined || right === undefined || Array.isArray(one) !== Array.isArray(other)) {
      if (!isSame(one, other)) found.push({ path, before: one, after: other });
      return;
    }
    for (const key of new Set([...right.keys(), ...left.keys()])) {
      visit(left.get(key), right.get(key), path === "" ? key : `${path}.${key}`);
    }
  };
  visit(before, after, "");
  return found;
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((item, at) => [String(at), item as unknown]));
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return writeJson(one) === writeJson(other);
}
