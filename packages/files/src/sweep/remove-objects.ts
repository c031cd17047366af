import type { Database } from "@rowhouse/db";
import PQueue from "p-queue";
import type { Storage } from "../storage/storage.ts";
import { isNamedSql } from "./named-keys.ts";

/** What sweeps work on. */
export interface SweepDeps {
  readonly database: Database;
  readonly storage: Storage;
}

const claimedMax = 100;
const deletionsAtOnce = 8;

/**
 * Deletes the objects whose removal is due, a batch of them, and then their entries. An entry is claimed by moving its
 * time, which is also the pause before the next attempt: a killed worker loses none.
 *
 * @returns the number of objects, and whether more may be due
 * @throws the first error of the storage, after all objects of the batch were tried
 */
export async function removeObjects(
  deps: SweepDeps,
): Promise<{ readonly removed: number; readonly isFull: boolean }> {
  const keys = await claimRemovals(deps.database);
  const errors: unknown[] = [];
  const removed: string[] = [];
  const queue = new PQueue({ concurrency: deletionsAtOnce });
  await queue.addAll(
    keys.map((key) => async () => {
      await deps.storage.delete(key).then(
        () => removed.push(key),
        (error: unknown) => errors.push(error),
      );
    }),
  );
  await deps.database.query(
    "delete from system.object_removals where storage_key = any ($1::text[])",
    [arrayOf(removed)],
  );
  if (errors.length > 0) throw errors[0];
  return { removed: removed.length, isFull: keys.length === claimedMax };
}

/** Claims due removals, and discards those whose object a row names again, as after a row was restored. */
async function claimRemovals(database: Database): Promise<string[]> {
  const rows = await database.query<{ storage_key: string }>(
    `with due as (
       select r.storage_key, ${isNamedSql("r.storage_key")} as is_named from system.object_removals r
       where r.due_at <= system.clock() order by r.due_at limit ${claimedMax} for update skip locked),
     discarded as (
       delete from system.object_removals r using due d where r.storage_key = d.storage_key and d.is_named)
     update system.object_removals r
     set attempts = r.attempts + 1, due_at = system.clock() + interval '1 minute' * power(2, least(r.attempts, 8))
     from due d where r.storage_key = d.storage_key and not d.is_named
     returning r.storage_key`,
  );
  return rows.map((row) => row.storage_key);
}

/** Keys have no quotes, commas or braces. */
export function arrayOf(keys: readonly string[]): string {
  return `{${keys.join(",")}}`;
}
