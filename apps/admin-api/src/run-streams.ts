import type { Database } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { SentEvent, ServiceEnvironment } from "@rowhouse/http";
import { RunCursor, watchRun } from "@rowhouse/workflows";
import type { Context } from "hono";
import type { EventStreams } from "./event-streams.ts";

/**
 * Returns the events of a run: `run`, `steps` and at last `end`. The stream ends without `end` when its caller loses
 * the right to it, when the run is deleted, and when this process stops.
 *
 * @throws AppError QUERY_INVALID for an unknown `Last-Event-ID`, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
 */
export function openRunStream(
  { database, streams }: { readonly database: Database; readonly streams: EventStreams },
  c: Context<ServiceEnvironment>,
  ids: { readonly workflowId: string; readonly runId: string },
): Promise<Response> {
  const from = readCursor(c.req.header("last-event-id"), ids.runId);
  return streams.open(c, "a run", (signal) => eventsOf(watchRun(database, ids, { from, signal })));
}

async function* eventsOf(
  changes: ReturnType<typeof watchRun>,
): AsyncGenerator<SentEvent | "IDLE", void, undefined> {
  for await (const change of changes) {
    if (change.kind === "IDLE") yield "IDLE";
    else if (change.kind === "RUN") yield { event: "run", id: change.cursor, data: change.run };
    else if (change.kind === "END") yield { event: "end", id: change.cursor, data: "{}" };
    else yield { event: "steps", id: change.cursor, data: JSON.stringify(change.steps) };
  }
}

function readCursor(text: string | undefined, runId: string): RunCursor | undefined {
  if (text === undefined) return undefined;
  const cursor = RunCursor.read(runId, text);
  if (cursor !== undefined) return cursor;
  throw createError("QUERY_INVALID", {
    message: "Must be the id of an event of this run",
    path: "Last-Event-ID",
  });
}
