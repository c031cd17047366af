import type { JsonObject } from "../base/json.ts";
import { HttpStatusFault, RunFault } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { EffectRequest } from "../interpret/wait.ts";
import type { HostRules } from "../outgoing/address-guard.ts";
import { type OutgoingResponse, sendRequest } from "../outgoing/send-request.ts";
import type { SecretValues } from "../secrets/secret-reader.ts";
import { redactorOf } from "../secrets/secret-redactor.ts";
import { buildRequest } from "./build-request.ts";
import { parseOutsideJson, toStorable } from "./stored-text.ts";

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

/** Statuses with which a server asks for a pause. */
const statuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Returns the pause that a response requests by `Retry-After`, in seconds or as a date.
 *
 * @param now in milliseconds since 1970
 * @returns milliseconds, 0 without a request or for a date in the past
 */
export function retryAfterMs(status: number, header: string | undefined, now: number): number {
  if (header === undefined || !statuses.has(status)) return 0;
  const text = header.trim();
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  // Three forms of dates exist; each begins with the name of a day.
  const moment = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text.slice(0, 40)) : Number.NaN;
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - now);
}

/** How a step returns a body: JSON or text by its content type, or its bytes. */
export type ResponseForm = "auto" | "base64";

const jsonType = /^application\/(?:[\w.+-]+\+)?json\b/i;
const charsetParameter = /;[ \t]*charset=[ \t]*"?([^\s;"]{1,40})/i;

/**
 * Returns the body of a response as a step's output. JSON is parsed; a text is decoded by the charset that the
 * response declares, otherwise as UTF-8. The body of an error is the text if it is not what its type declares: a
 * proxy's page must not hide the status.
 *
 * @throws RunFault HTTP_BODY_INVALID for an unknown charset, and for JSON that is invalid or nested too deep, unless
 * the status is an error
 */
export function responseBody(
  bytes: Uint8Array,
  contentType: string,
  status: number,
  form: ResponseForm,
): unknown {
  if (form === "base64") return Buffer.from(bytes).toString("base64");
  const isError = status >= 400;
  const text = decode(bytes, contentType, isError);
  if (!jsonType.test(contentType)) return text;
  if (text.trim() === "") return null;
  try {
    return parseOutsideJson(text, "HTTP_BODY_INVALID", "The response body");
  } catch (error) {
    if (isError) return text;
    throw error;
  }
}

function decode(bytes: Uint8Array, contentType: string, isError: boolean): string {
  const charset = charsetParameter.exec(contentType)?.[1] ?? "utf-8";
  try {
    const decoder = new TextDecoder(charset);
    return decoder.encoding === "windows-1252" ? decodeWestern(bytes) : decoder.decode(bytes);
  } catch (error) {
    if (isError) return new TextDecoder().decode(bytes);
    const message = `The response declares the charset "${charset}", which is not supported`;
    throw new RunFault("HTTP_BODY_INVALID", message, error);
  }
}

/** The characters of the bytes 0x80 to 0x9f in windows-1252, which is also meant by ISO-8859-1 and ASCII. */
const western = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Some versions of Node.js decode windows-1252 as Latin-1. */
function decodeWestern(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (letter) => western.charAt(letter.charCodeAt(0) - 0x80));
}
