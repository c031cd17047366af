import type { Queryable } from "@rowhouse/db";

/** The user whom the steps of a run act for, with the rights of the token that started the run, if any. */
export interface RunActor {
  readonly userId: string;
  readonly tokenId: string | null;
}

interface TableName {
  readonly schema: string;
  readonly table: string;
}

/** The terms of an option are one text, as in a query, or a list. */
export interface ListRowsInput extends TableName {
  readonly fields?: string | readonly string[];
  /** A filter as JSON (docs/data-api.md). */
  readonly where?: unknown;
  readonly orderBy?: string | readonly string[];
  /** Maximum number of rows. */
  readonly limit?: number;
}

export interface GetRowInput extends TableName {
  /** The values of the key, in the order of its columns. */
  readonly id: readonly string[];
  readonly fields?: string | readonly string[];
}

export interface CreateRowInput extends TableName {
  /** JSON values. A number that no double represents exactly is an exact number of `parseExactJson`. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The row with the key, or at most `maxAffected` rows that match a filter. */
export type RowSelection =
  | { readonly id: readonly string[] }
  | { readonly where: unknown; readonly maxAffected: number };

export type DeleteRowsInput = TableName & RowSelection;
export type UpdateRowsInput = DeleteRowsInput & Pick<CreateRowInput, "values">;

/**
 * The Data API without HTTP, for row steps. The workflows use it and `packages/data` implements it. Each call acts with
 * the current permissions of the user and of the token, in the transaction `on`: its writes and the journal entry
 * of the step commit together or not at all.
 */
export interface RowEngine {
  /** Reads rows of a table or of a view. */
  listRows(input: ListRowsInput, as: RunActor, on?: Queryable): Promise<unknown[]>;
  /** @throws AppError NOT_FOUND */
  getRow(input: GetRowInput, as: RunActor, on?: Queryable): Promise<unknown>;
  createRow(input: CreateRowInput, as: RunActor, on: Queryable): Promise<unknown>;
  /** @returns the row of a key, or the list of rows that match the filter */
  updateRows(input: UpdateRowsInput, as: RunActor, on: Queryable): Promise<unknown>;
  /** @returns the number of deleted rows */
  deleteRows(input: DeleteRowsInput, as: RunActor, on: Queryable): Promise<number>;
}
