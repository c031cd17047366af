import { prototypeKeys } from "@rowhouse/json";
import { z } from "zod";
import { headerName, requestAuth } from "./request-auth.ts";
import { identifier, triggerSchema } from "./trigger.ts";

/** The longest delay, in seconds: one year. */
export const delaySecondsMax = 31_536_000;
/** The limit of attachments of one mail. */
export const attachmentsMax = 10;
const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;
const slugMessage = "A slug must be 1 to 80 lower-case letters, digits and dashes";
const name = z.string().min(1).max(200);
const stepId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, "A step's id must be letters, digits, _ and -")
  .refine((id) => !prototypeKeys.has(id), "This id is not allowed");
const values = z.record(z.string().min(1).max(200), z.unknown());

/** The steps that run after a step has failed; the run does not end. */
export interface Handler {
  steps: Step[];
}
interface HandlerInput {
  steps: StepInput[];
}
const steps = z.array(z.lazy(() => stepSchema)).max(200);
const handler: z.ZodType<Handler, HandlerInput> = z.lazy(() => z.strictObject({ steps }));

const onError = z.union([z.enum(["fail", "continue"]), handler]).default("fail");

/** The retries of a failed step. No worker waits during a pause. */
const retryFields = {
  /** Number of attempts, the first included. */
  attempts: z.int().min(1).max(20),
  delayMs: z.int().min(100).max(3_600_000).default(1000),
  /** Whether each pause is twice as long as the one before. */
  backoff: z.enum(["exponential", "fixed"]).default("exponential"),
  maxDelayMs: z.int().min(100).max(86_400_000).default(300_000),
};
const retry = z.strictObject(retryFields).optional();
const timeoutMs = z.int().min(100).max(600_000);
/** The fields of every step with effects outside the run. */
const effect = { id: stepId, onError, retry, timeoutMs: timeoutMs.optional() };
const table = { schema: identifier.default("public"), table: identifier };
const fields = z.string().max(2000).optional();
/** The value of a key, or the values of a composite key; templates or literals. */
const key = z.union([
  z.string().min(1).max(2000),
  z.number(),
  z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(32),
]);
/** Either `key`, or `where` with a maximum number of rows. */
const selection = {
  id: stepId,
  key: key.optional(),
  where: values.optional(),
  maxAffected: z.int().min(1).max(10_000).default(100),
};

const createRow = z.strictObject({ ...effect, kind: z.literal("createRow"), ...table, values });

const listRows = z.strictObject({
  ...effect,
  kind: z.literal("listRows"),
  ...table,
  fields,
  where: values.optional(),
  orderBy: z.string().max(500).optional(),
  limit: z.int().min(1).max(1000).optional(),
});

const getRow = z.strictObject({ ...effect, kind: z.literal("getRow"), ...table, key, fields });

const updateRows = z.strictObject({
  ...effect,
  kind: z.literal("updateRows"),
  ...table,
  ...selection,
  values,
});

const deleteRows = z.strictObject({
  ...effect,
  kind: z.literal("deleteRows"),
  ...table,
  ...selection,
});

const httpRequest = z.strictObject({
  ...effect,
  kind: z.literal("httpRequest"),
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  url: z.string().min(1).max(4000),
  headers: z.record(headerName, z.string().max(8000)).default({}),
  query: z.record(z.string().min(1).max(200), z.unknown()).default({}),
  auth: requestAuth.optional(),
  body: z.unknown().optional(),
  /** The encoding of the body. */
  bodyKind: z.enum(["json", "form", "text"]).default("json"),
  timeoutMs: z.int().min(100).max(120_000).default(30_000),
  responseBytesMax: z.int().min(1).max(10_485_760).default(1_048_576),
  /** Whether a status of 400 or more fails the step. */
  failOnStatus: z.boolean().default(true),
  /** Whether the request may be sent again although the outcome of the last attempt is unknown. */
  repeatable: z.boolean().optional(),
  /** The maximum number of redirects to follow. */
  redirectsMax: z.int().min(0).max(10).default(5),
  retry: z
    .strictObject({
      ...retryFields,
      /** Response statuses that are retried. */
      statuses: z
        .array(z.int().min(300).max(599))
        .max(50)
        .default([408, 425, 429, 500, 502, 503, 504]),
    })
    .optional(),
});

