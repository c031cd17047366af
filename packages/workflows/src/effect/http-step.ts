import type { JsonObject } from "../base/json.ts";
import { HttpStatusFault } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { EffectRequest } from "../interpret/wait.ts";
import type { HostRules } from "../outgoing/address-guard.ts";
import { type OutgoingResponse, sendRequest } from "../outgoing/send-request.ts";
import type { SecretValues } from "../secrets/secret-reader.ts";
import { redactorOf } from "../secrets/secret-redactor.ts";
import { buildRequest } from "./build-request.ts";
import { responseBody } from "./response-body.ts";
import { retryAfterMs } from "./retry-after.ts";
import { toStorable } from "./stored-text.ts";

type HttpStep = Extract<EffectStep, { kind: "httpRequest" }>;

/**
 * Sends the request of a step.
 *
 * @param idempotencyKey the same for each attempt of this step in this run
 * @param secrets the secrets of the whole workflow; their values are removed from the response
 * @returns `{ status, headers, body }`
 * @throws RunFault HTTP_STATUS for a status of 400 or more, and every error of `buildRequest`, `sendRequest` and
 * `responseBody`
 */
export async function runHttpStep(
  step: HttpStep,
  { input, attempt }: Pick<EffectRequest, "input" | "attempt">,
  secrets: SecretValues,
  idempotencyKey: string,
  rules: HostRules,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await sendRequest(
    buildRequest(step, input, secrets, idempotencyKey),
    rules,
    signal,
  );
  const { retry } = step;
  const isRetried =
    retry !== undefined && attempt < retry.attempts && retry.statuses.includes(response.status);
  if (isRetried || (response.status >= 400 && step.failOnStatus)) {
    const { status, headers } = response;
    throw new HttpStatusFault(status, retryAfterMs(status, headers["retry-after"], Date.now()));
  }
  return toStorable(redactorOf(secrets.values())(toOutput(response, step.responseAs)));
}

function toOutput(response: OutgoingResponse, form: HttpStep["responseAs"]): JsonObject {
  const { status } = response;
  // A cookie is a credential, which the history must not hold.
  const { "set-cookie": _, ...headers } = response.headers;
  const body = responseBody(response.body, headers["content-type"] ?? "", status, form);
  return { status, headers, body };
}
