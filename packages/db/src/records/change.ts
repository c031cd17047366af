import { createError } from "@rowhouse/errors";
import type { Conflict } from "../kinds/kind.ts";
import type { Database, Queryable, Transaction } from "../queryable.ts";
import { readPostgresFailure, toAppError } from "../sqlstate.ts";
import { type AuditActor, type AuditEntry, appendAuditEntries } from "./audit-log.ts";

/** The result of a change and its entries for the audit log. */
export interface AuditedChange<Result> {
  readonly result: Result;
  /** One entry, or one for each target; null if the change had no effect. */
  readonly entry: AuditEntry | readonly AuditEntry[] | null;
}

/**
 * Makes a change and writes its audit entry in one transaction.
 *
 * @param conflict the error for a record that already exists with these values
 * @throws AppError; the change is rolled back
 */
export async function makeChange<Result>(
  database: Database,
  actor: AuditActor,
  work: (transaction: Transaction) => Promise<AuditedChange<Result>>,
  conflict?: Conflict,
): Promise<Result> {
  const attempt = (): Promise<Result> =>
    database.transaction(async (transaction) => {
      await actFor(transaction, actor);
      const { result, entry } = await work(transaction);
      await appendAuditEntries(transaction, actor, [entry ?? []].flat());
      return result;
    });
  try {
    // Of two changes in a deadlock, PostgreSQL rolls one back; it can be repeated after the other.
    return await attempt().catch((error: unknown) => {
      if (readPostgresFailure(error)?.code !== "40P01") throw error;
      return attempt();
    });
  } catch (error) {
    if (conflict !== undefined && readPostgresFailure(error)?.code === "23505") {
      throw createError("CONFLICT", { ...conflict, cause: error });
    }
    throw toAppError(error);
  }
}

/** Sets the actor of a transaction for the triggers that protect the records of the system schema. */
export async function actAs(transaction: Queryable, userId: string | null): Promise<void> {
  await transaction.query("select system.act_as($1::text::uuid)", [userId], { prepare: true });
}

/**
 * Sets the author of a request, including its token: the triggers of the system schema allow a token less than its
 * owner.
 */
export async function actFor(transaction: Queryable, actor: AuditActor): Promise<void> {
  await transaction.query(
    "select system.act_for_request($1::text::uuid, $2::text::uuid, $3::text::inet, $4::text)",
    [actor.userId, actor.tokenId, actor.address, actor.requestId],
    { prepare: true },
  );
}

/** Returns the record, or throws NOT_FOUND if it is missing. */
export function requireFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw createError("NOT_FOUND");
  return row;
}
