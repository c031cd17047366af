import {
  type BranchKind,
  type Definition,
  fieldOf,
  idOf,
  isJsonObject,
  type KindBranches,
  kindOf,
  type StepNode,
} from "./definition.ts";
import { pointerOf, valueAt } from "./pointer.ts";

/** A list of inner steps of a step. */
export interface Branch {
  /** From the step to the list. */
  readonly keys: readonly string[];
  /** The title that the kind gives it; empty for a list that the kind does not have. */
  readonly title: string;
  readonly steps: readonly unknown[];
}

/** The list of the steps that run after a failure. It exists only where its author wrote it. */
const handlerKeys = ["onError", "steps"] as const;
/** Lists that a step of an unknown kind may have. */
const usualBranches: readonly BranchKind[] = [
  ["then"],
  ["else"],
  ["cases", "*", "steps"],
  ["default"],
  ["steps"],
  handlerKeys,
].map((path) => ({ path, title: "" }));

/**
 * Returns the lists of inner steps of a step, in the order of its kind. A list that the kind has and the step lacks is
 * empty; a handler exists only if it is written.
 */
export function branchesOf(step: unknown, kinds: readonly KindBranches[]): Branch[] {
  const kind = kinds.find((one) => one.kind === kindOf(step));
  const branches = kind?.branches ?? usualBranches;
  return branches.flatMap(({ path, title }) =>
    placesOf(step, path).flatMap((keys): Branch[] => {
      const steps = valueAt(step, keys);
      if (Array.isArray(steps)) return [{ keys, title, steps }];
      if (steps !== undefined || kind === undefined || isHandler(keys)) return [];
      return [{ keys, title, steps: [] }];
    }),
  );
}

/** Whether keys lead from a step to the steps that run after its failure. */
export function isHandler(keys: readonly string[]): boolean {
  return keys.length === handlerKeys.length && keys.every((key, at) => key === handlerKeys[at]);
}

/** Whether a step has steps that run after its failure. */
export function hasHandler(step: unknown): boolean {
  return isJsonObject(fieldOf(step, "onError"));
}

/** Replaces each `*` by the positions of the list there. */
function placesOf(step: unknown, path: readonly string[]): (readonly string[])[] {
  const star = path.indexOf("*");
  if (star < 0) return [path];
  const before = path.slice(0, star);
  const list = valueAt(step, before);
  if (!Array.isArray(list)) return [];
  return list.map((_item, at) => [...before, String(at), ...path.slice(star + 1)]);
}

/** A step of a definition with its place. */
export interface LocatedStep {
  readonly step: unknown;
  readonly pointer: string;
  /** Names the step in an address: its id, with a number if an earlier step has the same one. */
  readonly key: string;
}

/** Yields every step in document order. An entry of a list that is no object is yielded as well. */
export function* walkSteps(
  definition: Definition,
  kinds: readonly KindBranches[],
): Generator<LocatedStep> {
  const steps = fieldOf(definition, "steps");
  if (!Array.isArray(steps)) return;
  yield* walkList(steps, "/steps", kinds, new Map());
}

function* walkList(
  steps: readonly unknown[],
  list: string,
  kinds: readonly KindBranches[],
  counts: Map<string, number>,
): Generator<LocatedStep> {
  for (const [index, step] of steps.entries()) {
    const pointer = `${list}/${index}`;
    yield { step, pointer, key: stepKey(step, pointer, counts) };
    for (const branch of branchesOf(step, kinds)) {
      yield* walkList(branch.steps, pointer + pointerOf(branch.keys), kinds, counts);
    }
  }
}

/** An id has no space and no `#`, so a key is that of one step. */
export function stepKey(step: unknown, pointer: string, counts: Map<string, number>): string {
  const id = idOf(step);
  if (id === "") return `#${pointer}`;
  const count = (counts.get(id) ?? 0) + 1;
  counts.set(id, count);
  return count === 1 ? id : `${id} ${count}`;
}

/** Returns the step with a key, usually an id. */
export function findStep(
  definition: Definition,
  kinds: readonly KindBranches[],
  key: string,
): LocatedStep | undefined {
  for (const located of walkSteps(definition, kinds)) if (located.key === key) return located;
  return undefined;
}

/** Returns all ids in use. */
export function idsOf(definition: Definition, kinds: readonly KindBranches[]): Set<string> {
  return new Set([...walkSteps(definition, kinds)].map(({ step }) => idOf(step)));
}

/** Returns the step at a pointer; undefined if there is no object. */
export function stepAt(definition: Definition, keys: readonly string[]): StepNode | undefined {
  const step = valueAt(definition, keys);
  return isJsonObject(step) ? step : undefined;
}
