import { parseExactJson } from "@rowhouse/wire";
import { isJsonObject, type JsonObject, toJson } from "../base/json.ts";
import type { EffectStep } from "../definition/definition.ts";
import { buildRequest } from "../effect/build-request.ts";
import {
  checkLiteralAddress,
  checkPublicHost,
  type HostRules,
  isAllowedHost,
} from "../outgoing/address-guard.ts";
import { redactAuth, redactCredentials } from "../secrets/redact-credentials.ts";
import { redacted } from "../secrets/secret-text.ts";

type HttpStep = Extract<EffectStep, { kind: "httpRequest" }>;

/** The limit of a shown text, in characters. */
const textMax = 65_536;

/**
 * Returns the request that a step would send, without its secrets and credentials. It resolves no name and sends nothing.
 *
 * @param secretNames the secrets that steps of the definition use; their values are not read
 * @throws RunFault HTTP_HOST_REFUSED, HTTP_ADDRESS_REFUSED, and every error of `buildRequest`
 */
export function describeRequest(
  step: HttpStep,
  input: JsonObject,
  secretNames: readonly string[],
  rules: HostRules,
  idempotencyKey: string,
): JsonObject {
  const masked = new Map(secretNames.map((name) => [name, redacted]));
  // Checks also the parts that the description leaves out.
  buildRequest(step, input, masked, idempotencyKey);
  const { auth } = input;
  const shown = isJsonObject(auth) ? { ...input, auth: redactAuth(auth) } : input;
  const request = buildRequest(step, shown, masked, idempotencyKey);
  const url = new URL(request.url);
  // A secret can be the host.
  if (!request.url.includes(redacted) && !isAllowedHost(url, rules)) {
    checkLiteralAddress(url);
    checkPublicHost(url, rules);
  }
  const credentials = Object.keys(request.credentials ?? {}).map((name) => [name, redacted]);
  return {
    method: request.method,
    url: readable(request.url),
    headers: { ...redactCredentials(request.headers), ...Object.fromEntries(credentials) },
    body: bodyOf(step, input),
  };
}

/** Returns the URL with the marks of its secrets as they are elsewhere. */
function readable(url: string): string {
  return url.replaceAll(encodeURIComponent(redacted), redacted);
}

function bodyOf(step: HttpStep, input: JsonObject): unknown {
  if (step.body === undefined) return null;
  // As JSON, which writes secrets as `[redacted]`.
  const text = toJson(input.body);
  return text.length <= textMax ? parseExactJson(text) : `${text.slice(0, textMax)}…`;
}
