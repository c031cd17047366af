import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type RenderedError, renderError } from "@rowhouse/errors";

/** The body of every answer that has one. */
export interface Envelope<Data> {
  readonly data: Data;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** `{ data }`, or `{ data, meta }` where there is something to say beside the data. */
export function envelope<Data>(
  data: Data,
  meta?: Readonly<Record<string, unknown>>,
): Envelope<Data> {
  return meta === undefined ? { data } : { data, meta };
}

/**
 * What an answer says to whoever keeps or shows it: a browser that is given one as a page runs nothing of it, loads nothing for
 * it, shows it in no frame, and tells nobody its address.
 */
const protectiveHeaders = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
} as const;

/**
 * An answer whose body is JSON text already. Status, body and headers go in at once as a string and a plain object:
 * the server then writes them without ever making a `Headers` or a stream.
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

/** An answer whose body is `value` as JSON. */
export function jsonValue(
  status: number,
  value: unknown,
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  return jsonText(status, JSON.stringify(value), requestId, extraHeaders);
}

/** 204. */
export function noContent(
  requestId: string,
  extraHeaders?: Readonly<Record<string, string>>,
): Response {
  return new Response(null, { status: 204, headers: standardHeaders(requestId, extraHeaders) });
}

/** The headers that every answer carries, for answers that are not built here (streams, pages). */
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

/** The answer for an error, rendered by the one place that does. */
export function errorAnswer(error: unknown, requestId: string): Response {
  return answerRendered(renderError(error, requestId), requestId);
}

/** The answer for an error that was rendered already. */
export function answerRendered(rendered: RenderedError, requestId: string): Response {
  return jsonText(rendered.status, JSON.stringify(rendered.body), requestId, rendered.headers);
}

/** Given back by a handler that writes its answer to the server's `outgoing` itself. */
export const alreadySent: Response = RESPONSE_ALREADY_SENT;
