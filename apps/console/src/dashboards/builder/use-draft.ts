import { useState } from "react";
import type { Draft } from "./draft.ts";
import { begun, type History, recorded, redone, undone } from "./history.ts";

/** A dashboard while it is edited, with what can be undone. */
export interface DraftState {
  readonly draft: Draft;
  readonly isChanged: boolean;
  /** @param subject changes of the same one in a row are undone together */
  readonly change: (draft: Draft, subject?: string) => void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  /** Takes a draft as the stored one; what was edited before can still be undone. */
  readonly saved: (draft: Draft) => void;
  /** Begins anew with a stored draft. */
  readonly begin: (draft: Draft) => void;
}

/** Keeps the draft of a dashboard. */
export function useDraft(stored: Draft): DraftState {
  const [base, setBase] = useState(stored);
  const [history, setHistory] = useState<History<Draft>>(() => begun(stored));
  const { present, past, future } = history;
  return {
    draft: present,
    isChanged: present !== base && JSON.stringify(present) !== JSON.stringify(base),
    change: (draft, subject) => setHistory((last) => recorded(last, draft, subject)),
    undo: past.length === 0 ? null : () => setHistory(undone),
    redo: future.length === 0 ? null : () => setHistory(redone),
    saved: setBase,
    begin: (draft) => {
      setBase(draft);
      setHistory(begun(draft));
    },
  };
}
