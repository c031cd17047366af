import type { RouteConfig } from "@hono/zod-openapi";
import type { ErrorCode } from "@rowhouse/errors";
import { codesKey, errorAnswers } from "./error-answers.ts";

/**
 * Adds the responses that follow from a route's declaration: every route rejects unknown parameters and can fail, a
 * route with a body rejects malformed bodies, and a route with an id returns 404 for unknown ids.
 *
 * @param refusals codes of the middleware before the route; not added to a route without security
 */
export function completeAnswers(
  route: RouteConfig,
  refusals: readonly ErrorCode[],
): RouteConfig["responses"] {
  const { body, params } = route.request ?? {};
  const isOpen = route.security?.length === 0;
  const codes: ErrorCode[] = [
    "QUERY_INVALID",
    ...(isOpen ? [] : refusals),
    ...(params === undefined ? [] : (["NOT_FOUND"] as const)),
    ...(body === undefined
      ? []
      : (["BODY_INVALID", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
    "QUERY_TIMEOUT",
  ];
  const own = Object.values(route.responses).flatMap(declaredCodes);
  const answers = errorAnswers(...own, ...codes);
  const completed = Object.entries(answers).map(([status, answer]) => {
    // A route that reports faults of several statuses together declares all of them under each.
    const beside = declaredCodes(route.responses[status] ?? {});
    return [status, { ...answer, [codesKey]: [...new Set([...answer[codesKey], ...beside])] }];
  });
  return { ...route.responses, ...Object.fromEntries(completed) };
}

/** The codes of a response that `errorAnswers` created; empty for any other. */
export function declaredCodes(answer: object): readonly ErrorCode[] {
  return (answer as { readonly [codesKey]?: readonly ErrorCode[] })[codesKey] ?? [];
}
