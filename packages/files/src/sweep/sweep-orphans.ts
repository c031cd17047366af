import type { Database } from "@rowhouse/db";
import { isOwnKey } from "../storage/storage-key.ts";
import { isNamedSql } from "./named-keys.ts";
import { arrayOf, type SweepDeps } from "./remove-objects.ts";

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
     select k, system.clock() from unnest($1::text[]) k where not ${isNamedSql("k")}
     on conflict do nothing returning storage_key`,
    [arrayOf(keys)],
  );
  return rows.length;
}
