import type { Queryable } from "@rowhouse/db";
import type { RunActor } from "../model/run-token.ts";

export interface ListRowsInput {
  readonly schema: string;
  readonly table: string;
  readonly fields?: string;
  /** The filter language of contract §2, as plain JSON. */
  readonly where?: unknown;
  readonly orderBy?: string;
  readonly limit?: number;
}

export interface CreateRowInput {
  readonly schema: string;
  readonly table: string;
  /** JSON values; a number that no double holds is as `parseExactJson` reads it. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface GetRowInput {
  readonly schema: string;
  readonly table: string;
  /** The values of the key, in its order. */
  readonly id: readonly string[];
  readonly fields?: string;
}

/** The row with the key, or no more than so many rows that a filter finds. */
export type RowSelection =
  | { readonly id: readonly string[] }
  | { readonly where: unknown; readonly maxAffected: number };

export type DeleteRowsInput = { readonly schema: string; readonly table: string } & RowSelection;
export type UpdateRowsInput = DeleteRowsInput & {
  readonly values: Readonly<Record<string, unknown>>;
};

/**
 * What row steps need of the data engine; each call acts with the permissions that the user and, where
 * the run has one, its token have at that moment, on the given transaction: what it writes and its journal entry exist together or not at all.
 */
export interface RowEngine {
  listRows(input: ListRowsInput, as: RunActor, on?: Queryable): Promise<unknown[]>;
  /** @throws AppError NOT_FOUND */
  getRow(input: GetRowInput, as: RunActor, on?: Queryable): Promise<unknown>;
  createRow(input: CreateRowInput, as: RunActor, on: Queryable): Promise<unknown>;
  /** @returns the row of a key, or the list of the rows that a filter found */
  updateRows(input: UpdateRowsInput, as: RunActor, on: Queryable): Promise<unknown>;
  /** @returns how many rows are gone */
  deleteRows(input: DeleteRowsInput, as: RunActor, on: Queryable): Promise<number>;
}
