import type { Database } from "@rowhouse/db";
import { startRepeatedTask } from "@rowhouse/limits";
import { mendWatches } from "../event/watch.ts";
import { type FireSchedulesDeps, fireSchedules } from "../schedule/fire-schedules.ts";
import { endOverdueRuns, purgeHistory, type ReconcileDeps, reconcileRuns } from "./reconcile.ts";

export interface TimerDeps extends ReconcileDeps, FireSchedulesDeps {
  /** How long finished runs are stored, in days. */
  readonly retentionDays: () => number | Promise<number>;
  /** Mails failed runs to their watchers. */
  readonly mailFailures?: () => Promise<void>;
  /** Deletes other expired records. */
  readonly purgeOthers?: () => Promise<unknown>;
  /**
   * Interval of the reconciler and of the search for due schedules, newly published ones included, in milliseconds.
   */
  readonly reconcileEveryMs?: number;
  readonly purgeEveryMs?: number;
  readonly mendEveryMs?: number;
}

const mailEveryMs = 10_000;

/** Starts a worker's periodic tasks. Every worker may run them: database locks prevent conflicts. */
export function startTimers(deps: TimerDeps): { close(): Promise<void> } {
  const reconcileEveryMs = deps.reconcileEveryMs ?? 5000;
  const renewPlans = createPlanRenewal(deps.database);
  const reconcile = startRepeatedTask(reconcileEveryMs, deps.report, async () => {
    await renewPlans();
    await endOverdueRuns(deps);
    await reconcileRuns(deps);
    return undefined;
  });
  const schedules = startRepeatedTask(reconcileEveryMs, deps.report, () => fireSchedules(deps));
  const purge = startRepeatedTask(deps.purgeEveryMs ?? 3_600_000, deps.report, async () => {
    await purgeHistory(deps.database, await deps.retentionDays());
    await deps.purgeOthers?.();
    return undefined;
  });
  const mend = startRepeatedTask(deps.mendEveryMs ?? 60_000, deps.report, async () => {
    await mendWatches(deps.database);
    return undefined;
  });
  const mails = startRepeatedTask(mailEveryMs, deps.report, async () => {
    await deps.mailFailures?.();
    return undefined;
  });
  const tasks = [reconcile, schedules, purge, mend, mails];
  return {
    close: async () => {
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}

/** Pages of 8 KB below which a scan of a table costs as little as a look-up by its index. */
const smallPages = 64;
const growth = 8;

/**
 * Returns a function that renews the connections of a pool once the tables of runs have grown much since their plans were
 * made. A session keeps the plan of a prepared statement until PostgreSQL analyzes the table: one that was made while the
 * tables were small reads all of them for each run. Call it often; each renewal needs eight times the size of the last one.
 */
export function createPlanRenewal(
  database: Pick<Database, "query" | "renew">,
): () => Promise<void> {
  let known = 0;
  return async () => {
    const [row] = await database.query<{ pages: number }>(
      `select ((pg_catalog.pg_relation_size('system.workflow_runs')
        + pg_catalog.pg_relation_size('system.workflow_run_steps')) / 8192)::double precision as pages`,
    );
    const pages = row?.pages ?? 0;
    const isGrown = known > 0 && pages >= growth * Math.max(known, smallPages / growth);
    if (isGrown) database.renew();
    // Fewer after a purge: plans of then are small again.
    if (isGrown || known === 0 || pages < known) known = Math.max(1, pages);
  };
}
