import { kindOf } from "../model/definition.ts";
import type { RunSummary } from "../parts/workflow-queries.ts";
import type { RunRow } from "./run-rows.ts";

/** When a row began and ended, in milliseconds since 1970, and what the time was for. */
export interface RowTimes {
  readonly from: number;
  readonly to: number;
  readonly look: "QUEUED" | "WAITING" | "RETRIED" | "RUNNING" | "SUCCEEDED" | "FAILED";
}

/**
 * Returns the time of a row. Undefined for a row without one.
 *
 * @param end the end of the run, or the present, in milliseconds since 1970
 */
export function timesOf(
  row: RunRow,
  run: Pick<RunSummary, "acceptedAt" | "startedAt" | "finishedAt">,
  end: number,
): RowTimes | undefined {
  const until = (moment: string | null) => (moment === null ? end : Date.parse(moment));
  if (row.type === "start") {
    const to = until(run.startedAt ?? run.finishedAt);
    return { from: Date.parse(run.acceptedAt), to, look: "QUEUED" };
  }
  if (row.type === "end") return undefined;
  if (row.type === "item") {
    const { from, to, status } = row.item;
    const look = status === "OPEN" ? "RUNNING" : status;
    return { from: Date.parse(from), to: until(to), look };
  }
  const { record, step } = row;
  if (record === undefined) return undefined;
  const { status, attempt, startedAt, finishedAt } = record;
  const isWait = kindOf(step) === "delay" || kindOf(step) === "runWorkflow";
  const isOpen = finishedAt === null;
  const ended = status === "FAILED" ? "FAILED" : "SUCCEEDED";
  const open = status === "WAITING" ? "WAITING" : "RUNNING";
  const look =
    status !== "FAILED" && isWait && !isOpen
      ? "WAITING"
      : attempt > 1 && !isOpen && ended === "SUCCEEDED"
        ? "RETRIED"
        : isOpen
          ? open
          : ended;
  return { from: Date.parse(startedAt), to: until(finishedAt), look };
}
