import type { Queryable } from "@rowhouse/db";

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

/** What row steps need of the data engine; each call acts with the permissions that the user has at that moment. */
export interface RowEngine {
  listRows(input: ListRowsInput, asUserId: string): Promise<unknown[]>;
  /** Runs on the given transaction: the row and its journal entry exist together or not at all. */
  createRow(input: CreateRowInput, asUserId: string, on: Queryable): Promise<unknown>;
}
