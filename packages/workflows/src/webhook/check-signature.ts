import { createError } from "@rowhouse/errors";
import { idempotencyKeyForm } from "@rowhouse/wire";
import type { WebhookSignature } from "../definition/webhook-signature.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import { signingKeyFault } from "../secrets/signing-key.ts";
import { isSignatureGood, type SignedCall } from "./verify-signature.ts";

/**
 * Requires that a call is signed with one of the webhook's secrets.
 *
 * @param now milliseconds since 1970
 * @throws AppError AUTHENTICATION_REQUIRED, without the part that is wrong; SERVICE_UNAVAILABLE if no secret of the
 * webhook is a key, so that no call can be signed
 */
export async function checkSignature(
  secrets: SecretReader,
  signature: WebhookSignature,
  call: SignedCall,
  now: number,
): Promise<void> {
  const loaded = await secrets.load(signature.secrets);
  const values = [...loaded.values()].filter(
    (value) => signingKeyFault(signature.kind, value) === undefined,
  );
  if (values.length === 0) {
    throw createError("SERVICE_UNAVAILABLE", {
      message: "The signature cannot be checked",
      cause: new Error(
        `No secret of the signature is a key that can be used: ${signature.secrets.join(", ")}`,
      ),
      isLogged: true,
    });
  }
  if (!isSignatureGood(signature, values, call, Math.floor(now / 1000))) {
    throw createError("AUTHENTICATION_REQUIRED", {
      message: "The signature is missing or not valid",
    });
  }
}

/** Returns the headers that hold a signature. Stored with the body, they would allow a replay of the call. */
export function signatureHeaders(signature: WebhookSignature): readonly string[] {
  switch (signature.kind) {
    case "HMAC":
      return [signature.header];
    case "GITHUB":
      return ["x-hub-signature-256", "x-hub-signature"];
    case "STRIPE":
      return ["stripe-signature"];
    case "STANDARD_WEBHOOKS":
      return ["webhook-signature"];
    default:
      return signature satisfies never;
  }
}

/**
 * Returns the sender's own id of a delivery if it is signed: repeated deliveries then count as one call. GitHub's
 * `X-GitHub-Delivery` is not signed, and GitHub repeats a delivery only on a user's request.
 */
export function deliveryKey(
  signature: WebhookSignature,
  headers: Readonly<Record<string, string>>,
): string | null {
  if (signature.kind !== "STANDARD_WEBHOOKS") return null;
  const id = headers["webhook-id"];
  return id !== undefined && idempotencyKeyForm.test(id) ? id : null;
}