const sendEmail = z.strictObject({
  ...effect,
  kind: z.literal("sendEmail"),
  to: z.union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).min(1).max(50)]),
  subject: z.string().min(1).max(500),
  text: z.string().max(100_000),
  html: z.string().max(200_000).optional(),
  /** Ids of files, or a template that yields one or a list of them. */
  attachments: z
    .union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).max(attachmentsMax)])
    .optional(),
});

/** The row of a file that a step creates. */
const newFile = {
  name: z.string().min(1).max(1000),
  title: z.string().max(1000).optional(),
  description: z.string().max(10_000).optional(),
  folderId: z.string().max(500).nullable().optional(),
  visibility: z.enum(["PRIVATE", "PUBLIC"]).optional(),
};

const renderDocument = z.strictObject({
  ...effect,
  kind: z.literal("renderDocument"),
  /** The key of a document's template. A literal: a value must not choose what is rendered. */
  template: z
    .string()
    .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/, "The key of a template of a document"),
  language: z.string().min(1).max(500).optional(),
  data: values.default({}),
  /** Whether the HTML of the template becomes a PDF file. */
  pdf: z.boolean().default(false),
  ...newFile,
});

const storeFile = z.strictObject({
  ...effect,
  kind: z.literal("storeFile"),
  ...newFile,
  content: z.string(),
  encoding: z.enum(["text", "base64"]).default("text"),
  /** The type that the sender names; the type of the file is found in its bytes. */
  mediaType: z.string().max(200).optional(),
});

const readFile = z.strictObject({
  ...effect,
  kind: z.literal("readFile"),
  /** The id of the file. */
  file: z.string().min(1).max(500),
  as: z.enum(["text", "json", "base64"]).default("text"),
  bytesMax: z.int().min(1).max(3_000_000).default(1_048_576),
});

const runWorkflow = z.strictObject({
  ...effect,
  kind: z.literal("runWorkflow"),
  /** The slug of the other workflow. */
  workflow: z.string().regex(slugForm, slugMessage),
  /** The `start.data` of the other run. */
  input: z.unknown().optional(),
  /** Whether this run waits for the end of the other one. */
  wait: z.boolean().default(true),
  timeoutMs: z.int().min(1000).max(2_592_000_000).optional(),
});

const delay = z.strictObject({
  id: stepId,
  kind: z.literal("delay"),
  onError,
  /** A number, or a template that yields one. */
  seconds: z.union([z.number().min(0).max(delaySecondsMax), z.string().min(1).max(500)]).optional(),
  /** An ISO 8601 timestamp, usually a template. */
  until: z.string().min(1).max(500).optional(),
});

const setValues = z.strictObject({ id: stepId, kind: z.literal("setValues"), onError, values });

const fail = z.strictObject({
  id: stepId,
  kind: z.literal("fail"),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,62}$/, "A code must be upper-case letters, digits and _")
    .default("WORKFLOW_FAILED"),
  message: z.string().min(1).max(2000),
});

const finish = z.strictObject({
  id: stepId,
  kind: z.literal("finish"),
  result: z.unknown().optional(),
});

/** Runs `then` or `else`, depending on the CEL expression. */
export interface ConditionStep {
  id: string;
  kind: "condition";
  onError: OnError;
  expression: string;
  then: Step[];
  else: Step[];
}

/** Runs the steps of the first case whose `equals` is the value, otherwise those of `default`. */
export interface SwitchStep {
  id: string;
  kind: "switch";
  onError: OnError;
  value: unknown;
  cases: { equals: string | number | boolean | null; steps: Step[] }[];
  default: Step[];
}

/** Runs its steps for each item of a list. */
export interface ForEachStep {
  id: string;
  kind: "forEach";
  onError: OnError;
  items: unknown;
  /** Maximum number of items in progress at once. */
  concurrency: number;
  steps: Step[];
}

