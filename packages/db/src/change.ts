import { createError } from "@rowhouse/errors";
import { type AuditActor, type AuditEntry, appendAuditEntry } from "./audit-log.ts";
import type { Database, Transaction } from "./database.ts";
import { readPostgresFailure, toAppError } from "./sqlstate.ts";

/** What a change did, for the audit log, and what it gives back. */
export interface Change<Result> {
  readonly result: Result;
  /** Null where nothing was changed after all. */
  readonly entry: AuditEntry | null;
}

/** How a change that breaks a unique key is told to its caller. */
export interface Conflict {
  readonly path?: string;
  readonly message: string;
}

/**
 * Makes a change and its audit entry in one transaction.
 *
 * @param conflict what to say where a record with these values exists already
 * @throws AppError; nothing is left of the change then
 */
export async function makeChange<Result>(
  database: Database,
  actor: AuditActor,
  work: (transaction: Transaction) => Promise<Change<Result>>,
  conflict?: Conflict,
): Promise<Result> {
  try {
    return await database.transaction(async (transaction) => {
      const { result, entry } = await work(transaction);
      if (entry !== null) await appendAuditEntry(transaction, actor, entry);
      return result;
    });
  } catch (error) {
    if (conflict !== undefined && readPostgresFailure(error)?.code === "23505") {
      throw createError("CONFLICT", { ...conflict, cause: error });
    }
    throw toAppError(error);
  }
}

/** A record that has to be there. */
export function requireFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw createError("NOT_FOUND");
  return row;
}
