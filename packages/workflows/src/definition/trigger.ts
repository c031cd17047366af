import { z } from "zod";
import { field } from "./field-meta.ts";
import { headerName } from "./request-auth.ts";
import { webhookSignature } from "./webhook-signature.ts";

/** The name of a schema, a table or a column. */
export const identifier = z.string().min(1).max(63);

const executeAs = z
  .uuid()
  .meta(field("Run as", "The user whose rights the steps of a run have.", "user"));

const bodyPointer = z
  .string()
  .max(500)
  .regex(
    /^(?:\/(?:[^~/]|~[01])+)+$/,
    "Must be a JSON pointer, such as /card/number or /items/*/key",
  );

/** The mark of a webhook that agents may call as a tool (`run_workflow` of the MCP server). */
const toolMark = z.strictObject({
  description: z
    .string()
    .min(1)
    .max(1000)
    .meta(field("Description", "What the workflow does, in one or two sentences.", "text")),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .meta(
      field(
        "Input",
        "The JSON Schema of the body that an agent sends; every object is closed. By default no input.",
        "json",
      ),
    ),
});

export const waitSecondsDefault = 30;
export const onTimeoutDefault = "CONTINUE";

/** A run starts on an HTTP call. */
const webhookTriggerSchema = z
  .strictObject({
    kind: z.literal("webhook"),
    method: z
      .enum(["POST", "GET"])
      .default("POST")
      .meta(field("Method", "The method of the calls.", "choice")),
    response: z
      .enum(["SYNCHRONOUS", "ASYNCHRONOUS"])
      .default("SYNCHRONOUS")
      .meta(
        field(
          "Response",
          "Synchronous: the response has the result of the run. Asynchronous: it has the id of the run, at once.",
          "choice",
        ),
      ),
    waitSeconds: z
      .int()
      .min(1)
      .max(3600)
      .default(waitSecondsDefault)
      .meta(field("Longest wait", "How long a synchronous call waits for the result.", "seconds")),
    onTimeout: z
      .enum(["CONTINUE", "CANCEL"])
      .default(onTimeoutDefault)
      .meta(
        field(
          "After the wait",
          "Whether the run continues in the background or is canceled.",
          "choice",
        ),
      ),
    access: z
      .enum(["PUBLIC", "AUTHENTICATED"])
      .default("PUBLIC")
      .meta(
        field(
          "Access",
          "Public: anyone may call. Authenticated: users with a role that may start the workflow.",
          "choice",
        ),
      ),
    executeAs: executeAs
      .nullable()
      .default(null)
      .meta(
        field(
          "Run as",
          "The user whose rights the steps of a run have. Null: the caller. A public webhook requires a user.",
          "user",
        ),
      ),
    redactHeaders: z
      .array(headerName)
      .max(50)
      .default([])
      .meta(
        field(
          "Redacted headers",
          "Headers that are never stored, besides authorization, proxy-authorization and cookie.",
          "list",
        ),
      ),
    redactQuery: z
      .array(z.string().min(1).max(200))
      .max(50)
      .default([])
      .meta(field("Redacted parameters", "Parameters of the query that are never stored.", "list")),
    redactBody: z
      .array(bodyPointer)
      .max(50)
      .default([])
      .meta(
        field(
          "Redacted parts of the body",
          "JSON pointers to parts that are never stored; * stands for every item and every key.",
          "list",
        ),
      ),
    signature: webhookSignature
      .nullable()
      .default(null)
      .meta(
        field("Signature", "How callers sign their requests. Null: no signature.", "signature"),
      ),
    tool: toolMark
      .optional()
      .meta(
        field(
          "Tool for agents",
          "Agents with a role that may start the workflow find it over MCP and run it. By default it is no tool.",
          "tool",
        ),
      ),
  })
  .meta({ title: "Webhook", description: "A run starts on an HTTP call." });

/** A run starts on request, with any input. */
const manualTriggerSchema = z
  .strictObject({
    kind: z.literal("manual"),
    // Required: the run has no caller to execute as.
    executeAs,
  })
  .meta({ title: "By hand", description: "An administrator starts a run, with any input." });

/** A cron expression of five fields. */
export const cronSchema = z
  .string()
  .max(200)
  .regex(
    /^[^\s]+(?: [^\s]+){4}$/,
    "cron must have five fields: minute, hour, day of the month, month, day of the week",
  );

/** A run starts at each moment of a cron expression. */
const scheduleTriggerSchema = z
  .strictObject({
    kind: z.literal("schedule"),
    cron: cronSchema.meta(
      field(
        "Schedule",
        "Five fields: minute, hour, day of the month, month, day of the week.",
        "cron",
      ),
    ),
    timeZone: z
      .string()
      .max(100)
      .default("UTC")
      .meta(field("Time zone", "The time zone of the schedule: an IANA name.", "timeZone")),
    overlap: z
      .enum(["ALLOW", "SKIP"])
      .default("ALLOW")
      .meta(
        field(
          "Overlap",
          "Whether a run starts while the run of the previous moment is open.",
          "choice",
        ),
      ),
    catchUp: z
      .enum(["LATEST", "ALL", "NONE"])
      .default("LATEST")
      .meta(field("Catch up", "Which moments get a run after a time without a worker.", "choice")),
    executeAs,
  })
  .meta({ title: "Schedule", description: "A run starts at each moment of a schedule." });

/** A run starts on each change of a row, by any client. */
const databaseEventTriggerSchema = z
  .strictObject({
    kind: z.literal("databaseEvent"),
    schema: identifier
      .default("public")
      .meta(field("Schema", "The schema of the table.", "schema")),
    table: identifier.meta(field("Table", "The table whose rows are watched.", "table")),
    on: z
      .array(z.enum(["insert", "update", "delete"]))
      .min(1)
      .max(3)
      .refine((on) => new Set(on).size === on.length, "Each operation is allowed once")
      .meta(field("On", "The changes that start a run.", "list")),
    changedFields: z
      .array(identifier)
      .min(1)
      .max(100)
      .optional()
      .meta(
        field(
          "Changed fields",
          "An update starts a run only if one of these fields differs; by default any field.",
          "fields",
        ),
      ),
    filter: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .meta(field("Condition", "A CEL expression over start; by default every change.", "cel")),
    executeAs,
  })
  .meta({ title: "Database event", description: "A run starts on each change of a row." });

/** Every kind of trigger, in the order in which a page offers them. */
export const triggerSchemas = [
  webhookTriggerSchema,
  scheduleTriggerSchema,
  databaseEventTriggerSchema,
  manualTriggerSchema,
] as const;

/** The event that starts a run. */
export const triggerSchema = z.discriminatedUnion("kind", triggerSchemas);
