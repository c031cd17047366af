import { z } from "zod";
import { headerName } from "./request-auth.ts";
import { webhookSignature } from "./webhook-signature.ts";

/** The name of a schema, a table or a column. */
export const identifier = z.string().min(1).max(63);

/** A run starts on an HTTP call. */
const webhookTriggerSchema = z.strictObject({
  kind: z.literal("webhook"),
  method: z.enum(["POST", "GET"]).default("POST"),
  response: z.enum(["SYNCHRONOUS", "ASYNCHRONOUS"]).default("SYNCHRONOUS"),
  waitSeconds: z.int().min(1).max(3600).default(30),
  onTimeout: z.enum(["CONTINUE", "CANCEL"]).default("CONTINUE"),
  access: z.enum(["PUBLIC", "AUTHENTICATED"]).default("PUBLIC"),
  executeAs: z.uuid().nullable().default(null),
  /** Headers to redact besides `authorization` and `cookie`, before anything is stored. */
  redactHeaders: z.array(headerName).max(50).default([]),
  /** Parameters of the query whose values are never stored with a run. */
  redactQuery: z.array(z.string().min(1).max(200)).max(50).default([]),
  /** Parts of the body to redact: JSON pointers, in which `*` stands for every item and every key. */
  redactBody: z
    .array(
      z
        .string()
        .max(500)
        .regex(
          /^(?:\/(?:[^~/]|~[01])+)+$/,
          "Must be a JSON pointer, such as /card/number or /items/*/key",
        ),
    )
    .max(50)
    .default([]),
  /** How callers sign; null for no signature. */
  signature: webhookSignature.nullable().default(null),
});

/** A run starts on request, with any input. */
const manualTriggerSchema = z.strictObject({
  kind: z.literal("manual"),
  /** Required: the run has no caller to execute as. */
  executeAs: z.uuid(),
});

/** A run starts at each moment of a cron expression. */
const scheduleTriggerSchema = z.strictObject({
  kind: z.literal("schedule"),
  cron: z
    .string()
    .max(200)
    .regex(
      /^[^\s]+(?: [^\s]+){4}$/,
      "cron must have five fields: minute, hour, day of the month, month, day of the week",
    ),
  /** The time zone of the cron fields: an IANA name. */
  timeZone: z.string().max(100).default("UTC"),
  /** Whether an occurrence starts a run while the run of the previous one is open. */
  overlap: z.enum(["ALLOW", "SKIP"]).default("ALLOW"),
  /** Which missed occurrences get a run. */
  catchUp: z.enum(["LATEST", "ALL", "NONE"]).default("LATEST"),
  executeAs: z.uuid(),
});

/** A run starts on each change of a row, by any client. */
const databaseEventTriggerSchema = z.strictObject({
  kind: z.literal("databaseEvent"),
  schema: identifier.default("public"),
  table: identifier,
  on: z
    .array(z.enum(["insert", "update", "delete"]))
    .min(1)
    .max(3)
    .refine((on) => new Set(on).size === on.length, "Each operation is allowed once"),
  /** An update starts a run only if the value of one of these fields differs; by default, of any field. */
  changedFields: z.array(identifier).min(1).max(100).optional(),
  /** A CEL condition over `start`. */
  filter: z.string().min(1).max(2000).optional(),
  executeAs: z.uuid(),
});

/** The event that starts a run. */
export const triggerSchema = z.discriminatedUnion("kind", [
  webhookTriggerSchema,
  manualTriggerSchema,
  scheduleTriggerSchema,
  databaseEventTriggerSchema,
]);
