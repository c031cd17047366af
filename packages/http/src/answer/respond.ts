import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type RenderedError, renderError } from "@rowhouse/errors";

/** The body of every successful response that has one. */
export interface Envelope<Data> {
  readonly data: Data;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Returns `{ data }`, or `{ data, meta }` if there is metadata. */
export function envelope<Data>(
  data: Data,
  meta?: Readonly<Record<string, unknown>>,
): Envelope<Data> {
  return meta === undefined ? { data } : { data, meta };
}

/**
 * Headers for caches and browsers. A browser that shows such a response as a page runs no script of it, loads nothing
 * for it, refuses to frame it, and sends no referrer.
 */
const protectiveHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
} as const;

/**
 * Creates a response whose body is JSON text. Status, body and headers are passed as a string and a plain object: the
 * server then writes them without creating a `Headers` or a stream.
 */
export function jsonText(
  status: number,
  bodyText: string,
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    ...protectiveHeaders,
    "X-Request-Id": requestId,
  };
  if (extraHeaders !== undefined) Object.assign(headers, extraHeaders);
  return new Response(bodyText, { status, headers });
}

/** Creates a response whose body is `value` as JSON. */
export function jsonValue(
  status: number,
  value: unknown,
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  return jsonText(status, JSON.stringify(value), requestId, extraHeaders);
}

/** Creates a 204 response. */
export function noContent(
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  return new Response(null, { status: 204, headers: standardHeaders(requestId, extraHeaders) });
}

/** The standard headers, for responses that are not created here (streams, pages). */
export function standardHeaders(
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...protectiveHeaders,
    "X-Request-Id": requestId,
    ...extraHeaders,
  };
}

export function errorAnswer(error: unknown, requestId: string): Response {
  return answerRendered(renderError(error, requestId), requestId);
}

export function answerRendered(rendered: RenderedError, requestId: string): Response {
  return jsonText(rendered.status, JSON.stringify(rendered.body), requestId, rendered.headers);
}

/** Returned by a handler that writes its response to the server's `outgoing` itself. */
export const alreadySent: Response = RESPONSE_ALREADY_SENT;
