import type { DraftStep } from "./draft-steps.ts";

/** A step with the steps that ran before it. */
export interface Place {
  readonly step: DraftStep;
  /** The steps whose outputs it can read, in document order. */
  readonly before: readonly DraftStep[];
}

/** Finds a step by its id; undefined if there is none. */
export function findPlace(
  steps: readonly DraftStep[],
  id: string,
  start: readonly DraftStep[] = [],
): Place | undefined {
  const before = [...start];
  for (const step of steps) {
    if (step.id === id) return { step, before };
    const inside = [...readableIn(step, false), step];
    for (const { isHandler, steps: inner } of step.branches) {
      // A handler runs after its step and what ran inside.
      const found = findPlace(inner, id, isHandler ? [...before, ...inside] : before);
      if (found !== undefined) return found;
    }
    before.push(...inside, ...readableIn(step, true));
  }
  return undefined;
}

/** Returns the steps inside a step that are readable after it, or those of its handler. A loop hides its steps. */
function readableIn(step: DraftStep, ofHandler: boolean): DraftStep[] {
  return step.branches
    .filter(({ isHandler }) => isHandler === ofHandler && (isHandler || step.kind !== "forEach"))
    .flatMap(({ steps }) =>
      steps.flatMap((one) => [...readableIn(one, false), one, ...readableIn(one, true)]),
    );
}
