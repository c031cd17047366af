import { createError } from "@rowhouse/errors";
import type { Transaction } from "./queryable.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/** How long a change of a table's triggers waits while the table is being written. */
const lockTimeout = "3s";

/**
 * Updates the triggers of a table to match the workflows that watch it and its row history.
 *
 * @throws AppError CONFLICT if the table is locked, or the service's login may not create triggers on it
 */
export async function syncTriggers(transaction: Transaction, resourceId: string): Promise<void> {
  try {
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    await transaction.asService.query("select system.sync_event_triggers($1::text::uuid)", [
      resourceId,
    ]);
  } catch (error) {
    const code = readPostgresFailure(error)?.code;
    if (code === "55P03") {
      const message = "The table is locked, and its triggers cannot change; try again";
      throw createError("CONFLICT", { message, cause: error });
    }
    if (code === "42501") {
      const message = "The service's database login lacks the TRIGGER privilege on the table";
      throw createError("CONFLICT", { message, cause: error });
    }
    throw error;
  }
}
