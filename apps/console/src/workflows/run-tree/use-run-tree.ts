import { useCallback, useMemo, useState } from "react";
import type { Definition } from "../model/definition.ts";
import type { RunStep } from "./run-queries.ts";
import { loopsAround, type RunRow, runRows } from "./run-rows.ts";
import { indexSteps, type StepIndex } from "./step-index.ts";

/** The tree of a run as it is shown. */
interface RunTreeState {
  readonly index: StepIndex;
  readonly rows: readonly RunRow[];
  setOpen(row: RunRow, isOpen: boolean): void;
}

/**
 * Builds the tree of a run. Branches are open, loops and their items closed, except around the selected step.
 *
 * @param selected key of the selected row
 */
export function useRunTree(
  definition: Definition,
  steps: readonly RunStep[],
  selected: string,
): RunTreeState {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const index = useMemo(() => indexSteps(steps), [steps]);
  // The rows stay the same while the selection moves within an item.
  const loops = loopsAround(selected).join(" ");
  const around = useMemo(() => new Set(loops.split(" ")), [loops]);
  const rows = useMemo(
    () =>
      runRows(
        definition,
        index,
        (key, type) => changed.get(key) ?? (type === "branches" || around.has(key)),
      ),
    [definition, index, changed, around],
  );
  const setOpen = useCallback((row: RunRow, isOpen: boolean): void => {
    setChanged((last) => new Map(last).set(row.key, isOpen));
  }, []);
  return { index, rows, setOpen };
}
