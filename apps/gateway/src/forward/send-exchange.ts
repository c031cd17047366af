import { AppError } from "@rowhouse/errors";
import { alreadySent, assertionHeader, hasBody, isHopByHop } from "@rowhouse/http";
import type { Dispatcher } from "undici";
import type { UpstreamRequest } from "../request/upstream.ts";
import type { Endpoint } from "./endpoint.ts";
import type { OutgoingBody } from "./outgoing-body.ts";

/** Thrown if a request got no response. */
class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Thrown if the process rejected the gateway's assertion: its clock or its secret differs, and it has done nothing. */
export class AssertionRejected extends Error {
  override readonly name = "AssertionRejected";
}

/**
 * Sends a request to one process of a service and streams its response to the caller, no faster than the caller reads.
 * If the caller disconnects, the request is aborted; if the response breaks off, the caller's connection is closed.
 *
 * @returns once the response has started, or if the caller has disconnected
 * @throws NoAnswer if there was no response, AssertionRejected, or the error of the caller's body
 */
export function sendExchange(
  endpoint: Endpoint,
  exchange: UpstreamRequest,
  headers: string[],
  body: OutgoingBody,
  stopping?: AbortSignal | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    endpoint.pool.dispatch(
      {
        method: (exchange.connection.incoming.method ?? "GET") as Dispatcher.HttpMethod,
        path: exchange.connection.incoming.url ?? "/",
        headers,
        body: body.content as Dispatcher.DispatchOptions["body"] & object,
      },
      new Relay(endpoint, exchange, () => resolve(alreadySent), reject, stopping),
    );
  });
}

/** One response, from the service's connection to the caller's. */
class Relay implements Dispatcher.DispatchHandler {
  readonly #exchange: UpstreamRequest;
  readonly #endpoint: Endpoint;
  readonly #begun: () => void;
  readonly #reject: (error: unknown) => void;
  readonly #stopping: AbortSignal | undefined;
  readonly #tell: ReturnType<Endpoint["begin"]>;
  #abort: ((reason: Error) => void) | undefined;
  #resume: (() => void) | undefined;
  /** Whether the caller has not yet read what was written. */
  #isHeldUp = false;
  #state: "WAITING" | "BEGUN" | "OVER" = "WAITING";
  /**
   * The first part of a body, held until the rest of the same read arrives: so most responses are written together
   * with their head.
   */
  #first: Buffer | undefined;
  #isFlushed = false;

  constructor(
    endpoint: Endpoint,
    exchange: UpstreamRequest,
    begun: () => void,
    reject: (error: unknown) => void,
    stopping: AbortSignal | undefined,
  ) {
    this.#endpoint = endpoint;
    this.#exchange = exchange;
    this.#begun = begun;
    this.#reject = reject;
    this.#stopping = stopping;
    this.#tell = endpoint.begin(() => this.#cancel(new NoAnswer("The service does not respond")));
    this.#outgoing.once("close", this.#onClose);
  }

  get #outgoing() {
    return this.#exchange.connection.outgoing;
  }

  /** Ends a stream of events, which would end only with its service: its reader connects again, elsewhere. */
  readonly #onStop = () => {
    if (this.#state === "OVER") return;
    this.#settle();
    this.#outgoing.end();
    this.#abort?.(new NoAnswer("The gateway stops"));
  };

  readonly #onClose = () => this.#cancel(new NoAnswer("The caller disconnected"));

  #cancel(reason: Error): void {
    this.#abort?.(reason);
    this.#fail(reason);
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort;
    if (this.#state === "OVER") abort(new NoAnswer("The request is over"));
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    if (status < 200) return true;
    this.#resume = resume;
    const { headers, connection, type, isRejected } = readHead(rawHeaders);
    if (status === 401 && isRejected) {
      const error = new AssertionRejected("The process rejects this gateway's assertion");
      this.#settle();
      this.#endpoint.rejects();
      this.#reject(error);
      this.#abort?.(error);
      return false;
    }
    if (type === "text/event-stream") this.#stopping?.addEventListener("abort", this.#onStop);
    this.#tell("ANSWERED");
    // With a body it can also mean that the service has not read all of that.
    if (connection === "close" && !hasBody(this.#exchange.connection.incoming)) {
      this.#endpoint.leaving();
    }
    const { answerHeaders } = this.#exchange;
    if (answerHeaders === undefined) {
      this.#begin(status, headers);
      return true;
    }
    this.#isHeldUp = true;
    answerHeaders().then(
      (added) => {
        if (this.#state === "OVER") return;
        this.#begin(status, [...headers, ...Object.entries(added).flat()]);
        this.#goOn();
      },
      (error: Error) => this.#abort?.(error),
    );
    return false;
  }

  #begin(status: number, headers: string[]): void {
    this.#outgoing.writeHead(status, headers);
    this.#state = "BEGUN";
    queueMicrotask(() => this.#flush());
    this.#begun();
  }

  #flush(): void {
    if (this.#state !== "BEGUN") return;
    this.#isFlushed = true;
    const first = this.#first;
    this.#first = undefined;
    if (first === undefined) this.#outgoing.flushHeaders();
    else this.#write(first);
  }

  onData(chunk: Buffer): boolean {
    if (!this.#isFlushed && this.#first === undefined) {
      this.#first = chunk;
      return true;
    }
    if (!this.#isFlushed) this.#flush();
    this.#write(chunk);
    return !this.#isHeldUp;
  }

  #write(chunk: Buffer): void {
    if (this.#outgoing.destroyed || this.#outgoing.write(chunk)) return;
    this.#isHeldUp = true;
    this.#outgoing.once("drain", () => this.#goOn());
  }

  #goOn(): void {
    this.#isHeldUp = false;
    this.#resume?.();
  }

  onComplete(): void {
    const first = this.#first;
    this.#first = undefined;
    this.#settle();
    this.#outgoing.end(first);
  }

  onError(error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#state === "OVER") return;
    const hadBegun = this.#state === "BEGUN";
    this.#settle();
    const isOfService = !(error instanceof AppError) && !this.#outgoing.destroyed;
    if (isOfService) this.#endpoint.failed(error);
    // A partial response must not look complete.
    if (hadBegun) this.#outgoing.destroy();
    // A disconnected caller gets no response, and this is not an error for operators.
    else if (this.#outgoing.destroyed) this.#begun();
    else this.#reject(error);
  }

  #settle(): void {
    this.#state = "OVER";
    this.#tell("ENDED");
    this.#outgoing.off("close", this.#onClose);
    this.#stopping?.removeEventListener("abort", this.#onStop);
  }
}

/** Reads the headers of a response: those for the caller, and two values that the gateway uses. */
function readHead(raw: readonly Buffer[]) {
  const headers: string[] = [];
  let connection: string | undefined;
  let type: string | undefined;
  let isRejected = false;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]?.toString("latin1") ?? "";
    const value = raw[at + 1]?.toString("latin1") ?? "";
    const lower = name.toLowerCase();
    if (lower === "connection") connection = value;
    else if (lower === "content-type") type = value;
    else if (lower === assertionHeader) isRejected = true;
    if (!isHopByHop(lower)) headers.push(name, value);
  }
  return { headers, connection, type, isRejected };
}
