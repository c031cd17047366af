import { branchesOf } from "./branches.ts";
import type { Definition, KindBranches } from "./definition.ts";
import type { Place } from "./edit-steps.ts";
import { keysOf, pointerOf, splitPointer, valueAt } from "./pointer.ts";

export type Direction = "up" | "down" | "in" | "out";

/**
 * Returns where a key moves a step: up and down past its neighbors and at an end out of its list, in into the last list
 * of the step before it, out behind the step around it.
 *
 * @returns undefined where the step cannot move
 */
export function placeOfMove(
  definition: Definition,
  kinds: readonly KindBranches[],
  pointer: string,
  direction: Direction,
): Place | undefined {
  const { list, index } = splitPointer(pointer);
  const siblings = valueAt(definition, keysOf(list));
  if (!Array.isArray(siblings)) return undefined;
  if (direction === "up") {
    if (index > 0) return { list, index: index - 1 };
    return neighborList(definition, kinds, list, -1) ?? outside(definition, list, 0);
  }
  if (direction === "down") {
    if (index < siblings.length - 1) return { list, index: index + 2 };
    return neighborList(definition, kinds, list, 1) ?? outside(definition, list, 1);
  }
  if (direction === "out") return outside(definition, list, 1);
  const before = siblings[index - 1];
  const last = branchesOf(before, kinds).at(-1);
  if (last === undefined) return undefined;
  return { list: `${list}/${index - 1}${pointerOf(last.keys)}`, index: last.steps.length };
}

/** The list of the same step before or behind a list. */
function neighborList(
  definition: Definition,
  kinds: readonly KindBranches[],
  list: string,
  step: 1 | -1,
): Place | undefined {
  const outer = stepAround(definition, list);
  if (outer === undefined) return undefined;
  const branches = branchesOf(valueAt(definition, keysOf(outer)), kinds);
  const own = branches.findIndex(({ keys }) => outer + pointerOf(keys) === list);
  const other = branches[own + step];
  if (own < 0 || other === undefined) return undefined;
  return { list: outer + pointerOf(other.keys), index: step === 1 ? 0 : other.steps.length };
}

/** The place before (0) or behind (1) the step that has a list. */
function outside(definition: Definition, list: string, side: 0 | 1): Place | undefined {
  const outer = stepAround(definition, list);
  if (outer === undefined) return undefined;
  const { list: outerList, index } = splitPointer(outer);
  return { list: outerList, index: index + side };
}

/** The pointer of the step that has a list; undefined for the steps of the definition. */
export function stepAround(definition: Definition, list: string): string | undefined {
  const keys = keysOf(list);
  // A list of steps is one to three keys behind the position of its step.
  for (let end = keys.length - 1; end >= 2; end -= 1) {
    const position = keys[end - 1] ?? "";
    const outer = keys.slice(0, end);
    const isInCases = keys[end - 2] === "cases" && end > 2;
    const isStep = /^[0-9]+$/.test(position) && !isInCases;
    if (isStep && Array.isArray(valueAt(definition, keys.slice(0, end - 1)))) {
      return pointerOf(outer);
    }
  }
  return undefined;
}
