import { useEffect, useState } from "react";
import type { View } from "../model/queries.ts";

/** A view as a person edits it. */
export interface ViewDraft {
  readonly name: string;
  readonly definition: string;
  readonly comment: string;
  readonly isMaterialized: boolean;
}

function draftOf(view: View | null): ViewDraft {
  return {
    name: view?.name ?? "",
    definition: view?.definition ?? "",
    comment: view?.comment ?? "",
    isMaterialized: view?.materialized ?? false,
  };
}

/** The draft of a view, and the view from which it began. */
export function useViewDraft(view: View | null) {
  const [base, setBase] = useState(view);
  const [draft, setDraft] = useState(() => draftOf(view));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base));
  const isOutdated = base?.definition !== view?.definition || base?.comment !== view?.comment;
  useEffect(() => {
    if (!isOutdated || isChanged) return;
    setBase(view);
    setDraft(draftOf(view));
  }, [isOutdated, isChanged, view]);
  return {
    base,
    draft,
    isChanged,
    /** Whether the view now has another definition or comment than when the draft began. */
    isOutdated,
    change: (edit: Partial<ViewDraft>) => setDraft((last) => ({ ...last, ...edit })),
    /** Begins a new draft of a view. */
    begin: (next: View | null) => {
      setBase(next);
      setDraft(draftOf(next));
    },
    /** Keeps what was typed, and takes the view as it is now for its beginning. */
    rebase: () => setBase(view),
  };
}
