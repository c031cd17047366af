import { exactNumberText, parseExactJson } from "@rowhouse/json";
import type { EffectStep } from "../definition/definition.ts";
import { isJsonObject, type JsonObject, toJson } from "../json.ts";
import type { AllowedHosts } from "../outgoing/address-guard.ts";
import { type OutgoingResponse, sendRequest } from "../outgoing/send-request.ts";
import { HttpStatusFault, RunFault } from "./run-fault.ts";
import type { EffectRequest } from "./wait.ts";

type HttpStep = Extract<EffectStep, { kind: "httpRequest" }>;

const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Whether a request whose outcome is unknown may be sent once more. */
export function isRepeatable(step: HttpStep): boolean {
  return step.repeatable ?? repeatable.has(step.method);
}

/**
 * Sends a step's request.
 *
 * @param idempotencyKey the same for each attempt of this step in this run
 * @returns `{ status, headers, body }`, the body parsed where it is JSON
 * @throws RunFault HTTP_STATUS for a status of 400 or more, and everything `sendRequest` throws
 */
export async function runHttpStep(
  step: HttpStep,
  { input, attempt }: Pick<EffectRequest, "input" | "attempt">,
  idempotencyKey: string,
  allowed: AllowedHosts,
  signal: AbortSignal,
): Promise<unknown> {
  const body = step.body === undefined ? undefined : new TextEncoder().encode(toJson(input.body));
  const response = await sendRequest(
    {
      method: step.method,
      url: urlOf(input),
      headers: {
        "idempotency-key": idempotencyKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headersOf(input),
      },
      body,
      timeoutMs: step.timeoutMs,
      responseBytesMax: step.responseBytesMax,
      redirectsMax: step.redirectsMax,
    },
    allowed,
    signal,
  );
  const { retry } = step;
  const isRetried =
    retry !== undefined && attempt < retry.attempts && retry.statuses.includes(response.status);
  if (isRetried || (response.status >= 400 && step.failOnStatus)) {
    throw new HttpStatusFault(response.status);
  }
  return toOutput(response);
}

function urlOf(input: JsonObject): string {
  const text = scalarText(input.url);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RunFault("HTTP_URL_INVALID", "This is not a URL");
  }
  for (const [name, value] of Object.entries(isJsonObject(input.query) ? input.query : {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null) url.searchParams.append(name, scalarText(item));
    }
  }
  return url.href;
}

function headersOf(input: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(isJsonObject(input.headers) ? input.headers : {}).map(([name, value]) => {
      const text = scalarText(value);
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
        throw new RunFault("HTTP_HEADER_INVALID", `The value of the header ${name} cannot be sent`);
      }
      return [name.toLowerCase(), text];
    }),
  );
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  return exactNumberText(value) ?? toJson(value);
}

function toOutput(response: OutgoingResponse): JsonObject {
  // A cookie is a credential; it has no place in the history.
  const { "set-cookie": _, ...headers } = response.headers;
  const text = new TextDecoder().decode(response.body);
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers["content-type"] ?? "");
  return { status: response.status, headers, body: isJson ? parseBody(text) : text };
}

function parseBody(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return parseExactJson(text);
  } catch {
    throw new RunFault("HTTP_BODY_INVALID", "The answer calls itself JSON and is not");
  }
}
