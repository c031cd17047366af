import type { JsonObject } from "../base/json.ts";
import type { Definition, Step } from "./definition.ts";
import { diffValues } from "./diff-values.ts";
import { branchesOf } from "./parse-definition.ts";
import { stayingIn } from "./staying-in.ts";

/** One difference between two definitions. Pointers are JSON pointers into the one and into the other. */
export type DefinitionChange =
  /** Of a step without the steps inside it, which are told by themselves. */
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
  /** To another list of steps, or past others of its own; the steps inside it go with it. */
  | {
      readonly kind: "STEP_MOVED";
      readonly step: string;
      readonly from: string;
      readonly to: string;
      readonly before: null;
      readonly after: null;
    }
  /** A value of a step, or of the definition itself; a null pointer is where it does not exist. */
  | {
      readonly kind: "CHANGED";
      readonly step: string | null;
      readonly from: string | null;
      readonly to: string | null;
      readonly before: unknown;
      readonly after: unknown;
    };

/**
 * What differs between two definitions. Steps are known by their id, so a step that went elsewhere has moved, and one
 * before which another was put has not changed.
 *
 * @returns in the order of the second definition, what is gone last
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
  /** The list that it stands in: the key of the step around it, and which of that step's lists. */
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

/** Every step in the order of the document, by its id; a draft may have an id twice, which is told by its number. */
function locateSteps({ steps }: Definition): Map<string, LocatedStep> {
  const located = new Map<string, LocatedStep>();
  const counts = new Map<string, number>();
  const walk = (inside: readonly Step[], pointer: string, list: string) => {
    for (const [index, step] of inside.entries()) {
      const count = counts.get(step.id) ?? 0;
      counts.set(step.id, count + 1);
      // No id has a blank in it.
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

/** The steps that are where they were: in the same list, in the same order among themselves. */
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

/** A step without what its lists hold. */
function ownOf(step: Step): JsonObject {
  const own = innerless(step);
  return "onError" in step && typeof step.onError === "object"
    ? { ...own, onError: { steps: [] } }
    : own;
}

function innerless(step: Step): JsonObject {
  switch (step.kind) {
    case "condition":
      // biome-ignore lint/suspicious/noThenProperty: the contract's name; a definition is never awaited
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
