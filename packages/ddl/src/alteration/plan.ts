import type { ErrorCode, Fault } from "@rowhouse/errors";
import type { Rebinding } from "../base/bind-columns.ts";

/** Lock modes of the statements, in ascending order of strength. */
export const lockModes = [
  "SHARE UPDATE EXCLUSIVE",
  "SHARE",
  "SHARE ROW EXCLUSIVE",
  "ACCESS EXCLUSIVE",
] as const;
export type LockMode = (typeof lockModes)[number];

/** How much of a table a statement has to process, in ascending order. */
export const workKinds = ["NONE", "SCAN", "REWRITE"] as const;
export type Work = (typeof workKinds)[number];

export interface AlterationStep {
  readonly sql: string;
  /** Before the statement, what refers to one column of the table refers to another one. */
  readonly rebinds?: Rebinding | undefined;
  /** JSON pointer of the change that the statement executes. */
  readonly path: string;
  readonly lock: LockMode;
  readonly work: Work;
  readonly trial: Trial | null;
  /** Counts of existing rows that would make the statement fail. */
  readonly counts: readonly RowCheck[];
}

/** The same statement on an empty copy of the table. */
export interface Trial {
  readonly sql: string;
  /** Fault to report if the database refuses the statement. */
  readonly refusal: Fault;
}

/** A count of the rows that make a statement fail. */
export interface RowCheck {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
  /** A query that returns one row with `rows`. */
  readonly sql: string;
  /** A query of the primary keys of such rows; null for a table without a primary key. */
  readonly keysSql: string | null;
  /** Statements to run first, in a transaction that is rolled back. */
  readonly before: readonly string[];
}

/** An object that an alteration drops or disables. */
export interface Loss {
  readonly path: string;
  /** `column`, `view`, `table constraint`, `grant`, … */
  readonly object: string;
  readonly name: string;
  readonly note: string | null;
  /** A query that returns one row with `rows`, the number of lost values. */
  readonly valuesSql?: string;
}

/** A loss that requires a confirmation by name. */
export interface Confirmation {
  readonly path: string;
  readonly confirm: string;
  /** Whether the body contains the confirmation. */
  readonly given: boolean;
}

/** Another table that a statement locks. */
export interface OtherLock {
  readonly schema: string;
  readonly table: string;
  readonly mode: LockMode;
  readonly work: Work;
}

/** An object whose dependents are looked up. */
export type DependencyRoot =
  | { readonly kind: "TABLE"; readonly oid: number }
  | { readonly kind: "COLUMN"; readonly oid: number; readonly attributeNumber: number }
  | { readonly kind: "CONSTRAINT"; readonly oid: number; readonly name: string };
