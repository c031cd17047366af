import type { JsonObject } from "../model/definition.ts";
import { pointerOf } from "../model/pointer.ts";

/** Returns an object in which a member has another name, at the same place. */
export function renameMember(object: JsonObject, name: string, next: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([one, value]) => [one === name ? next : one, value]),
  );
}

/** Returns a list with an item changed; undefined removes it. */
export function withItem(
  list: readonly unknown[],
  index: number,
  value: unknown,
): readonly unknown[] {
  if (value === undefined) return list.filter((_one, at) => at !== index);
  return list.map((one, at) => (at === index ? value : one));
}

/** Returns an object with some members changed; a member that becomes undefined is removed. The others keep their order. */
export function withMembers(object: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...object, ...changes }).filter(([, value]) => value !== undefined),
  );
}

/** Returns the JSON pointer of a member or an item. */
export function pointerTo(parent: string, key: string | number): string {
  return parent + pointerOf([String(key)]);
}
