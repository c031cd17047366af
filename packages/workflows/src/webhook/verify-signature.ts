import { createHmac, timingSafeEqual } from "node:crypto";
import { standardKey } from "../secrets/signing-key.ts";

/**
 * A signature style. Each is an HMAC with SHA-256 over the raw body, in some styles together with an id and a
 * timestamp.
 */
export type SignatureStyle =
  | {
      /** Signs the body alone; the sender chooses the header of the digest. */
      readonly kind: "HMAC";
      readonly header: string;
      /** The text before the digest, such as `sha256=`. */
      readonly prefix: string;
      readonly encoding: "HEX" | "BASE64";
    }
  /** `X-Hub-Signature-256: sha256=<hex>` (docs.github.com, "Validating webhook deliveries"). */
  | { readonly kind: "GITHUB" }
  /** `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]` over `t.body` (docs.stripe.com/webhooks#verify-manually). */
  | { readonly kind: "STRIPE"; readonly toleranceSeconds: number }
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64> …` over `id.timestamp.body` (standardwebhooks.com). */
  | { readonly kind: "STANDARD_WEBHOOKS"; readonly toleranceSeconds: number };

/** A call as received. */
export interface SignedCall {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Returns whether one of the secrets produced the call's signature. The result does not reveal which part is wrong or
 * missing.
 *
 * @param secrets several during rotation
 * @param nowSeconds the current time, for styles with a timestamp
 */
export function isSignatureGood(
  style: SignatureStyle,
  secrets: readonly string[],
  call: SignedCall,
  nowSeconds: number,
): boolean {
  const { headers, body } = call;
  switch (style.kind) {
    case "HMAC":
      return isDigestOf(
        [withoutPrefix(headers[style.header.toLowerCase()], style.prefix)],
        style.encoding === "HEX" ? "hex" : "base64",
        secrets.map((secret) => digest(secret, body)),
      );
    case "GITHUB":
      return isDigestOf(
        [withoutPrefix(headers["x-hub-signature-256"], "sha256=")],
        "hex",
        secrets.map((secret) => digest(secret, body)),
      );
    case "STRIPE": {
      const parts = (headers["stripe-signature"] ?? "").split(",").map((part) => part.trim());
      const sentAt = parts.find((part) => part.startsWith("t="))?.slice(2);
      if (!isRecent(sentAt, style.toleranceSeconds, nowSeconds)) return false;
      return isDigestOf(
        parts.map((part) => withoutPrefix(part, "v1=")),
        "hex",
        secrets.map((secret) => digest(secret, `${sentAt}.`, body)),
      );
    }
    case "STANDARD_WEBHOOKS": {
      const id = headers["webhook-id"];
      const sentAt = headers["webhook-timestamp"];
      if (id === undefined || !isRecent(sentAt, style.toleranceSeconds, nowSeconds)) return false;
      const parts = (headers["webhook-signature"] ?? "").split(" ");
      return isDigestOf(
        parts.map((part) => withoutPrefix(part, "v1,")),
        "base64",
        secrets.flatMap((secret) => {
          const key = standardKey(secret);
          return key === undefined ? [] : [digest(key, `${id}.${sentAt}.`, body)];
        }),
      );
    }
    default:
      return style satisfies never;
  }
}

/** The limit of signatures in one call; each is compared with every secret. */
const signaturesMax = 10;

function digest(secret: string | Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function isDigestOf(
  sent: readonly (string | undefined)[],
  encoding: "hex" | "base64",
  expected: readonly Buffer[],
): boolean {
  const digests = sent
    .filter((text) => text !== undefined)
    .slice(0, signaturesMax)
    .map((text) => Buffer.from(text, encoding));
  // Compares every pair, so that the duration does not reveal which one matched.
  return digests.reduce(
    (found, one) =>
      expected.reduce(
        (any, other) => (one.length === other.length && timingSafeEqual(one, other)) || any,
        found,
      ),
    false,
  );
}

function withoutPrefix(text: string | undefined, prefix: string): string | undefined {
  return text?.startsWith(prefix) === true ? text.slice(prefix.length) : undefined;
}

function isRecent(
  sentAt: string | undefined,
  toleranceSeconds: number,
  nowSeconds: number,
): sentAt is string {
  return (
    sentAt !== undefined &&
    /^[0-9]{1,12}$/.test(sentAt) &&
    Math.abs(nowSeconds - Number(sentAt)) <= toleranceSeconds
  );
}
