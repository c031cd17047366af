import { toJson } from "../base/json.ts";
import type { WebhookTrigger } from "../definition/definition.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import { checkSignature, deliveryKey } from "./check-signature.ts";
import { redactBody, redactHeaders, redactQuery } from "./redact-input.ts";
import { fingerprintOf, type KeyedCall } from "./repeated-call.ts";
import { inputJson, parseWebhookBody, parseWebhookQuery } from "./webhook-input.ts";
import type { AuthorizedCall } from "./webhook-request.ts";

export interface ReadDeps {
  readonly secrets: SecretReader;
  /** Returns milliseconds since 1970; this process' clock by default. */
  readonly now?: () => number;
}

export interface ReadCall {
  /** JSON: the run's `start.data`. */
  readonly input: string;
  /** Null for a call without an idempotency key. */
  readonly call: KeyedCall | null;
}

/** @throws AppError AUTHENTICATION_REQUIRED for an invalid signature, and the errors of an invalid query or body */
export async function readCall(
  deps: ReadDeps,
  request: AuthorizedCall,
  trigger: WebhookTrigger,
): Promise<ReadCall> {
  const sent = trigger.method === "POST" ? await request.readBody() : nothing;
  const { signature } = trigger;
  if (signature !== null) {
    const now = deps.now?.() ?? Date.now();
    await checkSignature(deps.secrets, signature, { headers: request.headers, body: sent }, now);
  }
  // A signed delivery id has precedence over a header that anyone who has seen the call could change.
  const own = signature === null ? null : deliveryKey(signature, request.headers);
  const key = own ?? request.idempotencyKey();
  const body = trigger.method === "POST" ? parseWebhookBody(sent) : null;
  const data = {
    query: redactQuery(parseWebhookQuery(request.search), trigger.redactQuery),
    body: redactBody(body, trigger.redactBody),
  };
  // No digest of redacted values is stored either.
  const isWhole = trigger.redactQuery.length === 0 && trigger.redactBody.length === 0;
  const fingerprint = () =>
    isWhole
      ? fingerprintOf(request.method, request.search, sent)
      : fingerprintOf(request.method, toJson(data), nothing);
  const call = key === null ? null : { key, fingerprint: fingerprint() };
  const headers = redactHeaders(request.headers, trigger);
  return { input: inputJson({ ...data, meta: { ip: request.ip, headers } }), call };
}

const nothing = new Uint8Array();

/** @returns undefined for a call with an idempotency key, and for one that is invalid or not small */
export async function readEarly(
  deps: ReadDeps,
  request: AuthorizedCall,
  readSmallBody: () => Promise<Uint8Array | undefined>,
  trigger: WebhookTrigger,
): Promise<ReadCall | undefined> {
  try {
    const body = trigger.method === "POST" ? await readSmallBody() : nothing;
    if (body === undefined) return undefined;
    const read = await readCall(deps, { ...request, readBody: async () => body }, trigger);
    return read.call === null ? read : undefined;
  } catch {
    return undefined;
  }
}
