import type { Definition, Step } from "../definition/definition.ts";
import { branchesOf } from "./parse-definition.ts";

/** A step around another one, and its branch with the other. */
export interface Around {
  readonly step: Step;
  /** JSON pointer segments from the step to the branch, joined: `then`, `cases/0/steps`, `onError/steps`. */
  readonly branch: string;
}

/** Where a step is in a definition. */
export interface StepPlace {
  readonly step: Step;
  /** In document order. */
  readonly index: number;
  /** The steps around it, from the outermost. */
  readonly around: readonly Around[];
}

/** The branch of the steps that run after a failure. */
const handlerBranch = "onError/steps";

/** Finds the place of each step of a definition, by its id. */
export function placesOf(definition: Definition): ReadonlyMap<string, StepPlace> {
  const places = new Map<string, StepPlace>();
  const visit = (steps: readonly Step[], around: readonly Around[]) => {
    for (const step of steps) {
      places.set(step.id, { step, index: places.size, around });
      for (const { pointer, steps: inner } of branchesOf(step)) {
        visit(inner, [...around, { step, branch: pointer.join("/") }]);
      }
    }
  };
  visit(definition.steps, []);
  return places;
}

/** Returns the id of the step at a path of a run: `call` of `loop.3.call`. */
export function stepIdOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** One step around a step of a run, with its own path in that run; the last one is the step itself. */
export interface Ancestor {
  readonly path: string;
  readonly step: Step;
  /** Its branch with the step; null for the step itself. */
  readonly branch: string | null;
}

/**
 * Returns the steps around the step of a path, from the outermost, and the step itself.
 *
 * @returns undefined for a path that no run of the definition has
 */
export function ancestorsOf(
  places: ReadonlyMap<string, StepPlace>,
  path: string,
): readonly Ancestor[] | undefined {
  const place = places.get(stepIdOf(path));
  if (place === undefined) return undefined;
  const segments = path.split(".");
  let prefix = "";
  let read = 0;
  const ancestors: Ancestor[] = [];
  for (const { step, branch } of place.around) {
    ancestors.push({ path: prefix + step.id, step, branch });
    if (step.kind !== "forEach" || branch === handlerBranch) continue;
    if (segments[read] !== step.id || !/^\d+$/.test(segments[read + 1] ?? "")) return undefined;
    prefix = `${prefix}${step.id}.${segments[read + 1]}.`;
    read += 2;
  }
  if (prefix + place.step.id !== path) return undefined;
  return [...ancestors, { path, step: place.step, branch: null }];
}

/** Whether the steps of a branch run after a failure of its step. */
export function isHandlerBranch(branch: string | null): boolean {
  return branch === handlerBranch;
}

/** Whether the run continues after a failure of the step. */
export function handlesFailure(step: Step): boolean {
  return "onError" in step && step.onError !== "fail";
}
