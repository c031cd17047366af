import { standardHeaders } from "./respond.ts";

export interface SentEvent {
  readonly event: string;
  /** What a reader repeats in `Last-Event-ID` to continue after this event. It has no line break. */
  readonly id: string;
  /** JSON text. */
  readonly data: string;
}

export interface EventStreamOptions {
  readonly requestId: string;
  /** Ends the stream; the reader may connect again. */
  readonly signal: AbortSignal;
  /** Called once: after the last event, on the abort of `signal`, or when the reader is gone. */
  readonly onEnd: () => void;
  /** Receives the error of `events`; the connection then breaks, so that the stream does not look complete. */
  readonly onBroken: (error: unknown) => void;
}

/** Proxies close a connection without data for longer than about a minute. */
const keepAliveMs = 15_000;
/** The pause after which a reader connects again, in milliseconds. */
const retryMs = 1000;

/**
 * Returns a stream of server-sent events (`text/event-stream`). An event is requested only when the reader has taken
 * the one before, so a slow reader holds at most one in memory.
 *
 * @param events yields `IDLE` while nothing happens, at least every few seconds, so that the connection stays in use.
 * Its `return` is called at the end
 */
export function answerEventStream(
  events: AsyncGenerator<SentEvent | "IDLE", void, undefined>,
  { requestId, signal, onEnd, onBroken }: EventStreamOptions,
): Response {
  const encoder = new TextEncoder();
  let isOver = false;
  let sentAt = performance.now();
  const end = () => {
    if (isOver) return false;
    isOver = true;
    signal.removeEventListener("abort", onAbort);
    // A generator that is waiting returns only after its wait; its owner ends that by the signal.
    void events.return();
    onEnd();
    return true;
  };
  let close = () => {};
  const onAbort = () => {
    if (end()) close();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        close = () => controller.close();
        controller.enqueue(encoder.encode(`retry: ${retryMs}\n\n`));
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort);
      },
      pull: async (controller) => {
        try {
          while (!isOver) {
            const { done, value } = await events.next();
            if (isOver) return;
            if (done === true) return onAbort();
            if (value === "IDLE" && performance.now() - sentAt < keepAliveMs) continue;
            sentAt = performance.now();
            controller.enqueue(encoder.encode(value === "IDLE" ? ":\n\n" : eventText(value)));
            return;
          }
        } catch (error) {
          if (!end()) return;
          onBroken(error);
          controller.error(error);
        }
      },
      cancel: () => {
        end();
      },
    },
    { highWaterMark: 0 },
  );
  // Without the last header, nginx collects the events.
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(body, { headers: standardHeaders(requestId, headers) });
}

function eventText({ event, id, data }: SentEvent): string {
  // JSON text may have line breaks between its tokens.
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `event: ${event}\nid: ${id}\n${lines.join("")}\n`;
}
