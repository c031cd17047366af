import { useEffect, useMemo, useState } from "react";
import { findStep } from "../model/branches.ts";
import type { Definition, KindBranches } from "../model/definition.ts";
import { type OutlineRow, outlineOf, rowsAround } from "../model/outline.ts";

/** The rows of the tree that are shown, and the one with the focus. */
export interface Outline {
  readonly rows: readonly OutlineRow[];
  /** The position of the active row. */
  readonly active: number;
  activate(key: string): void;
  toggle(key: string, isOpen: boolean): void;
  toggleAll(isOpen: boolean): void;
}

/** Keeps which rows are open. The chosen step is active and in sight whenever it changes. */
export function useOutline(
  definition: Definition,
  kinds: readonly KindBranches[],
  chosen: string,
): Outline {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [activeKey, activate] = useState(chosen);
  const rows = useMemo(() => outlineOf(definition, kinds, closed), [definition, kinds, closed]);
  useEffect(() => {
    activate(chosen);
  }, [chosen]);
  const pointer = useMemo(
    () => findStep(definition, kinds, chosen)?.pointer,
    [definition, kinds, chosen],
  );
  // The rows open when another step is chosen or it moves, and not again with each change inside of them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (pointer === undefined) return;
    const around = rowsAround(definition, kinds, pointer);
    setClosed((last) =>
      around.some((key) => last.has(key))
        ? new Set([...last].filter((key) => !around.includes(key)))
        : last,
    );
  }, [pointer, chosen]);
  const found = rows.findIndex(({ key }) => key === activeKey);
  const shown = found >= 0 ? found : rows.findIndex(({ key }) => key === chosen);
  return {
    rows,
    active: Math.max(0, shown),
    activate,
    toggle: (key, isOpen) =>
      setClosed((last) => {
        const next = new Set(last);
        if (isOpen) next.delete(key);
        else next.add(key);
        return next;
      }),
    toggleAll: (isOpen) =>
      setClosed(
        isOpen
          ? new Set()
          : new Set(
              outlineOf(definition, kinds, new Set()).flatMap((row) =>
                row.isOpen === undefined || row.type !== "step" ? [] : [row.key],
              ),
            ),
      ),
  };
}
