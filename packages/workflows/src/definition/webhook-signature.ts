import { z } from "zod";
import { secretNameForm } from "../secrets/secret-name.ts";
import { headerName } from "./request-auth.ts";

/** Names of secrets; several during rotation. */
const secrets = z
  .array(
    z
      .string()
      .regex(secretNameForm, "Must be the name of a secret: upper-case letters, digits and _"),
  )
  .min(1)
  .max(5);
/** The maximum age of a call, in seconds. */
const toleranceSeconds = z.int().min(10).max(3600).default(300);

/** How callers of a webhook sign their requests. */
export const webhookSignature = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("HMAC"),
    header: headerName,
    /** The text before the digest, such as `sha256=`. */
    prefix: z.string().max(50).default(""),
    encoding: z.enum(["HEX", "BASE64"]).default("HEX"),
    secrets,
  }),
  z.strictObject({ kind: z.literal("GITHUB"), secrets }),
  z.strictObject({ kind: z.literal("STRIPE"), toleranceSeconds, secrets }),
  z.strictObject({ kind: z.literal("STANDARD_WEBHOOKS"), toleranceSeconds, secrets }),
]);

export type WebhookSignature = z.output<typeof webhookSignature>;
