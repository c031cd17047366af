import type { ErrorCode, Fault } from "@rowhouse/errors";

/** What a statement keeps others from while it has its table, the weakest first. */
export const lockModes = [
  "SHARE UPDATE EXCLUSIVE",
  "SHARE",
  "SHARE ROW EXCLUSIVE",
  "ACCESS EXCLUSIVE",
] as const;
export type LockMode = (typeof lockModes)[number];

/** How much of a table a statement has to go through, the least first. */
export const workKinds = ["NONE", "SCAN", "REWRITE"] as const;
export type Work = (typeof workKinds)[number];

/** One statement of an alteration. */
export interface Step {
  readonly sql: string;
  /** The JSON pointer of what it carries out. */
  readonly path: string;
  readonly lock: LockMode;
  readonly work: Work;
  readonly trial: Trial | null;
  /** What of the rows at hand would make it fail. */
  readonly counts: readonly RowCount[];
}

/** The same statement on an empty copy of the table. */
export interface Trial {
  readonly sql: string;
  /** What is to be said where the database refuses it. */
  readonly refusal: Fault;
}

/** A count of the rows that a statement would fail on. */
export interface RowCount {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
  /** Gives one row with `rows`. */
  readonly sql: string;
  /** Statements before it, in a transaction that is undone. */
  readonly before: readonly string[];
}

/** Something that is no more after an alteration. */
export interface Loss {
  readonly path: string;
  /** `column`, `view`, `table constraint`, `grant`, … */
  readonly object: string;
  readonly name: string;
  readonly note: string | null;
  /** Gives one row with `rows`: how many values are lost. */
  readonly valuesSql?: string;
}

/** What has to be confirmed by its name. */
export interface Confirmation {
  readonly path: string;
  readonly confirm: string;
  /** Whether the body has it. */
  readonly given: boolean;
}

/** Another table that a statement takes hold of. */
export interface OtherLock {
  readonly schema: string;
  readonly table: string;
  readonly mode: LockMode;
  readonly work: Work;
}

/** Something whose dependents were looked up. */
export type DependencyRoot =
  | { readonly kind: "TABLE"; readonly oid: number }
  | { readonly kind: "COLUMN"; readonly oid: number; readonly attributeNumber: number }
  | { readonly kind: "CONSTRAINT"; readonly oid: number; readonly name: string };
