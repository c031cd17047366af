import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { client } from "../../shell/client.ts";
import type { Definition } from "../model/definition.ts";
import {
  type Run,
  type RunAddress,
  type RunStep,
  runOutlineQuery,
  runQuery,
} from "./run-queries.ts";
import { loopsAround, type RunRow, runRows } from "./run-rows.ts";
import { indexSteps, type StepIndex } from "./step-index.ts";

/** A run with its steps, as far as they are loaded. */
interface LoadedRun {
  readonly run: Run | undefined;
  readonly steps: readonly RunStep[] | undefined;
  /** Why nothing can be shown, or why a run in progress is followed no longer. */
  readonly error: unknown;
  reload(): void;
}

/** Loads a run, and follows it by its events until it ends. */
export function useRun({ id, runId }: RunAddress): LoadedRun {
  const cache = useQueryClient();
  const query = runQuery({ id, runId });
  const run = useQuery(query);
  const wasOpen = useWasOpen(runId, run.data);
  const outline = useQuery({
    ...runOutlineQuery({ id, runId }),
    enabled: run.data !== undefined && !wasOpen,
  });
  const [followed, setFollowed] = useState<readonly RunStep[]>();
  const [failure, setFailure] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const { queryKey } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows the run again; the key is that of the run
  useEffect(() => {
    if (!wasOpen) return;
    const ending = new AbortController();
    const follow = async (): Promise<void> => {
      const steps = new Map<string, RunStep>();
      const path = { id, runId };
      const { signal } = ending;
      const events = client.admin.events("/workflows/{id}/runs/{runId}", { path, signal });
      for await (const { event, data } of events) {
        if (event === "run") {
          cache.setQueryData(queryKey, (last) =>
            last === undefined ? last : { ...last, ...data },
          );
        } else if (event === "steps") {
          for (const step of data) steps.set(step.path, step);
          setFollowed([...steps.values()]);
        } else {
          setFollowed([...steps.values()]);
        }
      }
      // The events have neither its input nor the outputs of its steps.
      await cache.invalidateQueries({ queryKey });
      // The lists of runs have its old status.
      await cache.invalidateQueries({ queryKey: ["workflow-runs"], refetchType: "none" });
    };
    follow().catch((error: unknown) => {
      if (!ending.signal.aborted) setFailure(error);
    });
    return () => ending.abort();
  }, [id, runId, wasOpen, attempt]);
  const steps = wasOpen ? followed : outline.data;
  return {
    run: run.data,
    steps,
    error:
      (run.data === undefined ? run.error : null) ??
      (outline.data === undefined ? outline.error : null) ??
      failure,
    reload: () => {
      setFailure(null);
      setAttempt((last) => last + 1);
      void run.refetch();
      if (!wasOpen) void outline.refetch();
    },
  };
}

/** Whether a run was in progress when it was first seen. It stays true, so that the followed steps stay. */
function useWasOpen(runId: string, run: Run | undefined): boolean {
  const [seen, setSeen] = useState<{ readonly runId: string; readonly isOpen: boolean }>();
  if (run !== undefined && seen?.runId !== runId) {
    const isOpen = run.finishedAt === null;
    setSeen({ runId, isOpen });
    return isOpen;
  }
  return seen?.runId === runId && seen.isOpen;
}

/** The tree of a run as it is shown. */
interface RunTreeState {
  readonly index: StepIndex;
  readonly rows: readonly RunRow[];
  setOpen(row: RunRow, isOpen: boolean): void;
}

/**
 * Builds the tree of a run. Branches are open, loops and their items closed, except around the selected step.
 *
 * @param selected key of the selected row
 */
export function useRunTree(
  definition: Definition,
  steps: readonly RunStep[],
  selected: string,
): RunTreeState {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const index = useMemo(() => indexSteps(steps), [steps]);
  // The rows stay the same while the selection moves within an item.
  const loops = loopsAround(selected).join(" ");
  const around = useMemo(() => new Set(loops.split(" ")), [loops]);
  const rows = useMemo(
    () =>
      runRows(
        definition,
        index,
        (key, type) => changed.get(key) ?? (type === "branches" || around.has(key)),
      ),
    [definition, index, changed, around],
  );
  const setOpen = useCallback((row: RunRow, isOpen: boolean): void => {
    setChanged((last) => new Map(last).set(row.key, isOpen));
  }, []);
  return { index, rows, setOpen };
}

const stepMs = 500;

/** The present in milliseconds since 1970, renewed while something is in progress. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
