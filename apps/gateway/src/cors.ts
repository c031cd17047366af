import { standardHeaders } from "@rowhouse/http";

const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const allowedHeaders =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, Prefer, X-Request-Id, X-Service-Timezone";
const exposedHeaders = "Allow, Content-Disposition, ETag, Location, Retry-After, X-Request-Id";

/** The answer to a browser's question before its request. Credentials go in a header, so cookies are never allowed. */
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
 * What an answer to a page of `origin` says: that it depends on the origin and, for an allowed one, what lets its page read
 * it. Origins are compared whole: `null`, a longer host name, or another scheme or port is another origin.
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

/** The answer with these headers beside its own. */
export function markAnswer(answer: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) answer.headers.append(name, value);
  return answer;
}
