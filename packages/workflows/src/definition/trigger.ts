import { z } from "zod";
import { headerName } from "./request-auth.ts";
import { webhookSignature } from "./webhook-signature.ts";

/** The name of a schema, a table or a column. */
export const identifier = z.string().min(1).max(63);

/** The webhook's settings with the defaults of the spec's table (§4.4). */
const webhookTriggerSchema = z.strictObject({
  kind: z.literal("webhook"),
  method: z.enum(["POST", "GET"]).default("POST"),
  response: z.enum(["SYNCHRONOUS", "ASYNCHRONOUS"]).default("SYNCHRONOUS"),
  waitSeconds: z.int().min(1).max(3600).default(30),
  onTimeout: z.enum(["CONTINUE", "CANCEL"]).default("CONTINUE"),
  access: z.enum(["PUBLIC", "AUTHENTICATED"]).default("PUBLIC"),
  executeAs: z.uuid().nullable().default(null),
  /** Redacted besides `authorization` and `cookie`, before anything is stored. */
  redactHeaders: z.array(headerName).max(50).default([]),
  /** Parameters of the query whose values are kept out of the run altogether. */
  redactQuery: z.array(z.string().min(1).max(200)).max(50).default([]),
  /** What of the body is: JSON pointers, in which `*` is every item and every key. */
  redactBody: z
    .array(
      z
        .string()
        .max(500)
        .regex(/^(?:\/(?:[^~/]|~[01])+)+$/, "A JSON pointer, such as /card/number or /items/*/key"),
    )
    .max(50)
    .default([]),
  /** How callers sign; nobody has to where it is null. */
  signature: webhookSignature.nullable().default(null),
});

/** Started by whoever may, with an input of their own. */
const manualTriggerSchema = z.strictObject({
  kind: z.literal("manual"),
  /** Nobody's credential comes with the run, so its user is always named. */
  executeAs: z.uuid(),
});

/** Started by the clock. */
const scheduleTriggerSchema = z.strictObject({
  kind: z.literal("schedule"),
  cron: z
    .string()
    .max(200)
    .regex(
      /^[^\s]+(?: [^\s]+){4}$/,
      "Five fields: minute, hour, day of the month, month, day of the week",
    ),
  /** The clock that the fields are read by: an IANA name. */
  timeZone: z.string().max(100).default("UTC"),
  /** Whether an occurrence has a run although the run of the one before has not ended. */
  overlap: z.enum(["ALLOW", "SKIP"]).default("ALLOW"),
  /** What becomes of occurrences at which no worker was there. */
  catchUp: z.enum(["LATEST", "ALL", "NONE"]).default("LATEST"),
  executeAs: z.uuid(),
});

/** Started by a change of a row, whoever makes it. */
const databaseEventTriggerSchema = z.strictObject({
  kind: z.literal("databaseEvent"),
  schema: identifier.default("public"),
  table: identifier,
  on: z
    .array(z.enum(["insert", "update", "delete"]))
    .min(1)
    .max(3)
    .refine((on) => new Set(on).size === on.length, "Each of them once"),
  /** An update counts where one of these has another value; without them, any value. */
  changedFields: z.array(identifier).min(1).max(100).optional(),
  /** A CEL condition over `start`. */
  filter: z.string().min(1).max(2000).optional(),
  executeAs: z.uuid(),
});

/** What starts a run. */
export const triggerSchema = z.discriminatedUnion("kind", [
  webhookTriggerSchema,
  manualTriggerSchema,
  scheduleTriggerSchema,
  databaseEventTriggerSchema,
]);
