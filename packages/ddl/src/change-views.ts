import { type Database, type Transaction, toAppError } from "@rowhouse/db";
import { lockTimeout } from "./base/transaction-settings.ts";
import type { TableStatement } from "./compile-create-table.ts";
import { toViewError } from "./view-errors.ts";

/** Runs a transaction that changes views, under the lock timeout. */
export async function changeViews<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database
    .transaction(async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      return work(transaction);
    })
    .catch((error: unknown) => {
      throw toAppError(error);
    });
}

/** Runs statements; an error of each has the statement's own path. */
export async function applyStatements(
  transaction: Transaction,
  statements: readonly TableStatement[],
): Promise<void> {
  for (const { sql, path } of statements) {
    try {
      await transaction.asService.query(sql);
    } catch (error) {
      throw toViewError(error, path);
    }
  }
}
