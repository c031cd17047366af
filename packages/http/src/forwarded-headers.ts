import { isInternalHeader } from "./internal-headers.ts";

const hopByHop = new Set([
  "connection",
  // Answered here.
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

// A caller may not use `Connection: authorization` to have its own credential, or the body's length, taken away on the
// way: with the services in one process such a header has no effect, and here it must have none either.
const endToEnd = new Set([
  "accept",
  "authorization",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "if-match",
  "prefer",
  "x-request-id",
]);

/** Written by the gateway; a caller's own does not go on. */
const written = new Set(["x-request-id", "traceparent", "tracestate"]);

/** Headers as name, value, name, value, as Node gives and takes them. */
export type RawHeaders = readonly string[];

/**
 * The headers of a request that go on to a service: all but those of this connection and those that only the gateway
 * may write, in whatever spelling.
 */
export function requestHeadersFor(
  rawHeaders: RawHeaders,
  connection: string | undefined,
): string[] {
  const listed = listedIn(connection);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const lower = name.toLowerCase();
    // Servers that turn headers into variables read `_` and `-` as one.
    const plain = lower.includes("_") ? lower.replaceAll("_", "-") : lower;
    const dropped =
      isInternalHeader(name) ||
      hopByHop.has(plain) ||
      written.has(plain) ||
      (listed.has(lower) && !endToEnd.has(lower));
    if (!dropped) kept.push(name, rawHeaders[at + 1] as string);
  }
  return kept;
}

/** The headers of a service's answer that go on to the caller. */
export function answerHeadersFor(rawHeaders: RawHeaders): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (!hopByHop.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] as string);
  }
  return kept;
}

/**
 * The headers of a request as its caller sent them, by lower-case name, the same whether or not a gateway forwarded it over
 * HTTP: without those of a connection, and with the request's id and nothing else of what a gateway writes.
 */
export function callerHeadersOf(request: Request, requestId: string): Record<string, string> {
  const raw = [...request.headers].flat();
  const kept = requestHeadersFor(raw, request.headers.get("connection") ?? undefined);
  const headers: Record<string, string> = {};
  for (let at = 0; at < kept.length; at += 2) {
    headers[(kept[at] as string).toLowerCase()] = kept[at + 1] as string;
  }
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  // A gateway sends none on where there is no body.
  if (!hasBody || headers["content-length"] === "0") delete headers["content-length"];
  headers["x-request-id"] = requestId;
  return headers;
}

const none: ReadonlySet<string> = new Set();

function listedIn(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return none;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}
