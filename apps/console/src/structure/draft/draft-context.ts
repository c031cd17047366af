import { createContext, useContext } from "react";
import type { TableDraft } from "./use-table-draft.ts";

const Given = createContext<TableDraft | null>(null);

/** Gives the draft of a table to the parts of its page. */
export const TableDraftProvider = Given.Provider;

/** The draft of the page. */
export function useDraft(): TableDraft {
  const draft = useContext(Given);
  if (draft === null) throw new Error("useDraft needs a TableDraftProvider");
  return draft;
}
