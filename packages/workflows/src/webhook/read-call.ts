import { createError } from "@rowhouse/errors";
import {
  isStorableText,
  malformedEncoding,
  parseExactJson,
  readQueryText,
  scanJson,
} from "@rowhouse/wire";
import { isJsonObject, setOwn, toJson } from "../base/json.ts";
import type { WebhookTrigger } from "../definition/definition.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import { checkSignature, deliveryKey } from "./check-signature.ts";
import { redactBody, redactHeaders, redactQuery } from "./redact-input.ts";
import { fingerprintOf, type KeyedCall } from "./repeated-call.ts";
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

/** The `start.data` that a webhook call passes to its run. */
export interface WebhookInput {
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
  readonly meta: { readonly ip: string; readonly headers: Readonly<Record<string, string>> };
}

const depthMax = 64;

/**
 * Parses the query of a call: each value is a text, or a list of texts if the name is repeated.
 *
 * @throws AppError QUERY_INVALID for text that cannot be stored
 */
export function parseWebhookQuery(search: string): WebhookInput["query"] {
  const query: Record<string, string | string[]> = {};
  for (const { name, value } of readQueryText(search)) {
    if (value === undefined) {
      throw createError("QUERY_INVALID", { path: name, message: malformedEncoding });
    }
    if (name.includes("\0") || value.includes("\0")) {
      throw createError("QUERY_INVALID", { path: name.replaceAll("\0", "") });
    }
    const known = Object.hasOwn(query, name) ? query[name] : undefined;
    if (known === undefined) setOwn(query, name, value);
    else setOwn(query, name, [...(Array.isArray(known) ? known : [known]), value]);
  }
  return query;
}

/**
 * Parses the body of a POST: a JSON object or array with exact numbers, regardless of its content type.
 *
 * @throws AppError WORKFLOW_WEBHOOK_INVALID_PAYLOAD for any other body, BODY_INVALID for text that cannot be stored
 * and excessive nesting
 */
function parseWebhookBody(bytes: Uint8Array): unknown {
  const text = decodeText(bytes);
  if (scanJson(text).depth > depthMax) {
    throw createError("BODY_INVALID", {
      message: `The body is nested more than ${depthMax} levels deep`,
    });
  }
  const body = parseText(text);
  if (!Array.isArray(body) && !isJsonObject(body)) {
    throw createError("WORKFLOW_WEBHOOK_INVALID_PAYLOAD");
  }
  refuseUnsafe(body);
  return body;
}

/** Returns the JSON that is stored as the input of a run. */
function inputJson(input: WebhookInput): string {
  return toJson(input);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw createError("WORKFLOW_WEBHOOK_INVALID_PAYLOAD", { cause: error });
  }
}

function parseText(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw createError("WORKFLOW_WEBHOOK_INVALID_PAYLOAD", { cause: error });
  }
}

function refuseUnsafe(value: unknown): void {
  if (typeof value === "string") {
    if (!isStorableText(value)) {
      throw createError("BODY_INVALID", {
        message: "A text contains a character that cannot be stored",
      });
    }
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnsafe(item);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      refuseUnsafe(key);
      refuseUnsafe(item);
    }
  }
}
