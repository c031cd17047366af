import { z } from "zod";
import { secretNameForm } from "../secrets/secret-name.ts";
import { field } from "./field-meta.ts";
import { headerName } from "./request-auth.ts";

const secret = z
  .string()
  .regex(secretNameForm, "Must be the name of a secret: upper-case letters, digits and _")
  .meta(field("Secret", "The name of a secret.", "secret"));
const secrets = z
  .array(secret)
  .min(1)
  .max(5)
  .meta(
    field("Secrets", "A signature by any of them is valid: several during a rotation.", "list"),
  );
const toleranceSeconds = z
  .int()
  .min(10)
  .max(3600)
  .default(300)
  .meta(field("Maximum age", "The maximum age of a call.", "seconds"));

/** How callers of a webhook sign their requests. */
export const webhookSignature = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("HMAC"),
      header: headerName.meta(field("Header", "The header that has the digest.", "text")),
      prefix: z
        .string()
        .max(50)
        .default("")
        .meta(field("Prefix", "The text before the digest, such as sha256=.", "text")),
      encoding: z
        .enum(["HEX", "BASE64"])
        .default("HEX")
        .meta(field("Encoding", "The encoding of the digest.", "choice")),
      secrets,
    })
    .meta({ title: "HMAC", description: "HMAC with SHA-256 over the body, in a header." }),
  z
    .strictObject({ kind: z.literal("GITHUB"), secrets })
    .meta({ title: "GitHub", description: "X-Hub-Signature-256, as GitHub signs." }),
  z
    .strictObject({ kind: z.literal("STRIPE"), toleranceSeconds, secrets })
    .meta({ title: "Stripe", description: "Stripe-Signature, as Stripe signs." }),
  z.strictObject({ kind: z.literal("STANDARD_WEBHOOKS"), toleranceSeconds, secrets }).meta({
    title: "Standard Webhooks",
    description: "webhook-signature, by standardwebhooks.com.",
  }),
]);

export type WebhookSignature = z.output<typeof webhookSignature>;
