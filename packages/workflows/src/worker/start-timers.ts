import { mendWatches } from "../event/watch.ts";
import { purgeHistory, type ReconcileDeps, reconcileRuns } from "./reconcile.ts";

export interface TimerDeps extends ReconcileDeps {
  /** How long finished runs are kept, in days. */
  readonly retentionDays: () => number | Promise<number>;
  /** What else is deleted by the clock. */
  readonly purgeOthers?: () => Promise<unknown>;
  readonly report: (error: unknown) => void;
  readonly reconcileEveryMs?: number;
  readonly purgeEveryMs?: number;
  readonly mendEveryMs?: number;
}

/** Starts what a worker does by the clock. Every worker may: an advisory lock lets one at a time. */
export function startTimers(deps: TimerDeps): { close(): Promise<void> } {
  const reconcile = every(deps.reconcileEveryMs ?? 5000, deps.report, async () => {
    await reconcileRuns(deps);
  });
  const purge = every(deps.purgeEveryMs ?? 3_600_000, deps.report, async () => {
    await purgeHistory(deps.database, await deps.retentionDays());
    await deps.purgeOthers?.();
  });
  const mend = every(deps.mendEveryMs ?? 60_000, deps.report, () => mendWatches(deps.database));
  return {
    close: async () => {
      await Promise.all([reconcile.close(), purge.close(), mend.close()]);
    },
  };
}

/** Runs `work` at once and then again, `pauseMs` after each end. */
function every(
  pauseMs: number,
  report: (error: unknown) => void,
  work: () => Promise<void>,
): { close(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const turn = () => {
    running = work()
      .catch(report)
      .finally(() => {
        if (!stopped) timer = setTimeout(turn, pauseMs).unref();
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
