import { standardHeaders } from "@rowhouse/http";

const allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
const allowedHeaders =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, Prefer, X-Request-Id, X-Service-Timezone";
const exposedHeaders = "Allow, Content-Disposition, ETag, Location, Retry-After, X-Request-Id";

/**
 * The origin of a request if pages of it may call the API. Origins are compared whole: `null`, a longer host name, or
 * another scheme or port is another origin.
 */
export function allowedOrigin(
  origin: string | undefined,
  corsOrigins: readonly string[],
): string | undefined {
  return origin !== undefined && corsOrigins.includes(origin) ? origin : undefined;
}

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

/** Adds to an answer what lets a page of `origin` read it, and that the answer depends on the origin. */
export function markAnswer(answer: Response, origin: string | undefined): Response {
  answer.headers.append("Vary", "Origin");
  if (origin !== undefined) {
    answer.headers.set("Access-Control-Allow-Origin", origin);
    answer.headers.set("Access-Control-Expose-Headers", exposedHeaders);
  }
  return answer;
}