type OnError = "fail" | "continue" | Handler;
type OnErrorInput = "fail" | "continue" | HandlerInput;
interface ConditionStepInput extends Omit<ConditionStep, "onError" | "then" | "else"> {
  onError?: OnErrorInput | undefined;
  then?: StepInput[] | undefined;
  else?: StepInput[] | undefined;
}
interface SwitchStepInput extends Omit<SwitchStep, "onError" | "cases" | "default"> {
  onError?: OnErrorInput | undefined;
  cases: { equals: string | number | boolean | null; steps: StepInput[] }[];
  default?: StepInput[] | undefined;
}
interface ForEachStepInput extends Omit<ForEachStep, "onError" | "concurrency" | "steps"> {
  onError?: OnErrorInput | undefined;
  concurrency?: number | undefined;
  steps: StepInput[];
}

const leafSteps = [
  createRow,
  listRows,
  getRow,
  updateRows,
  deleteRows,
  httpRequest,
  sendEmail,
  renderDocument,
  readFile,
  storeFile,
  runWorkflow,
  delay,
  setValues,
  fail,
  finish,
] as const;
type Leaf = (typeof leafSteps)[number];

/** One step of a definition, with its defaults. */
export type Step = z.output<Leaf> | ConditionStep | SwitchStep | ForEachStep;
type StepInput = z.input<Leaf> | ConditionStepInput | SwitchStepInput | ForEachStepInput;
/** The steps with effects outside the run: rows, requests, mails, files, other runs. */
export type EffectStep = Extract<
  Step,
  {
    kind:
      | "createRow"
      | "listRows"
      | "getRow"
      | "updateRows"
      | "deleteRows"
      | "httpRequest"
      | "sendEmail"
      | "renderDocument"
      | "readFile"
      | "storeFile"
      | "runWorkflow";
  }
>;

const condition = z.strictObject({
  id: stepId,
  kind: z.literal("condition"),
  onError,
  expression: z.string().min(1).max(2000),
  // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
  then: steps.default([]),
  else: steps.default([]),
});

const switchStep = z.strictObject({
  id: stepId,
  kind: z.literal("switch"),
  onError,
  value: z.unknown(),
  cases: z
    .array(
      z.strictObject({
        equals: z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]),
        steps,
      }),
    )
    .min(1)
    .max(100),
  default: steps.default([]),
});

const forEach = z.strictObject({
  id: stepId,
  kind: z.literal("forEach"),
  onError,
  /** A list, or a template that yields one. */
  items: z.unknown(),
  concurrency: z.int().min(1).max(20).default(1),
  steps: steps.min(1),
});

const stepSchema: z.ZodType<Step, StepInput> = z.lazy(() =>
  z.discriminatedUnion("kind", [...leafSteps, condition, switchStep, forEach]),
);

/** The order of runs that wait for a worker, from the highest to the lowest. */
export const priorities = ["HIGH", "NORMAL", "LOW"] as const;

/** The shape of a definition. Templates and conditions are checked when it is published. */
export const definitionSchema = z.strictObject({
  trigger: triggerSchema,
  /** From the first claim to the end, waiting included. A run that takes longer fails. */
  timeLimitSeconds: z.int().min(1).max(delaySecondsMax).default(2_592_000),
  /** Maximum number of runs in progress at once, parked ones excluded; null for no limit. */
  concurrency: z.int().min(1).max(1000).nullable().default(null),
  priority: z.enum(priorities).default("NORMAL"),
  steps,
});

/** A workflow's definition, with its defaults. */
export type Definition = z.output<typeof definitionSchema>;
/** A definition as its author writes it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type Trigger = Definition["trigger"];
export type Priority = Definition["priority"];
export type WebhookTrigger = Extract<Trigger, { kind: "webhook" }>;
export type ScheduleTrigger = Extract<Trigger, { kind: "schedule" }>;
export type DatabaseEventTrigger = Extract<Trigger, { kind: "databaseEvent" }>;

export const workflowSlugSchema = z.string().regex(slugForm, slugMessage);
export const workflowNameSchema = name;
