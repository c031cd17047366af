import type { IncomingMessage } from "node:http";
import { type AppError, createError } from "@rowhouse/errors";

const absoluteForm = /^https?:\/\/([^/?#]*)([/?].*)?$/is;

/**
 * Rewrites a request whose target is an absolute URL, as clients of a proxy send it: to the path and query, and the host
 * of the URL, which takes precedence over `Host` (RFC 9112, section 3.2.2). A missing or repeated `Host` stays, for the
 * checks that follow.
 *
 * @returns `REQUEST_INVALID` for a target that is neither a URL of HTTP nor a path
 */
export function toOriginForm(incoming: IncomingMessage): AppError | undefined {
  const { url = "" } = incoming;
  if (url.startsWith("/") || isServerWide(incoming)) return undefined;
  const [, host, rest = ""] = absoluteForm.exec(url) ?? [];
  if (host === undefined || host.includes("@")) {
    return createError("REQUEST_INVALID", {
      message: "The request's target must be a path, or a URL of http or https without a user",
    });
  }
  incoming.url = rest.startsWith("/") ? rest : `/${rest}`;
  const { headers, rawHeaders } = incoming;
  if (headers.host === undefined) return undefined;
  headers.host = host;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "host") rawHeaders[at + 1] = host;
  }
  return undefined;
}

/** Whether a request is about the server as a whole: `OPTIONS *` (RFC 9110, section 9.3.7). */
export function isServerWide({ method, url }: Pick<IncomingMessage, "method" | "url">): boolean {
  return method === "OPTIONS" && url === "*";
}
