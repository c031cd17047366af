import { isObject } from "../../records/filter/read-where.ts";
import type { JsonObject } from "../model/definition.ts";

const body = '{"key": "value"}';
/** Prints the digest in hexadecimal digits, in every version of OpenSSL. */
const hexDigest = `openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //'`;
const base64Digest = 'openssl dgst -sha256 -hmac "$SECRET" -binary | base64';

/** Returns a text as one word of a shell, which runs nothing in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Signing {
  /** Lines that set variables. */
  readonly lines: readonly string[];
  /** Headers as words of a shell. */
  readonly headers: readonly string[];
}

function signingOf(signature: JsonObject): Signing {
  switch (signature.kind) {
    case "GITHUB":
      return {
        lines: [`SIGNATURE=$(printf %s "$BODY" | ${hexDigest})`],
        headers: ['"X-Hub-Signature-256: sha256=$SIGNATURE"'],
      };
    case "STRIPE":
      return {
        lines: ["NOW=$(date +%s)", `SIGNATURE=$(printf %s "$NOW.$BODY" | ${hexDigest})`],
        headers: ['"Stripe-Signature: t=$NOW,v1=$SIGNATURE"'],
      };
    case "STANDARD_WEBHOOKS":
      return {
        lines: [
          "NOW=$(date +%s)",
          `KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
          'SIGNATURE=$(printf %s "call-$NOW.$NOW.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
        ],
        headers: [
          '"webhook-id: call-$NOW"',
          '"webhook-timestamp: $NOW"',
          '"webhook-signature: v1,$SIGNATURE"',
        ],
      };
    default: {
      const { header, prefix, encoding } = signature;
      const digest = encoding === "BASE64" ? base64Digest : hexDigest;
      const before = `${text(header)}: ${text(prefix)}`;
      return {
        lines: [`SIGNATURE=$(printf %s "$BODY" | ${digest})`],
        headers: [`${quote(before)}"$SIGNATURE"`],
      };
    }
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * Returns the lines of a shell that call a webhook. They read the secret of a signature from `SECRET`, and a credential
 * from `TOKEN`.
 *
 * @param url the URL of the webhook
 */
export function curlCommand(trigger: JsonObject, url: string): string {
  const { method, access, signature } = trigger;
  const token = access === "AUTHENTICATED" ? ['-H "Authorization: Bearer $TOKEN"'] : [];
  if (method === "GET") return ["curl", quote(`${url}?key=value`), ...token].join(" ");
  if (!isObject(signature)) {
    const json = "-H 'Content-Type: application/json'";
    return ["curl", quote(url), json, ...token, "-d", quote(body)].join(" ");
  }
  const { lines, headers } = signingOf(signature);
  const call = ["curl", quote(url), "-H 'Content-Type: application/json'"];
  const sent = headers.map((header) => `-H ${header}`);
  return [
    `BODY=${quote(body)}`,
    ...lines,
    [...call, ...sent, ...token, '-d "$BODY"'].join(" "),
  ].join("\n");
}
