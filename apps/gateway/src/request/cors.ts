import { standardHeaders } from "@rowhouse/http";

const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const allowedHeaders =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, Range, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id, X-Service-Timezone";
const exposedHeaders =
  "Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Location, Preference-Applied, Retry-After, Rowhouse-File, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, WWW-Authenticate, X-Request-Id, X-Service-Count";

/** Creates the response to a preflight. Credentials are in a header, so cookies are never allowed. */
export function answerPreflight(origin: string, requestId: string): Response {
  return new Response(null, {
    status: 204,
    headers: standardHeaders(requestId, {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": allowedMethods,
      "Access-Control-Allow-Headers": allowedHeaders,
      "Access-Control-Max-Age": "600",
      Vary: "Origin",
    }),
  });
}

/**
 * Returns the CORS headers for a page of `origin`: `Vary`, and for an allowed origin the permission to read the
 * response. Origins are compared as a whole: `null`, a longer host name, and another scheme or port are other origins.
 */
export function corsHeadersFor(
  origin: string,
  corsOrigins: readonly string[],
): Readonly<Record<string, string>> {
  if (!corsOrigins.includes(origin)) return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** Adds these headers to a response. */
export function markAnswer(answer: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (answer.headers.get(name) !== value) answer.headers.append(name, value);
  }
  return answer;
}
