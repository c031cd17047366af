import { prototypeKeys } from "@rowhouse/wire";
import { z } from "zod";
import { isJsonObject } from "../base/json.ts";
import { commonField, field } from "./field-meta.ts";
import { identifier } from "./trigger.ts";

/** The id of a step, under which later steps read its output. */
export const stepId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, "A step's id must be letters, digits, _ and -")
  .refine((id) => !prototypeKeys.has(id), "This id is not allowed")
  .meta(
    commonField(
      "Id",
      "Unique in the workflow. Later steps read the output as steps.<id>.",
      "stepId",
    ),
  );

/** A JSON object, with all its keys: `z.record` would drop `__proto__`. */
export const dataObject = keepKeys({ type: "object", additionalProperties: {} });

const nameMax = 200;

export const namedValues = keepKeys(
  {
    type: "object",
    propertyNames: { type: "string", minLength: 1, maxLength: nameMax },
    additionalProperties: {},
  },
  nameMax,
);

function keepKeys(document: Readonly<Record<string, unknown>>, max?: number) {
  const schema = z
    .unknown()
    .check(({ value, issues }) => {
      if (!isJsonObject(value)) {
        issues.push({ code: "invalid_type", expected: "record", input: value });
        return;
      }
      const wrong = max && Object.keys(value).find((key) => key === "" || key.length > max);
      if (typeof wrong !== "string") return;
      const message = `A name must have 1 to ${max} characters`;
      issues.push({ code: "custom", message, path: [wrong], input: value });
    })
    .meta(document);
  return schema as z.ZodType<Record<string, unknown>, Record<string, unknown>>;
}

const noteMax = 1000;

/** The fields of every step that say something about it to people, and whether runs pass over it. */
export const noteFields = {
  note: z
    .string()
    .max(noteMax)
    .optional()
    .meta(field("Note", "A text for those who read the workflow. Runs do not use it.", "note")),
  disabled: z
    .boolean()
    .optional()
    .meta({
      ...field("Disabled", "Runs pass over it and its inner steps; its output is null.", "boolean"),
      // For forms. A definition without the field stays without it.
      default: false,
    }),
};

/** The retries of a failed step. No worker waits during a pause. */
export const retryFields = {
  attempts: z
    .int()
    .min(1)
    .max(20)
    .meta(field("Attempts", "Number of attempts, the first included.", "number")),
  delayMs: z
    .int()
    .min(100)
    .max(3_600_000)
    .default(1000)
    .meta(field("First pause", "The pause before the second attempt.", "milliseconds")),
  backoff: z
    .enum(["exponential", "fixed"])
    .default("exponential")
    .meta(field("Backoff", "Exponential doubles each pause; fixed keeps it.", "choice")),
  maxDelayMs: z
    .int()
    .min(100)
    .max(86_400_000)
    .default(300_000)
    .meta(field("Longest pause", "No pause is longer than this.", "milliseconds")),
};

/** Describes the field `retry`, whose attributes differ by kind. */
export const retryMeta = commonField(
  "Retries",
  "How often the step is tried again after a failure.",
  "retry",
);
/** Describes the field `timeoutMs`, whose limits differ by kind. */
export const timeoutMeta = commonField(
  "Time limit",
  "The time limit of one attempt. An attempt that takes longer fails.",
  "milliseconds",
);

/** The fields of every step with effects outside the run. */
export const effectFields = {
  retry: z.strictObject(retryFields).optional().meta(retryMeta),
  timeoutMs: z.int().min(100).max(600_000).optional().meta(timeoutMeta),
};

export const tableFields = {
  schema: identifier.default("public").meta(field("Schema", "The schema of the table.", "schema")),
  table: identifier.meta(field("Table", "The table, or the view.", "table")),
};

export const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;
export const slugMessage = "A slug must be 1 to 80 lower-case letters, digits and dashes";
