import type { Database } from "@rowhouse/db";
import { startRepeatedTask } from "@rowhouse/limits";
import PQueue from "p-queue";
import type { Storage } from "../storage/storage.ts";
import { isOwnKey } from "../storage/storage-key.ts";
import { discardUploads } from "../uploads/discard-uploads.ts";

export interface StartSweepsDeps extends SweepDeps {
  readonly report: (error: unknown) => void;
  /** Records how many objects or uploads a sweep has found. */
  readonly onSwept?: ((kind: SweepKind, count: number) => void) | undefined;
  readonly removeEveryMs?: number;
  readonly expireEveryMs?: number;
  readonly searchEveryMs?: number;
}

/** Removed objects, expired uploads, objects without a row, parts of killed writers. */
export type SweepKind = "removed" | "expired" | "orphaned" | "unfinished";

/** Starts the sweeps of a worker. Every worker may run them: each turn is claimed in the database. */
export function startSweeps(deps: StartSweepsDeps): { close(): Promise<void> } {
  const { report } = deps;
  const record = (kind: SweepKind, count: number) => {
    if (count > 0) deps.onSwept?.(kind, count);
  };
  const tasks = [
    startRepeatedTask(deps.removeEveryMs ?? 30_000, report, async () => {
      const { removed, isFull } = await removeObjects(deps);
      record("removed", removed);
      return isFull ? 0 : undefined;
    }),
    startRepeatedTask(deps.expireEveryMs ?? 300_000, report, async () => {
      record("expired", await expireUploads(deps.database));
      return undefined;
    }),
    startRepeatedTask(deps.searchEveryMs ?? 60_000, report, async (signal) => {
      const found = await sweepOrphans(deps, signal);
      record("orphaned", found?.orphaned ?? 0);
      record("unfinished", found?.unfinished ?? 0);
      return found === undefined ? undefined : 0;
    }),
  ];
  return {
    close: async () => {
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}

const uploadsAtOnce = 100;

/** Rows that a writer has locked are left to the next turn. */
const expired = `u.id in (
  select e.id from system.uploads e where e.expires_at <= system.clock()
  order by e.expires_at limit ${uploadsAtOnce} for update skip locked)`;

/**
 * Deletes uploads that have expired, and has the objects removed that no file took.
 *
 * @returns the number of uploads
 */
export async function expireUploads(database: Database): Promise<number> {
  let count = 0;
  for (;;) {
    const discarded = await discardUploads(database, expired, []);
    count += discarded;
    if (discarded < uploadsAtOnce) return count;
  }
}

/** Younger objects may belong to a transaction in progress, and younger parts to a writer. */
const ageMinMs = 86_400_000;
const pageSize = 1000;
const pagesMax = 100;

/** The result of a turn. */
export interface OrphanSweep {
  /** Objects that no row names. */
  readonly orphaned: number;
  /** Parts that killed writers left. */
  readonly unfinished: number;
}

/**
 * Searches a part of the storage for objects that no row names, and has them removed. One worker in an hour takes the
 * turn of a prefix; the next turn continues where it ended or was killed.
 *
 * @returns undefined if no turn is due
 */
export async function sweepOrphans(
  deps: SweepDeps,
  signal: AbortSignal,
): Promise<OrphanSweep | undefined> {
  const [turn] = await deps.database.query<{ prefix: string; position: string }>(
    `update system.object_sweeps set due_at = system.clock() + interval '1 hour'
     where prefix = (select prefix from system.object_sweeps where due_at <= system.clock()
                     order by due_at limit 1 for update skip locked)
     returning prefix, position`,
  );
  if (turn === undefined) return undefined;
  const before = new Date(Date.now() - ageMinMs);
  const unfinished = await deps.storage.discardUnfinished(before);
  const orphaned = await sweepPrefix(deps, turn, before, signal);
  return { orphaned, unfinished };
}

async function sweepPrefix(
  { database, storage }: SweepDeps,
  { prefix, position }: { readonly prefix: string; readonly position: string },
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let orphaned = 0;
  let seen = 0;
  let old: string[] = [];
  const endPage = async (last: string) => {
    orphaned += await queueUnnamed(database, old);
    old = [];
    await database.query(
      "update system.object_sweeps set position = $2::text where prefix = $1::text",
      [prefix, last],
    );
  };
  for await (const { key, modifiedAt } of storage.list(prefix, position)) {
    if (modifiedAt < before && isOwnKey(key)) old.push(key);
    seen += 1;
    if (seen % pageSize !== 0) continue;
    await endPage(key);
    if (signal.aborted || seen === pageSize * pagesMax) return orphaned;
  }
  // The next turn begins again.
  await endPage("");
  return orphaned;
}

/** Has the objects removed that no row names. */
async function queueUnnamed(database: Database, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const rows = await database.query(
    `insert into system.object_removals (storage_key, due_at)
     select k, system.clock() from pg_catalog.unnest($1::text[]) k where not ${isNamedSql("k")}
     on conflict do nothing returning storage_key`,
    [arrayOf(keys)],
  );
  return rows.length;
}

/** What sweeps work on. */
interface SweepDeps {
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
function arrayOf(keys: readonly string[]): string {
  return `{${keys.join(",")}}`;
}

/**
 * Returns the condition that a row names an object. It reads one snapshot, so a key that moves from an upload to a file
 * is never missed.
 *
 * @param key an SQL expression
 */
function isNamedSql(key: string): string {
  const tables = ["files", "uploads", "upload_segments", "file_variants"];
  return `(${tables.map((table) => `exists (select from system.${table} n where n.storage_key = ${key})`).join(" or ")})`;
}
