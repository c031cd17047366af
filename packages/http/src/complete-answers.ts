import type { RouteConfig } from "@hono/zod-openapi";
import type { ErrorCode } from "@rowhouse/errors";
import { codesKey, errorAnswers } from "./error-answers.ts";

/**
 * A route's answers together with those that follow from what it declares: each route refuses unknown parameters and can
 * meet a failure, one with a body refuses what is no such body, one with an id does not know every id.
 *
 * @param refusals what stands before the route answers; nothing does before a route without security
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
    // A route that reports faults of several statuses together declares them all under each.
    const beside = declaredCodes(route.responses[status] ?? {});
    return [status, { ...answer, [codesKey]: [...new Set([...answer[codesKey], ...beside])] }];
  });
  return { ...route.responses, ...Object.fromEntries(completed) };
}

/** The codes of an answer that `errorAnswers` made; none of any other. */
export function declaredCodes(answer: object): readonly ErrorCode[] {
  return (answer as { readonly [codesKey]?: readonly ErrorCode[] })[codesKey] ?? [];
}
