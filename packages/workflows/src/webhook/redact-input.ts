import { unescapePointer } from "@rowhouse/errors";
import { isJsonObject, setOwn } from "../base/json.ts";
import type { WebhookTrigger } from "../definition/definition.ts";
import { credentialHeaders } from "../secrets/redact-credentials.ts";
import { redacted } from "../secrets/secret-text.ts";
import { signatureHeaders } from "./check-signature.ts";

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
