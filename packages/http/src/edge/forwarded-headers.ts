import { isInternalHeader } from "./internal-headers.ts";

const hopByHop = new Set([
  "connection",
  // The gateway handles it.
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

// `Connection: authorization` must not remove the caller's own credential or the body's length. With the services in one
// process such a header has no effect, so it must have none here either.
const endToEnd = new Set([
  "accept",
  "authorization",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "prefer",
  "x-request-id",
]);

/** Headers that the gateway writes; a caller's own are not forwarded. */
const written = new Set(["x-request-id", "traceparent", "tracestate"]);

/** Headers as name, value, name, value: the format of Node. */
export type RawHeaders = readonly string[];

/**
 * Returns the headers of a request that are forwarded to a service: all but those of this connection and those that
 * only the gateway may write, in every spelling.
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
    // Servers that convert headers to variables treat `_` and `-` as equal.
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

/** @param lower the name of a header in lower case */
export function isHopByHop(lower: string): boolean {
  return hopByHop.has(lower);
}

/**
 * Returns the headers of a request as its caller sent them, by lower-case name, independent of whether a gateway
 * forwarded it over HTTP: without those of a connection, and of the gateway's own only the request id.
 */
export function callerHeadersOf(request: Request, requestId: string): Record<string, string> {
  const raw = [...request.headers].flat();
  const kept = requestHeadersFor(raw, request.headers.get("connection") ?? undefined);
  const headers: Record<string, string> = {};
  for (let at = 0; at < kept.length; at += 2) {
    headers[(kept[at] as string).toLowerCase()] = kept[at + 1] as string;
  }
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  // The gateway forwards none if there is no body.
  if (!hasBody || headers["content-length"] === "0") delete headers["content-length"];
  headers["x-request-id"] = requestId;
  return headers;
}

const none: ReadonlySet<string> = new Set();

function listedIn(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return none;
  return new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
}
