import { useQuery } from "@tanstack/react-query";
import {
  type Run,
  type RunAddress,
  type RunStep,
  runOutlineQuery,
  runQuery,
} from "./run-queries.ts";

/** A run with its steps, as far as they are loaded. */
export interface LoadedRun {
  readonly run: Run | undefined;
  readonly steps: readonly RunStep[] | undefined;
  readonly error: unknown;
  reload(): void;
}

/** How often a run in progress is read, in milliseconds. */
const everyMs = 1000;

/** Loads a run and follows it until it ends. */
export function useRun(address: RunAddress): LoadedRun {
  const run = useQuery({
    ...runQuery(address),
    refetchInterval: ({ state }) => (isOpen(state.data) ? everyMs : false),
  });
  const steps = useQuery({
    ...runOutlineQuery(address),
    refetchInterval: () => (isOpen(run.data) ? everyMs : false),
  });
  return {
    run: run.data,
    steps: steps.data,
    error:
      (run.data === undefined ? run.error : null) ??
      (steps.data === undefined ? steps.error : null),
    reload: () => {
      void run.refetch();
      void steps.refetch();
    },
  };
}

function isOpen(run: Run | undefined): boolean {
  return run !== undefined && run.finishedAt === null;
}
