import { AppError, createError } from "@rowhouse/errors";
import {
  type AssertionSigner,
  assertionHeader,
  requestHeadersFor,
  traceHeader,
} from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import type { Upstream, UpstreamRequest } from "../request/upstream.ts";
import { type Endpoint, openEndpoint, type ProbeTimes } from "./endpoint.ts";
import { type OutgoingBody, takeBody } from "./outgoing-body.ts";
import { AssertionRejected, sendExchange } from "./send-exchange.ts";

export interface ForwardOptions {
  /** `http://host:port` of each process of the service. */
  readonly urls: readonly string[];
  /** The audience of the service's assertions. */
  readonly audience: string;
  readonly signAssertion: AssertionSigner;
  /** Logs when a process stops responding, and when it responds again. */
  readonly logger: Logger;
  /** The times of the probe: by default every second, with a timeout of five seconds. */
  readonly probe?: ProbeTimes;
  /** Aborts when the gateway is about to stop: streams of events end then. */
  readonly stopping?: AbortSignal;
}

/** A service in other processes. */
export interface ForwardUpstream {
  readonly upstream: Upstream;
  /** Closes the connections and aborts requests in progress. */
  close(): Promise<void>;
}

/**
 * Forwards to a service in other processes. Requests use persistent connections and carry the gateway's assertion;
 * bodies are streamed in both directions. A request that reached no process is sent to the next one. A safe request is
 * repeated once if its connection broke.
 *
 * The choice of the client: docs/decisions/0026-the-gateway-forwards-with-undici.md
 */
export function forwardTo(options: ForwardOptions): ForwardUpstream {
  const endpoints = options.urls.map((url) =>
    openEndpoint(
      url,
      options.logger,
      () => options.signAssertion.introduce(options.audience),
      options.probe,
    ),
  );
  const choose = createEndpointChooser(endpoints);

  const forward = async (exchange: UpstreamRequest): Promise<Response> => {
    const { incoming } = exchange.connection;
    const signed = options.signAssertion(exchange.edge, options.audience);
    const assertion = typeof signed === "string" ? signed : await signed;
    const taken = takeBody(incoming, exchange.bodyLimit);
    const body = taken instanceof Promise ? await taken : taken;
    const headers = requestHeadersFor(incoming.rawHeaders, incoming.headers.connection);
    if (body.content === null) dropLength(headers);
    const { requestId, traceParent } = exchange.edge;
    headers.push("X-Request-Id", requestId, assertionHeader, assertion);
    if (traceParent !== undefined) headers.push(traceHeader, traceParent);
    return send(exchange, headers, body);
  };

  const send = async (exchange: UpstreamRequest, headers: string[], body: OutgoingBody) => {
    const tried = new Set<Endpoint>();
    let repeated = false;
    for (let endpoint = choose(tried); endpoint !== undefined; ) {
      try {
        return await sendExchange(endpoint, exchange, headers, body, options.stopping);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const unseen = wasNeverSeen(error);
        const mayRepeat = unseen || (isSafe(exchange.request.method) && !repeated);
        if (!mayRepeat || !body.canRepeat()) throw unavailable(error);
        tried.add(endpoint);
        const next: Endpoint | undefined = choose(tried) ?? (unseen ? undefined : endpoint);
        if (next === undefined || next.standing() === "OUT") throw unavailable(error);
        if (!unseen) repeated = true;
        endpoint = next;
      }
    }
    throw unavailable(new Error("No process of the service accepts requests"));
  };
  return {
    upstream: forward,
    close: async () => {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    },
  };
}

/** Removes the length of a request without a body: the service would wait for bytes that never arrive. */
function dropLength(headers: string[]): void {
  for (let at = headers.length - 2; at >= 0; at -= 2) {
    if (headers[at]?.toLowerCase() === "content-length") headers.splice(at, 2);
  }
}

function unavailable(cause: unknown): AppError {
  return createError("SERVICE_UNAVAILABLE", { cause, headers: { "Retry-After": "1" } });
}

/** Safe methods: repeating them changes nothing. */
function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

const neverConnected = new Set<unknown>([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether no service can have started the request: no connection was established, or the gateway was rejected. */
function wasNeverSeen(error: unknown): boolean {
  if (error instanceof AssertionRejected) return true;
  return error instanceof Error && "code" in error && neverConnected.has(error.code);
}

/** Chooses the process for a request; undefined if none is left. */
export type EndpointChooser = (tried: ReadonlySet<Endpoint>) => Endpoint | undefined;

/**
 * Creates a chooser among the processes of a service. It picks the process with the fewest requests in progress, in
 * turn among equals. A doubtful process is used only if there is no other, an unavailable one never.
 */
function createEndpointChooser(endpoints: readonly Endpoint[]): EndpointChooser {
  let turn = 0;
  return (tried) => {
    turn += 1;
    let chosen: Endpoint | undefined;
    let isGood = false;
    for (let at = 0; at < endpoints.length; at++) {
      const endpoint = endpoints[(turn + at) % endpoints.length];
      if (endpoint === undefined || tried.has(endpoint)) continue;
      const standing = endpoint.standing();
      if (standing === "OUT" || (isGood && standing !== "GOOD")) continue;
      const isBetter = standing === "GOOD" && !isGood;
      if (chosen !== undefined && !isBetter && endpoint.busy >= chosen.busy) continue;
      chosen = endpoint;
      isGood = standing === "GOOD";
    }
    return chosen;
  };
}
