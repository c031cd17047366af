import { parseIdempotencyKey, requestFingerprintOf } from "@rowhouse/db";
import { createError, unescapePointer } from "@rowhouse/errors";
import {
  isStorableText,
  malformedEncoding,
  parseExactJson,
  readQueryText,
  scanJson,
} from "@rowhouse/wire";
import { isJsonObject, setOwn, toJson } from "../base/json.ts";
import type { WebhookTrigger } from "../definition/definition.ts";
import { credentialHeaders } from "../secrets/redact-credentials.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import { redacted } from "../secrets/secret-text.ts";
import { checkSignature, deliveryKey, signatureHeaders } from "./check-signature.ts";
import {
  type AuthenticatedCall,
  type ReadCall,
  type SettingsSource,
  settingsFor,
} from "./webhook-call.ts";

export interface ReadDeps {
  readonly secrets: SecretReader;
  readonly settings: SettingsSource;
  /** Returns milliseconds since 1970; this process' clock by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * AUTHENTICATED → READ. Checks, in this order: size of the body, signature, idempotency key, body, query.
 *
 * @throws AppError BODY_TOO_LARGE, AUTHENTICATION_REQUIRED for an invalid signature, and the errors of an invalid key,
 * query or body
 */
export async function readCall(deps: ReadDeps, call: AuthenticatedCall): Promise<ReadCall> {
  const { request, webhook } = call;
  const { trigger } = webhook;
  const isPost = trigger.method === "POST";
  const settings = isPost ? await settingsFor(deps.settings, call) : undefined;
  const sent =
    settings === undefined ? nothing : await request.body.read(settings["limits.body_bytes"]);
  const { signature } = trigger;
  if (signature !== null) {
    const now = deps.now?.() ?? Date.now();
    await checkSignature(deps.secrets, signature, { headers: request.headers, body: sent }, now);
  }
  // A signed delivery id has precedence over a header that anyone who has seen the call could change.
  const own = signature === null ? null : deliveryKey(signature, request.headers);
  const key = own ?? parseIdempotencyKey(request.idempotencyKey);
  const body = isPost ? parseWebhookBody(sent) : null;
  const data: Pick<WebhookInput, "query" | "body"> = {
    query: redactQuery(parseWebhookQuery(request.search), trigger.redactQuery),
    body: redactBody(body, trigger.redactBody),
  };
  // No digest of redacted values is stored either.
  const isWhole = trigger.redactQuery.length === 0 && trigger.redactBody.length === 0;
  const fingerprint = () =>
    isWhole
      ? requestFingerprintOf([request.method, request.search], sent)
      : requestFingerprintOf([request.method, toJson(data)]);
  const keyed = key === null ? null : { key, fingerprint: fingerprint() };
  const headers = redactHeaders(request.headers, trigger);
  const input: WebhookInput = { ...data, meta: { ip: request.ip, headers } };
  return { ...call, state: "READ", input: toJson(input), keyed, settings };
}

const nothing = new Uint8Array();

/** The limit of a body that is read before its caller is authorized, in bytes. */
const smallBodyMax = 16_384;

/**
 * Reads a call whose credential is not proven yet, but was authorized before.
 *
 * @returns undefined for a call with an idempotency key, and for one that is invalid or not declared to be small
 */
export async function readEarly(
  deps: ReadDeps,
  call: AuthenticatedCall,
): Promise<ReadCall | undefined> {
  const { declaredBytes } = call.request.body;
  const isSmall = declaredBytes !== null && declaredBytes <= smallBodyMax;
  if (call.webhook.trigger.method === "POST" && !isSmall) return undefined;
  try {
    const read = await readCall(deps, call);
    return read.keyed === null ? read : undefined;
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

/** The parts of a call that a webhook redacts. */
export type Redaction = Pick<
  WebhookTrigger,
  "redactHeaders" | "redactQuery" | "redactBody" | "signature"
>;

/** Replaces every credential by `[redacted]`, before anything is stored. Returns lower-case names. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  { redactHeaders: more, signature }: Pick<Redaction, "redactHeaders" | "signature">,
): Record<string, string> {
  const signed = signature === null ? [] : signatureHeaders(signature);
  const secret = new Set(
    [...credentialHeaders, ...more, ...signed].map((name) => name.toLowerCase()),
  );
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const key = name.toLowerCase();
      return [key, secret.has(key) ? redacted : value];
    }),
  );
}

/** Replaces the values of the named query parameters by `[redacted]`. */
export function redactQuery<Query extends Readonly<Record<string, string | readonly string[]>>>(
  query: Query,
  names: readonly string[],
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, names.includes(name) ? redacted : value]),
  );
}

/**
 * Replaces the values at JSON pointers of a body by `[redacted]`.
 *
 * @param pointers JSON pointers, in which `*` stands for every item and every key
 */
export function redactBody(body: unknown, pointers: readonly string[]): unknown {
  return pointers.reduce<unknown>((rest, pointer) => redactAt(rest, segmentsOf(pointer)), body);
}

function segmentsOf(pointer: string): string[] {
  return pointer.slice(1).split("/").map(unescapePointer);
}

function redactAt(value: unknown, [segment, ...rest]: readonly string[]): unknown {
  if (segment === undefined) return redacted;
  const within = (key: string, item: unknown) =>
    segment === "*" || segment === key ? redactAt(item, rest) : item;
  if (Array.isArray(value)) return value.map((item, index) => within(String(index), item));
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) setOwn(result, key, within(key, item));
  return result;
}
