import { RowhouseError } from "../errors/rowhouse-error.ts";
import { parseJson } from "../json/read-json.ts";
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
        yield { ...event, data: dataOf(request, data) };
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

function dataOf(request: Outgoing, data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    // The error of the parser quotes the data, which are another program's.
    const message = "The data of an event are not JSON of the service";
    throw clientError(request, 200, "RESPONSE_INVALID", message);
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

/** A server-sent event. */
export type ParsedEvent = {
  /** `message` if the service did not name it. */
  readonly event: string;
  /** The id of this event or of the last one before it that had one; empty without any. */
  readonly id: string;
  readonly data: string;
};

/** Parses server-sent events, by the rules of the HTML standard, from the parts of a text in their order. */
export class EventParser {
  #rest = "";
  #isFirst = true;
  #event = "";
  #data: string[] = [];
  #id: string;
  #retryMs: number | undefined;

  /** @param id the id of the last event of the stream before */
  constructor(id: string) {
    this.#id = id;
  }

  /** The last id of the stream; empty without any. */
  get id(): string {
    return this.#id;
  }

  /** The pause before another connection that the service asked for, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /** Returns the events that a further part completes. */
  add(part: string): ParsedEvent[] {
    let text = this.#rest + part;
    if (this.#isFirst && text !== "") {
      this.#isFirst = false;
      if (text.startsWith("\ufeff")) text = text.slice(1);
    }
    const events: ParsedEvent[] = [];
    let from = 0;
    for (const end of text.matchAll(/\r\n|\n|\r/g)) {
      // The rest of this line break may be in the next part.
      if (end[0] === "\r" && end.index === text.length - 1) break;
      const event = this.#line(text.slice(from, end.index));
      if (event !== undefined) events.push(event);
      from = end.index + end[0].length;
    }
    this.#rest = text.slice(from);
    return events;
  }

  #line(line: string): ParsedEvent | undefined {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    else if (field === "retry" && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value);
    return undefined;
  }

  #complete(): ParsedEvent | undefined {
    const data = this.#data;
    const event = this.#event === "" ? "message" : this.#event;
    this.#data = [];
    this.#event = "";
    return data.length === 0 ? undefined : { event, id: this.#id, data: data.join("\n") };
  }
}
