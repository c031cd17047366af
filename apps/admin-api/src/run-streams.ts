import type { Authenticator } from "@rowhouse/access";
import { UserSemaphore } from "@rowhouse/concurrency";
import type { Database } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  answerEventStream,
  type Logger,
  type SentEvent,
  type ServiceEnvironment,
} from "@rowhouse/http";
import { RunCursor, watchRun } from "@rowhouse/workflows";
import type { Context } from "hono";
import { isStillAdministrator } from "./administrator.ts";

const streamsMax = 100;
const perPersonMax = 10;
const retryAfterSeconds = 5;
/** A poll and the pause before it may follow: rights are at most five seconds old. */
const checkMs = 2000;

export interface RunStreamsDependencies {
  readonly database: Database;
  readonly authenticator: Authenticator;
  readonly logger: Logger;
  /** Aborts when this process is about to stop. */
  readonly stopping: AbortSignal | undefined;
}

/** Streams the progress of runs to administrators. */
export interface RunStreams {
  /**
   * Returns the events of a run: `run`, `steps` and at last `end`. The stream ends without `end` when its caller loses
   * the right to it, when the run is deleted, and when this process stops.
   *
   * @throws AppError QUERY_INVALID for an unknown `Last-Event-ID`, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
   */
  open(c: Context<ServiceEnvironment>, workflowId: string, runId: string): Promise<Response>;
}

/** Creates the streams of one process, which share their limits. */
export function createRunStreams(dependencies: RunStreamsDependencies): RunStreams {
  const { database, authenticator, logger, stopping } = dependencies;
  const turns = new UserSemaphore({
    permits: streamsMax,
    perUser: perPersonMax,
    waitingMax: 0,
    waitMs: 0,
    busy: () =>
      createError("RATE_LIMIT_EXCEEDED", {
        message: `At most ${perPersonMax} streams of a person may be open at once, and ${streamsMax} in one process`,
        headers: { "Retry-After": String(retryAfterSeconds) },
      }),
  });

  /** Ends the changes of a run when the credential ends. */
  async function* eventsOf(
    c: Context<ServiceEnvironment>,
    changes: ReturnType<typeof watchRun>,
  ): AsyncGenerator<SentEvent | "IDLE", void, undefined> {
    const authorization = c.req.header("authorization");
    let checkedAt = performance.now();
    for await (const change of changes) {
      if (performance.now() - checkedAt > checkMs) {
        if (!(await isStillAdministrator(authenticator, authorization))) return;
        checkedAt = performance.now();
      }
      if (change.kind === "IDLE") yield "IDLE";
      else if (change.kind === "RUN") yield { event: "run", id: change.cursor, data: change.run };
      else if (change.kind === "END") yield { event: "end", id: change.cursor, data: "{}" };
      else yield { event: "steps", id: change.cursor, data: JSON.stringify(change.steps) };
    }
  }

  return {
    open: async (c, workflowId, runId) => {
      const { requestId } = c.env.edge;
      const from = readCursor(c.req.header("last-event-id"), runId);
      if (stopping?.aborted === true) {
        throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
      }
      const { userId } = c.get("principal");
      await turns.acquire(userId);
      const ended = new AbortController();
      const signals = [
        ended.signal,
        c.req.raw.signal,
        ...(stopping === undefined ? [] : [stopping]),
      ];
      const signal = AbortSignal.any(signals);
      const changes = watchRun(database, { workflowId, runId }, { from, signal });
      return answerEventStream(eventsOf(c, changes), {
        requestId,
        signal,
        onEnd: () => {
          ended.abort();
          turns.release(userId);
        },
        onBroken: (error) => logger.error({ err: error, requestId }, "A stream of a run broke off"),
      });
    },
  };
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
