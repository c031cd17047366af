import { nextFlight, singleFlight } from "@rowhouse/limits";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Database } from "../queryable.ts";
import { readPostgresFailure } from "../sqlstate.ts";
import { loadSnapshot } from "./load-snapshot.ts";
import { isCurrent, type Snapshot } from "./snapshot.ts";

/** Holds the newest snapshot of this process. */
export interface SnapshotStore {
  /** Returns the cached snapshot; loads the first one. It may be stale, so the caller's statement must prove it. */
  current(): Promise<Snapshot>;
  /** Returns the cached snapshot without waiting; undefined before the first load. */
  peek(): Snapshot | undefined;
  /** Returns a snapshot newer than `stale`, which a statement has found out of date. */
  replace(stale: Snapshot): Promise<Snapshot>;
  /** Returns a snapshot that was current at a moment after this call. */
  fresh(): Promise<Snapshot>;
}

/**
 * Creates a store that holds one snapshot and reloads it when a statement has found it stale.
 *
 * @param onLoaded receives the duration of each load
 */
export function createSnapshotStore(
  database: Database,
  onLoaded?: (seconds: number) => void,
): SnapshotStore {
  let latest: Snapshot | undefined;
  const loadNext = nextFlight(async () => {
    const begun = performance.now();
    const before = latest?.catalogue;
    latest = await loadSnapshot(database, latest);
    tellOfCode(database, before, latest.catalogue);
    onLoaded?.((performance.now() - begun) / 1000);
    return latest;
  });
  const load: () => Promise<Snapshot> = singleFlight(async () => {
    try {
      return await loadNext();
    } catch (error) {
      // An object of the database's users has a name of ours, an object of ours has changed, or a privilege is missing.
      if (readPostgresFailure(error)?.code.startsWith("42")) database.doubt(load);
      throw error;
    }
  });
  const replace = async (stale: Snapshot): Promise<Snapshot> =>
    latest !== undefined && latest !== stale ? latest : load();

  return {
    current: async () => latest ?? load(),
    peek: () => latest,
    replace,
    fresh: async () => {
      const cached = latest ?? (await load());
      if (await isCurrent(database, cached)) return cached;
      // A shared load may have read its data before this call.
      const shared = await replace(cached);
      return (await isCurrent(database, shared)) ? shared : loadNext();
    },
  };
}

/**
 * Tells the pool what code its statements may run. A connection may have served a statement of a relation before its
 * new code was known, so none of those is used again.
 */
function tellOfCode(database: Database, before: Catalogue | undefined, now: Catalogue): void {
  database.forgetStatementsOfCode(now.preparesStatements);
  if (before === undefined || before === now) return;
  const hasNew = now.relations.some(({ oid, runsCode }) => {
    const known = before.relationByOid(oid)?.runsCode;
    return (
      known !== undefined &&
      ((runsCode.reads && !known.reads) || (runsCode.writes && !known.writes))
    );
  });
  if (hasNew) database.renew();
}
