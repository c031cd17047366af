import { z } from "zod";
import { field, stepKind } from "./field-meta.ts";
import { namedValues, stepId } from "./step-fields.ts";

/** The longest delay, in seconds: one year. */
export const delaySecondsMax = 31_536_000;

export const delay = z
  .strictObject({
    id: stepId,
    kind: z.literal("delay"),
    seconds: z
      .union([z.number().min(0).max(delaySecondsMax), z.string().min(1).max(500)])
      .optional()
      .meta(
        field(
          "Seconds",
          "How long the run waits: a number, or a template that yields one. A delay has either seconds or a moment.",
          "seconds",
        ),
      ),
    until: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .meta(
        field("Until", "The moment when the run continues: an ISO 8601 timestamp.", "template"),
      ),
  })
  .meta(
    stepKind(
      "flow",
      "Wait",
      "Waits for a time, or until a moment. No worker is occupied meanwhile.",
    ),
  );

export const setValues = z
  .strictObject({
    id: stepId,
    kind: z.literal("setValues"),
    values: namedValues.meta(
      field("Values", "The value of each name. Later steps read them as vars.<name>.", "values"),
    ),
  })
  .meta(stepKind("values", "Set values", "Stores values that later steps read as vars.<name>."));

export const fail = z
  .strictObject({
    id: stepId,
    kind: z.literal("fail"),
    code: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{0,62}$/, "A code must be upper-case letters, digits and _")
      .default("WORKFLOW_FAILED")
      .meta(field("Code", "The code of the error, in upper-case letters, digits and _.", "text")),
    message: z
      .string()
      .min(1)
      .max(2000)
      .meta(field("Message", "The message of the error.", "template")),
  })
  .meta(stepKind("flow", "Fail", "Ends the run as failed."));

export const finish = z
  .strictObject({
    id: stepId,
    kind: z.literal("finish"),
    result: z
      .unknown()
      .optional()
      .meta(
        field("Result", "The result of the run, which a synchronous call returns.", "templateJson"),
      ),
  })
  .meta(stepKind("flow", "Finish", "Ends the run as succeeded."));
