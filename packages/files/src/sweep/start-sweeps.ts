import { startRepeatedTask } from "@rowhouse/limits";
import { expireUploads } from "./expire-uploads.ts";
import { removeObjects, type SweepDeps } from "./remove-objects.ts";
import { sweepOrphans } from "./sweep-orphans.ts";

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
