import { exactNumberText } from "@rowhouse/wire";
import { isJsonObject, type JsonObject, setOwn, toJson } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { OutgoingRequest } from "../outgoing/send-request.ts";
import type { SecretValues } from "../secrets/secret-reader.ts";
import { SecretText } from "../secrets/secret-text.ts";

type HttpStep = Extract<EffectStep, { kind: "httpRequest" }>;

/**
 * Builds the request of a step. Only here are secrets replaced by their values.
 *
 * @param input the step's rendered templates, with secrets as names
 * @param idempotencyKey the same for each attempt of this step in this run
 * @throws RunFault SECRET_UNAVAILABLE, HTTP_URL_INVALID, HTTP_HEADER_INVALID, HTTP_REQUEST_INVALID
 */
export function buildRequest(
  step: HttpStep,
  input: JsonObject,
  secrets: SecretValues,
  idempotencyKey: string,
): OutgoingRequest {
  const plain = revealSecrets(input, secrets) as JsonObject;
  const auth = credentialOf(plain.auth);
  const body = step.body === undefined ? undefined : encodeBody(step.bodyKind, plain.body);
  const given = isJsonObject(input.headers) ? input.headers : {};
  const isSecret = (name: string) => holdsSecret(given[name]);
  const names = Object.keys(given);
  return {
    method: step.method,
    url: urlOf(plain, auth.query),
    headers: {
      "idempotency-key": idempotencyKey,
      ...(body === undefined ? {} : { "content-type": contentTypes[step.bodyKind] }),
      ...headersOf(
        plain,
        names.filter((name) => !isSecret(name)),
      ),
    },
    credentials: {
      ...headersOf(plain, names.filter(isSecret)),
      ...headersOf({ headers: auth.headers }),
    },
    body,
    bodyIsSecret: holdsSecret(input.body),
    timeoutMs: step.timeoutMs,
    responseBytesMax: step.responseBytesMax,
    redirectsMax: step.redirectsMax,
  };
}

const contentTypes: Readonly<Record<HttpStep["bodyKind"], string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
};

function encodeBody(kind: HttpStep["bodyKind"], body: unknown): Uint8Array {
  return new TextEncoder().encode(bodyText(kind, body));
}

function bodyText(kind: HttpStep["bodyKind"], body: unknown): string {
  switch (kind) {
    case "json":
      return toJson(body);
    case "form": {
      if (!isJsonObject(body)) {
        throw new RunFault("HTTP_REQUEST_INVALID", "The body of a form must be an object");
      }
      const form = new URLSearchParams();
      appendAll(form, body);
      return form.toString();
    }
    case "text":
      return scalarText(body);
    default:
      return kind satisfies never;
  }
}

function urlOf(input: JsonObject, more: Readonly<Record<string, string>>): string {
  const text = scalarText(input.url);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RunFault("HTTP_URL_INVALID", "url must be a valid URL");
  }
  appendAll(url.searchParams, isJsonObject(input.query) ? input.query : {});
  appendAll(url.searchParams, more);
  return url.href;
}

/** Appends parameters: a list as repeated names, null as nothing. */
function appendAll(parameters: URLSearchParams, values: JsonObject): void {
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null) parameters.append(name, scalarText(item));
    }
  }
}

function headersOf(input: JsonObject, only?: readonly string[]): Record<string, string> {
  const headers = isJsonObject(input.headers) ? input.headers : {};
  return Object.fromEntries(
    (only ?? Object.keys(headers)).map((name) => {
      const text = scalarText(headers[name]);
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
        throw new RunFault(
          "HTTP_HEADER_INVALID",
          `The value of the header ${name} contains a character that cannot be sent`,
        );
      }
      return [name.toLowerCase(), text];
    }),
  );
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  return exactNumberText(value) ?? toJson(value);
}

/** Returns `value` with the names of secrets replaced by their values. @throws RunFault SECRET_UNAVAILABLE */
function revealSecrets(value: unknown, secrets: SecretValues): unknown {
  if (value instanceof SecretText) return value.reveal(secrets);
  if (Array.isArray(value)) return value.map((item) => revealSecrets(item, secrets));
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    setOwn(result, key, revealSecrets(item, secrets));
  return result;
}

function holdsSecret(value: unknown): boolean {
  if (value instanceof SecretText) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isJsonObject(value) && Object.values(value).some(holdsSecret);
}

/** The credential of a request, as headers or query parameters. */
export interface RequestCredential {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Returns the credential of a step's `auth`, with templates and secrets rendered.
 *
 * @throws RunFault HTTP_REQUEST_INVALID for a user name with a colon, whose rest would be read as part of the password
 */
function credentialOf(auth: unknown): RequestCredential {
  if (auth === undefined || auth === null) return { headers: {}, query: {} };
  const text = (key: string) => String((auth as JsonObject)[key] ?? "");
  switch (text("kind")) {
    case "bearer":
      return { headers: { authorization: `Bearer ${text("token")}` }, query: {} };
    case "basic": {
      if (text("user").includes(":")) {
        throw new RunFault(
          "HTTP_REQUEST_INVALID",
          "The user of a basic credential must not contain a colon",
        );
      }
      const pair = Buffer.from(`${text("user")}:${text("password")}`).toString("base64");
      return { headers: { authorization: `Basic ${pair}` }, query: {} };
    }
    default: {
      const one = { [text("name")]: text("value") };
      return text("in") === "header" ? { headers: one, query: {} } : { headers: {}, query: one };
    }
  }
}
