import { currentSession } from "../shell/session.ts";
import type { PastStatement } from "./statement-history.ts";

/** A statement that its person has named. */
export interface SavedStatement {
  readonly name: string;
  readonly text: string;
}

/** What this browser keeps for a person. */
export interface KeptStatements {
  readonly draft: string;
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
  const empty: KeptStatements = { draft: "", history: [], saved: [] };
  try {
    const stored = JSON.parse(localStorage.getItem(key()) ?? "{}") as Partial<KeptStatements>;
    return { ...empty, ...stored };
  } catch {
    return empty;
  }
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
