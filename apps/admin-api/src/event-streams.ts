import type { Authenticator } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import { answerEventStream, type SentEvent, type ServiceEnvironment } from "@rowhouse/http";
import { UserSemaphore } from "@rowhouse/limits";
import type { Logger } from "@rowhouse/service";
import type { Context } from "hono";
import { isStillAdministrator } from "./administrator.ts";

const streamsMax = 100;
const perPersonMax = 10;
const retryAfterSeconds = 5;
/** A poll and the pause before it may follow: rights are at most five seconds old. */
const checkMs = 2000;

export interface EventStreamsDependencies {
  readonly authenticator: Authenticator;
  readonly logger: Logger;
  /** Aborts when this process is about to stop. */
  readonly stopping: AbortSignal | undefined;
}

export interface EventStreams {
  /**
   * Returns the events of a source. The stream ends when its caller loses the right to it, and when this process stops.
   *
   * @param subject what the stream is of, for the log
   * @param start starts the source; the signal ends it
   * @throws AppError RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
   */
  open(
    c: Context<ServiceEnvironment>,
    subject: string,
    start: (signal: AbortSignal) => AsyncGenerator<SentEvent | "IDLE", void, undefined>,
  ): Promise<Response>;
}

/** Creates the streams of one process, which share their limits. */
export function createEventStreams(dependencies: EventStreamsDependencies): EventStreams {
  const { authenticator, logger, stopping } = dependencies;
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

  /** Ends the events when the credential ends. */
  async function* permitted(
    authorization: string | undefined,
    events: AsyncGenerator<SentEvent | "IDLE", void, undefined>,
  ): AsyncGenerator<SentEvent | "IDLE", void, undefined> {
    let checkedAt = performance.now();
    for await (const event of events) {
      if (performance.now() - checkedAt > checkMs) {
        if (!(await isStillAdministrator(authenticator, authorization))) return;
        checkedAt = performance.now();
      }
      yield event;
    }
  }

  return {
    open: async (c, subject, start) => {
      const { requestId } = c.env.edge;
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
      return answerEventStream(permitted(c.req.header("authorization"), start(signal)), {
        requestId,
        signal,
        onEnd: () => {
          ended.abort();
          turns.release(userId);
        },
        onBroken: (error) =>
          logger.error({ err: error, requestId }, `A stream of ${subject} broke off`),
      });
    },
  };
}
