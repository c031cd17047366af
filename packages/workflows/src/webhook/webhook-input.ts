import { createError } from "@rowhouse/errors";
import {
  isStorableText,
  malformedEncoding,
  parseExactJson,
  readQueryText,
  scanJson,
} from "@rowhouse/wire";
import { isJsonObject, setOwn, toJson } from "../base/json.ts";

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
export function parseWebhookBody(bytes: Uint8Array): unknown {
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
export function inputJson(input: WebhookInput): string {
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
