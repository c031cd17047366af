import { escapePointer } from "@rowhouse/errors";
import { isJsonObject, type JsonObject, toJson } from "../base/json.ts";
import type { Definition, Step } from "../definition/definition.ts";
import { branchesOf } from "./parse-definition.ts";

/** One difference between two definitions. `from` and `to` are JSON pointers into the first and the second one. */
export type DefinitionChange =
  /** A step without its inner steps, which have changes of their own. */
  | {
      readonly kind: "STEP_ADDED";
      readonly step: string;
      readonly from: null;
      readonly to: string;
      readonly before: null;
      readonly after: unknown;
    }
  | {
      readonly kind: "STEP_REMOVED";
      readonly step: string;
      readonly from: string;
      readonly to: null;
      readonly before: unknown;
      readonly after: null;
    }
  /** Moved to another list of steps, or past others of its own list. Its inner steps move with it. */
  | {
      readonly kind: "STEP_MOVED";
      readonly step: string;
      readonly from: string;
      readonly to: string;
      readonly before: null;
      readonly after: null;
    }
  /** A value of a step or of the definition itself. A null pointer means that it does not exist on that side. */
  | {
      readonly kind: "CHANGED";
      readonly step: string | null;
      readonly from: string | null;
      readonly to: string | null;
      readonly before: unknown;
      readonly after: unknown;
    };

/**
 * Returns the differences between two definitions. Steps are identified by their id: a step at another position has
 * moved, and a step before which another was inserted has not changed.
 *
 * @returns changes in the order of the second definition, removed steps last
 */
export function diffDefinitions(before: Definition, after: Definition): DefinitionChange[] {
  const old = locateSteps(before);
  const now = locateSteps(after);
  const stays = stayingSteps(old, now);
  const inPlace = [...now].flatMap(([key, located]) =>
    changesOf(old.get(key), located, stays.has(key)),
  );
  const gone = [...old].flatMap(([key, { step, pointer }]): DefinitionChange[] => {
    if (now.has(key)) return [];
    const change = { step: step.id, from: pointer, to: null, before: ownOf(step), after: null };
    return [{ kind: "STEP_REMOVED", ...change }];
  });
  const settings = diffValues(settingsOf(before), settingsOf(after));
  return [
    ...settings.map((change): DefinitionChange => ({ kind: "CHANGED", step: null, ...change })),
    ...inPlace,
    ...gone,
  ];
}

interface LocatedStep {
  readonly step: Step;
  readonly pointer: string;
  /** The list that contains it: the key of the outer step, and the pointer of the list in that step. */
  readonly list: string;
}

function changesOf(
  old: LocatedStep | undefined,
  now: LocatedStep,
  stays: boolean,
): DefinitionChange[] {
  const { step, pointer: to } = now;
  if (old === undefined) {
    const change = { step: step.id, from: null, to, before: null, after: ownOf(step) };
    return [{ kind: "STEP_ADDED", ...change }];
  }
  const from = old.pointer;
  const move: DefinitionChange = {
    kind: "STEP_MOVED",
    step: step.id,
    from,
    to,
    before: null,
    after: null,
  };
  const values = diffValues(ownOf(old.step), ownOf(step)).map(
    (change): DefinitionChange => ({
      kind: "CHANGED",
      step: step.id,
      from: change.from === null ? null : from + change.from,
      to: change.to === null ? null : to + change.to,
      before: change.before,
      after: change.after,
    }),
  );
  return stays ? values : [move, ...values];
}

/** Returns every step in document order by its id. A draft may use an id twice; then the key has a number. */
function locateSteps({ steps }: Definition): Map<string, LocatedStep> {
  const located = new Map<string, LocatedStep>();
  const counts = new Map<string, number>();
  const walk = (inside: readonly Step[], pointer: string, list: string) => {
    for (const [index, step] of inside.entries()) {
      const count = counts.get(step.id) ?? 0;
      counts.set(step.id, count + 1);
      // An id contains no space.
      const key = count === 0 ? step.id : `${step.id} ${count}`;
      const own = `${pointer}/${index}`;
      located.set(key, { step, pointer: own, list });
      for (const branch of branchesOf(step)) {
        const suffix = `/${branch.pointer.join("/")}`;
        walk(branch.steps, own + suffix, `${key} ${suffix}`);
      }
    }
  };
  walk(steps, "/steps", "");
  return located;
}

/** Returns the steps that have not moved: in the same list, in the same order among themselves. */
function stayingSteps(
  old: ReadonlyMap<string, LocatedStep>,
  now: ReadonlyMap<string, LocatedStep>,
): Set<string> {
  const lists = new Map<string, string[]>();
  for (const [key, { list }] of now) {
    if (old.get(key)?.list !== list) continue;
    const known = lists.get(list);
    if (known === undefined) lists.set(list, [key]);
    else known.push(key);
  }
  const order = new Map([...old.keys()].map((key, index) => [key, index]));
  const oldIndexOf = (key: string) => order.get(key) ?? 0;
  return new Set([...lists.values()].flatMap((keys) => stayingIn(keys, oldIndexOf)));
}

/** Returns a step without its inner steps. */
function ownOf(step: Step): JsonObject {
  const own = innerless(step);
  return "onError" in step && typeof step.onError === "object"
    ? { ...own, onError: { steps: [] } }
    : own;
}

function innerless(step: Step): JsonObject {
  switch (step.kind) {
    case "condition":
      // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
      return { ...step, then: [], else: [] };
    case "switch":
      return {
        ...step,
        cases: step.cases.map((one) => ({ ...one, steps: [] })),
        default: [],
      };
    case "forEach":
      return { ...step, steps: [] };
    default:
      return { ...step };
  }
}

function settingsOf({ steps: _, ...settings }: Definition): JsonObject {
  return settings;
}

interface Entry<Item> {
  readonly item: Item;
  readonly oldIndex: number;
  readonly before: Entry<Item> | undefined;
}

/**
 * Returns the largest set of items that are still in their old order among themselves. The other items have moved.
 *
 * @param oldIndexOf returns the old index of an item; indexes are unique
 */
function stayingIn<Item>(items: readonly Item[], oldIndexOf: (item: Item) => number): Item[] {
  // Longest increasing subsequence: for each length, keep the subsequence that ends lowest.
  const lowest: Entry<Item>[] = [];
  for (const item of items) {
    const oldIndex = oldIndexOf(item);
    const above = lowest.findIndex((entry) => entry.oldIndex > oldIndex);
    const length = above === -1 ? lowest.length : above;
    lowest[length] = { item, oldIndex, before: lowest[length - 1] };
  }
  const staying: Item[] = [];
  for (let entry = lowest.at(-1); entry !== undefined; entry = entry.before) {
    staying.push(entry.item);
  }
  return staying.reverse();
}

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
function diffValues(before: unknown, after: unknown, pointer = ""): ValueChange[] {
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
