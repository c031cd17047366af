import type { IncomingHttpHeaders } from "node:http";
import type { BareContext } from "./edge-context.ts";

/** The readable part of `Headers`. */
export type ReadableHeaders = Pick<Headers, "get" | "has">;

/**
 * Returns the headers of a request for a handler that looks for many of which few are sent. The absence of a header is
 * found without a lookup in the web `Headers`, which validates and normalizes the name each time.
 */
export function requestHeadersOf({ req, env }: BareContext): ReadableHeaders {
  const { headers } = req.raw;
  const sent = env.incoming?.headers;
  if (sent === undefined) return headers;
  return {
    get: (name) => (isAbsent(sent, name) ? null : headers.get(name)),
    has: (name) => !isAbsent(sent, name) && headers.has(name),
  };
}

function isAbsent(sent: IncomingHttpHeaders, name: string): boolean {
  return !Object.hasOwn(sent, name.toLowerCase());
}
