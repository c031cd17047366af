import { currentSession } from "../shell/session.ts";
import type { PastStatement } from "./statement-history.ts";

/** A statement that its person has named. */
export interface SavedStatement {
  readonly name: string;
  readonly text: string;
}

/** A text of the editor. */
export interface StatementTab {
  readonly id: number;
  /** Empty until its person names it. */
  readonly name: string;
  readonly text: string;
}

/** What this browser keeps for a person. */
export interface KeptStatements {
  /** At least one. */
  readonly tabs: readonly StatementTab[];
  /** The id of the tab that is open. */
  readonly active: number;
  /** The latest first. */
  readonly history: readonly PastStatement[];
  readonly saved: readonly SavedStatement[];
}

/** Statements contain values, so each person of a shared browser has a place of their own. */
function key(): string {
  return `rowhouse.sql.${currentSession()?.user.id ?? ""}`;
}

/** Reads what this browser keeps for the person who is signed in. */
export function readKept(): KeptStatements {
  const empty: KeptStatements = { tabs: [newTab([])], active: 1, history: [], saved: [] };
  try {
    // Before there were tabs, the browser kept one text.
    const { draft, ...stored } = JSON.parse(localStorage.getItem(key()) ?? "{}") as Partial<
      KeptStatements & { readonly draft: string }
    >;
    if (draft !== undefined) return { ...empty, ...stored, tabs: [newTab([], draft)] };
    return { ...empty, ...stored };
  } catch {
    return empty;
  }
}

/** Returns a tab beside others. */
export function newTab(tabs: readonly StatementTab[], text = ""): StatementTab {
  return { id: Math.max(0, ...tabs.map(({ id }) => id)) + 1, name: "", text };
}

/** Changes what this browser keeps, and returns the result. Without space in the storage the change lasts as long as the page. */
export function keep(last: KeptStatements, change: Partial<KeptStatements>): KeptStatements {
  const next = { ...last, ...change };
  try {
    localStorage.setItem(key(), JSON.stringify(next));
  } catch {
    // The storage is full or switched off.
  }
  return next;
}
