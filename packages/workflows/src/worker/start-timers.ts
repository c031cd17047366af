import { mendWatches } from "../event/watch.ts";
import { type FireSchedulesDeps, fireSchedules } from "../schedule/fire-schedules.ts";
import { purgeHistory, type ReconcileDeps, reconcileRuns } from "./reconcile.ts";

const pauseMinMs = 10;

export interface TimerDeps extends ReconcileDeps, FireSchedulesDeps {
  /** How long finished runs are stored, in days. */
  readonly retentionDays: () => number | Promise<number>;
  /** Deletes other expired records. */
  readonly purgeOthers?: () => Promise<unknown>;
  /**
   * Interval of the reconciler and of the search for due schedules, newly published ones included, in milliseconds.
   */
  readonly reconcileEveryMs?: number;
  readonly purgeEveryMs?: number;
  readonly mendEveryMs?: number;
}

/** Starts a worker's periodic tasks. Every worker may run them: database locks prevent conflicts. */
export function startTimers(deps: TimerDeps): { close(): Promise<void> } {
  const reconcileEveryMs = deps.reconcileEveryMs ?? 5000;
  const reconcile = every(reconcileEveryMs, deps.report, async () => {
    await reconcileRuns(deps);
    return undefined;
  });
  const schedules = every(reconcileEveryMs, deps.report, () => fireSchedules(deps));
  const purge = every(deps.purgeEveryMs ?? 3_600_000, deps.report, async () => {
    await purgeHistory(deps.database, await deps.retentionDays());
    await deps.purgeOthers?.();
    return undefined;
  });
  const mend = every(deps.mendEveryMs ?? 60_000, deps.report, async () => {
    await mendWatches(deps.database);
    return undefined;
  });
  return {
    close: async () => {
      await Promise.all([reconcile.close(), schedules.close(), purge.close(), mend.close()]);
    },
  };
}

/** Runs `work` at once and again `pauseMs` after each end, or earlier if it returns a shorter time. */
function every(
  pauseMs: number,
  report: (error: unknown) => void,
  work: () => Promise<number | undefined>,
): { close(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const turn = () => {
    running = work()
      .catch((error: unknown) => {
        report(error);
        return undefined;
      })
      .then((dueInMs) => {
        const pause = Math.min(pauseMs, Math.max(pauseMinMs, dueInMs ?? pauseMs));
        if (!stopped) timer = setTimeout(turn, pause).unref();
      });
  };
  turn();
  return {
    close: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
