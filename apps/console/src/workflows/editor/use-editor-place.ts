import { type RefObject, useMemo, useState } from "react";
import { findStep } from "../model/branches.ts";
import type { Definition } from "../model/definition.ts";
import type { PlacedFault } from "../model/faults.ts";
import { triggerKey } from "../model/outline.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import type { EditorSearch, EditorView } from "./editor-search.ts";

interface EditorPlace {
  readonly definition: Definition | undefined;
  readonly kinds: StepKinds;
  readonly search: EditorSearch;
  readonly onSearch: (changes: Partial<EditorSearch>) => void;
  /** The element with the form of the chosen step. */
  readonly form: RefObject<HTMLElement | null>;
}

const viewAfter = { tree: "graph", graph: "code", code: "tree" } as const;

/** Where the editor is, as its address has it, and how it goes to another step, view or panel. */
export function useEditorPlace({ definition, kinds, search, onSearch, form }: EditorPlace) {
  const stepOf = (key: string | undefined) =>
    definition === undefined || key === undefined
      ? undefined
      : findStep(definition, kinds.steps, key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stepOf` reads these alone
  const step = useMemo(() => stepOf(search.step), [definition, kinds, search.step]);
  /** The place that the code shows. */
  const [target, setTarget] = useState<{ readonly pointer: string } | undefined>(step);
  const [until, setUntil] = useState<string>();
  const view: EditorView = search.view ?? "tree";
  const panel = search.panel === "test" ? ("test" as const) : ("form" as const);
  const keyOf = (key: string) => (key === triggerKey ? undefined : key);
  const showView = (next: EditorView) => {
    if (next === "code" && step !== undefined) setTarget({ pointer: step.pointer });
    onSearch({ view: next === "tree" ? undefined : next });
  };
  return {
    step,
    target,
    view,
    panel,
    /** The key of the step at which a test ends; undefined for a test of the whole. */
    until,
    showView,
    switchView: () => showView(viewAfter[view]),
    showPanel: (next: "form" | "test") => onSearch({ panel: next === "test" ? next : undefined }),
    choose: (key: string) =>
      onSearch({
        step: keyOf(key),
        panel: panel === "test" ? panel : undefined,
        field: undefined,
      }),
    openForm: (key: string) => {
      onSearch({ step: keyOf(key), panel: undefined, field: undefined });
      // The form is drawn with the next frame.
      requestAnimationFrame(() =>
        form.current
          ?.querySelector<HTMLElement>("input, select, textarea, [contenteditable=true]")
          ?.focus(),
      );
    },
    openFault: ({ step, inside, path }: PlacedFault) => {
      if (view === "code") setTarget({ pointer: path });
      onSearch({ step: step?.key, field: inside || undefined, panel: undefined });
    },
    testUntil: (key: string) => {
      setUntil(key);
      onSearch({ step: key, panel: "test", field: undefined });
    },
  };
}
