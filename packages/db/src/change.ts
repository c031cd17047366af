import { createError } from "@rowhouse/errors";
import { type AuditActor, type AuditEntry, appendAuditEntries } from "./audit-log.ts";
import type { Database, Queryable, Transaction } from "./queryable.ts";
import { readPostgresFailure, toAppError } from "./sqlstate.ts";

/** What a change did, for the audit log, and what it gives back. */
export interface Change<Result> {
  readonly result: Result;
  /** One, or one for each of several targets; null where nothing was changed after all. */
  readonly entry: AuditEntry | readonly AuditEntry[] | null;
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
  const attempt = (): Promise<Result> =>
    database.transaction(async (transaction) => {
      await actFor(transaction, actor);
      const { result, entry } = await work(transaction);
      await appendAuditEntries(transaction, actor, [entry ?? []].flat());
      return result;
    });
  try {
    // Of two changes that wait for one another Postgres undoes one, which can be made after the other.
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

/** Says who makes the changes of a transaction, to the triggers that guard the records of the system schema. */
export async function actAs(transaction: Queryable, userId: string | null): Promise<void> {
  await transaction.query("select system.act_as($1::text::uuid)", [userId], { prepare: true });
}

/** Names the author of a request, its token included: the guards of the system schema allow a token less than its owner. */
export async function actFor(transaction: Queryable, actor: AuditActor): Promise<void> {
  await transaction.query(
    "select system.act_for_request($1::text::uuid, $2::text::uuid, $3::text::inet, $4::text)",
    [actor.userId, actor.tokenId, actor.address, actor.requestId],
    { prepare: true },
  );
}

/** A record that has to be there. */
export function requireFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw createError("NOT_FOUND");
  return row;
}
