import { useRef } from "react";
import { flushSync } from "react-dom";
import { idsOf, type LocatedStep, stepAt } from "../model/branches.ts";
import { type Definition, idOf, type KindBranches } from "../model/definition.ts";
import { keysOf } from "../model/pointer.ts";
import { renameReferences } from "../model/references.ts";

/**
 * Renames the references to a step whose id was changed, once its person has left the form: while they type, the id may
 * be that of another step for a moment.
 */
export function useRenaming(
  definition: Definition | undefined,
  kinds: readonly KindBranches[],
  change: (definition: Definition) => void,
) {
  const pending = useRef<{ readonly pointer: string; readonly from: string }>(null);
  const latest = useRef(definition);
  latest.current = definition;
  return {
    /** Remembers the first id of a step that changes. */
    note: (before: LocatedStep, after: LocatedStep | undefined) => {
      const from = idOf(before.step);
      if (pending.current !== null || after === undefined || from === idOf(after.step)) return;
      pending.current = { pointer: before.pointer, from };
    },
    finish: () => {
      const renamed = pending.current;
      const present = latest.current;
      pending.current = null;
      if (renamed === null || present === undefined) return;
      const to = idOf(stepAt(present, keysOf(renamed.pointer)));
      const isAmbiguous = to === "" || idsOf(present, kinds).has(renamed.from);
      if (isAmbiguous) return;
      // A request that follows sends the references as they are then.
      flushSync(() => change(renameReferences(present, renamed.from, to)));
    },
  };
}
