import { RowhouseError } from "../errors/rowhouse-error.ts";
import { parseJson } from "../json/parse-json.ts";
import { EventParser } from "./event-parser.ts";
import { pause } from "./repeat.ts";
import { clientError, type Outgoing, type Transport } from "./transport.ts";

/** An event of a stream, with its data parsed. */
export type StreamedEvent = {
  readonly event: string;
  /** Continues the stream after this event, as `lastEventId`. */
  readonly id: string;
  readonly data: unknown;
};

/** The service sends something every 15 seconds. */
const silenceMs = 45_000;
const retryMaxMs = 30_000;
/** Failures that may pass: no response, too many requests, and a service or its proxy that is unavailable. */
const passing: readonly number[] = [0, 429, 502, 503, 504];

/**
 * Yields the events of a stream until its event `end`, which is the last one. After a lost connection it connects again
 * and continues, for as long as it takes. Leaving the loop ends the stream.
 *
 * @param request a GET of a route that has events
 * @throws RowhouseError for a first request that fails, and for a later one that the service refuses
 */
export async function* readEvents(
  transport: Transport,
  request: Outgoing,
  lastEventId: string | undefined,
): AsyncGenerator<StreamedEvent, void, undefined> {
  let id = lastEventId ?? "";
  let retryMs = 1000;
  // Since the last event.
  let failures = 0;
  let isOpen = false;
  const onOpen = () => {
    isOpen = true;
  };
  for (;;) {
    const parser = new EventParser(id);
    try {
      for await (const { data, ...event } of eventsOf(transport, request, parser, onOpen)) {
        failures = 0;
        id = event.id;
        yield { ...event, data: parseJson(data) };
        if (event.event === "end") return;
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      const mayPass = error instanceof RowhouseError && passing.includes(error.status);
      if (!mayPass || error.code === "RESPONSE_INVALID" || !isOpen) throw error;
    }
    retryMs = parser.retryMs ?? retryMs;
    // Half of the pause is random, so that readers that were cut off together do not return together.
    const longest = Math.min(retryMs * 2 ** failures, retryMaxMs);
    failures += 1;
    await pause(longest * (0.5 + Math.random() / 2), request.signal);
  }
}

/** Yields the events of one connection. */
async function* eventsOf(
  transport: Transport,
  request: Outgoing,
  parser: EventParser,
  onOpen: () => void,
) {
  // Ends the connection when the loop is left, and when it is silent.
  const connection = new AbortController();
  const onAbort = () => connection.abort(request.signal?.reason);
  request.signal?.addEventListener("abort", onAbort, { once: true });
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    if (request.signal?.aborted === true) onAbort();
    const response = await transport.stream({
      ...request,
      headers: {
        ...request.headers,
        Accept: "text/event-stream",
        "Last-Event-ID": parser.id === "" ? undefined : parser.id,
      },
      signal: connection.signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (!type.startsWith("text/event-stream") || response.body === null) {
      const message = "The response is not a stream of events";
      throw clientError(request, response.status, "RESPONSE_INVALID", message);
    }
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    onOpen();
    for (;;) {
      silence = setTimeout(() => connection.abort(new Error("The stream is silent")), silenceMs);
      const { done, value } = await reader.read();
      clearTimeout(silence);
      if (done) return;
      yield* parser.add(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (error instanceof RowhouseError) throw error;
    throw clientError(request, 0, "NETWORK_ERROR", "The stream broke off", error);
  } finally {
    clearTimeout(silence);
    request.signal?.removeEventListener("abort", onAbort);
    connection.abort();
  }
}
