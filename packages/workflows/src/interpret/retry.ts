import { AppError } from "@rowhouse/errors";
import { HttpStatusFault, RunFault } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import { tokenEnded } from "../model/run-token.ts";

type HttpStep = Extract<EffectStep, { kind: "httpRequest" }>;

const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Returns whether a request whose outcome is unknown may be sent again. */
export function isRepeatable(step: HttpStep): boolean {
  return step.repeatable ?? repeatable.has(step.method);
}

/** Codes of faults that are never retried: another attempt would fail again, or could repeat an effect. */
const never: ReadonlySet<string> = new Set([
  "STEP_OUTCOME_UNKNOWN",
  "OUTPUT_TOO_DEEP",
  "OUTPUT_TOO_LARGE",
  "INPUT_TOO_LARGE",
  "HTTP_HOST_REFUSED",
  "HTTP_ADDRESS_REFUSED",
  "HTTP_URL_INVALID",
  "HTTP_HEADER_INVALID",
  "HTTP_RESPONSE_TOO_LARGE",
  "HTTP_TOO_MANY_REDIRECTS",
  "HTTP_BODY_INVALID",
  "HTTP_REQUEST_INVALID",
  "HTTP_REDIRECT_REFUSED",
  "SECRET_UNAVAILABLE",
  "TEMPLATE_NOT_FOUND",
  "DOCUMENT_INVALID",
  "DOCUMENT_FORMAT",
  "FILE_INVALID",
  "FILE_TOO_LARGE",
  "FILE_CONTENT_INVALID",
  "ATTACHMENTS_TOO_LARGE",
  tokenEnded,
]);

/**
 * Returns the pause before the next attempt of a failed step, in milliseconds. With exponential backoff it doubles
 * each time. Jitter takes it from half to all of that, so that steps that failed together do not retry together. It is
 * at least what the server requests by `Retry-After`, up to `maxDelayMs`.
 *
 * @param attempt the attempt that failed, from 1
 * @param random from 0 to 1
 * @returns undefined if the step has failed for good
 */
export function pauseBefore(
  step: EffectStep,
  attempt: number,
  error: unknown,
  random: () => number,
): number | undefined {
  const { retry } = step;
  if (retry === undefined || attempt >= retry.attempts || !isWorthwhile(step, error)) {
    return undefined;
  }
  const full =
    retry.backoff === "fixed"
      ? retry.delayMs
      : Math.min(retry.delayMs * 2 ** (attempt - 1), retry.maxDelayMs);
  const requested = error instanceof HttpStatusFault ? error.retryAfterMs : 0;
  return Math.max(Math.ceil(full * (0.5 + random() / 2)), Math.min(requested, retry.maxDelayMs));
}

function isWorthwhile(step: EffectStep, error: unknown): boolean {
  const code = error instanceof RunFault || error instanceof AppError ? error.code : undefined;
  if (code !== undefined && never.has(code)) return false;
  if (step.kind !== "httpRequest") return true;
  if (error instanceof HttpStatusFault) {
    return step.retry?.statuses.includes(error.status) === true;
  }
  // It is unknown whether the server acted on the request.
  return isRepeatable(step);
}
