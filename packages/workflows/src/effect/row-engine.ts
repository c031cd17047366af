import type { Queryable } from "@rowhouse/db";
import type { RunActor } from "../model/run-token.ts";

export interface ListRowsInput {
  readonly schema: string;
  readonly table: string;
  readonly fields?: string;
  /** A filter as JSON (docs/data-api.md). */
  readonly where?: unknown;
  readonly orderBy?: string;
  readonly limit?: number;
}

export interface CreateRowInput {
  readonly schema: string;
  readonly table: string;
  /** JSON values. A number that no double represents exactly is an exact number of `parseExactJson`. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface GetRowInput {
  readonly schema: string;
  readonly table: string;
  /** The values of the key, in the order of its columns. */
  readonly id: readonly string[];
  readonly fields?: string;
}

/** The row with the key, or at most `maxAffected` rows that match a filter. */
export type RowSelection =
  | { readonly id: readonly string[] }
  | { readonly where: unknown; readonly maxAffected: number };

export type DeleteRowsInput = { readonly schema: string; readonly table: string } & RowSelection;
export type UpdateRowsInput = DeleteRowsInput & {
  readonly values: Readonly<Record<string, unknown>>;
};

/**
 * The part of the data engine that row steps use. Each call acts with the current permissions of the user and of the
 * run's token, if any, in the given transaction: its writes and its journal entry commit together or not at all.
 */
export interface RowEngine {
  listRows(input: ListRowsInput, as: RunActor, on?: Queryable): Promise<unknown[]>;
  /** @throws AppError NOT_FOUND */
  getRow(input: GetRowInput, as: RunActor, on?: Queryable): Promise<unknown>;
  createRow(input: CreateRowInput, as: RunActor, on: Queryable): Promise<unknown>;
  /** @returns the row of a key, or the list of rows that match the filter */
  updateRows(input: UpdateRowsInput, as: RunActor, on: Queryable): Promise<unknown>;
  /** @returns the number of deleted rows */
  deleteRows(input: DeleteRowsInput, as: RunActor, on: Queryable): Promise<number>;
}
