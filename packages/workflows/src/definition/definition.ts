import { prototypeKeys } from "@rowhouse/json";
import { z } from "zod";
import { headerName, requestAuth } from "./request-auth.ts";
import { identifier, triggerSchema } from "./trigger.ts";

/** How long a delay may be, in seconds: a year. */
export const delaySecondsMax = 31_536_000;
const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;
const slugMessage = "A slug is lower-case letters, digits and dashes, at most 80";
const name = z.string().min(1).max(200);
const stepId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, "A step's id is letters, digits, _ and -")
  .refine((id) => !prototypeKeys.has(id), "Not an id");
const values = z.record(z.string().min(1).max(200), z.unknown());

/** What runs when a step has failed, instead of the run's end. */
export interface Handler {
  steps: Step[];
}
interface HandlerInput {
  steps: StepInput[];
}
const steps = z.array(z.lazy(() => stepSchema)).max(200);
const handler: z.ZodType<Handler, HandlerInput> = z.lazy(() => z.strictObject({ steps }));

const onError = z.union([z.enum(["fail", "continue"]), handler]).default("fail");

/** How a failed step is tried again: after a pause that no worker waits through. */
const retryFields = {
  /** Attempts in all, the first included. */
  attempts: z.int().min(1).max(20),
  delayMs: z.int().min(100).max(3_600_000).default(1000),
  /** Whether each pause is twice the one before. */
  backoff: z.enum(["exponential", "fixed"]).default("exponential"),
  maxDelayMs: z.int().min(100).max(86_400_000).default(300_000),
};
const retry = z.strictObject(retryFields).optional();
const timeoutMs = z.int().min(100).max(600_000);
/** Of every step whose work lies outside the run. */
const effect = { id: stepId, onError, retry, timeoutMs: timeoutMs.optional() };
const table = { schema: identifier.default("public"), table: identifier };
const fields = z.string().max(2000).optional();
/** A key's value, or the values of a key of several columns; templates or literals. */
const key = z.union([
  z.string().min(1).max(2000),
  z.number(),
  z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(32),
]);
/** Either `id`, or `where` and how many rows it may be at most. */
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
  /** How the body is written. */
  bodyKind: z.enum(["json", "form", "text"]).default("json"),
  timeoutMs: z.int().min(100).max(120_000).default(30_000),
  responseBytesMax: z.int().min(1).max(10_485_760).default(1_048_576),
  /** Whether a status of 400 or more fails the step. */
  failOnStatus: z.boolean().default(true),
  /** Whether the request may be sent again although it is not known what became of it. */
  repeatable: z.boolean().optional(),
  /** How many redirects are followed. */
  redirectsMax: z.int().min(0).max(10).default(5),
  retry: z
    .strictObject({
      ...retryFields,
      /** Answers that are worth another attempt. */
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
});

const runWorkflow = z.strictObject({
  ...effect,
  kind: z.literal("runWorkflow"),
  /** The other workflow's slug. */
  workflow: z.string().regex(slugForm, slugMessage),
  /** Its `start.data`. */
  input: z.unknown().optional(),
  /** Whether this run goes on only once the other has ended. */
  wait: z.boolean().default(true),
  timeoutMs: z.int().min(1000).max(2_592_000_000).optional(),
});

const delay = z.strictObject({
  id: stepId,
  kind: z.literal("delay"),
  onError,
  /** A number, or a template that gives one. */
  seconds: z.union([z.number().min(0).max(delaySecondsMax), z.string().min(1).max(500)]).optional(),
  /** A moment as ISO 8601; most likely a template. */
  until: z.string().min(1).max(500).optional(),
});

const setValues = z.strictObject({ id: stepId, kind: z.literal("setValues"), onError, values });

const fail = z.strictObject({
  id: stepId,
  kind: z.literal("fail"),
  code: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,62}$/, "A code is upper-case letters, digits and _")
    .default("WORKFLOW_FAILED"),
  message: z.string().min(1).max(2000),
});

const finish = z.strictObject({
  id: stepId,
  kind: z.literal("finish"),
  result: z.unknown().optional(),
});

/** `then` or `else` runs, as the CEL expression says. */
export interface ConditionStep {
  id: string;
  kind: "condition";
  onError: OnError;
  expression: string;
  then: Step[];
  else: Step[];
}

/** The steps of the first case whose `equals` is the value; else those of `default`. */
export interface SwitchStep {
  id: string;
  kind: "switch";
  onError: OnError;
  value: unknown;
  cases: { equals: string | number | boolean | null; steps: Step[] }[];
  default: Step[];
}

/** Its steps for each item of a list. */
export interface ForEachStep {
  id: string;
  kind: "forEach";
  onError: OnError;
  items: unknown;
  /** Items in progress at once. */
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
  runWorkflow,
  delay,
  setValues,
  fail,
  finish,
] as const;
type Leaf = (typeof leafSteps)[number];

/** One step of a definition, its defaults filled in. */
export type Step = z.output<Leaf> | ConditionStep | SwitchStep | ForEachStep;
type StepInput = z.input<Leaf> | ConditionStepInput | SwitchStepInput | ForEachStepInput;
/** The steps whose work lies outside the run: rows, requests, mails, other runs. */
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
      | "runWorkflow";
  }
>;

const condition = z.strictObject({
  id: stepId,
  kind: z.literal("condition"),
  onError,
  expression: z.string().min(1).max(2000),
  // biome-ignore lint/suspicious/noThenProperty: the contract's name; a definition is never awaited
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
  /** A list, or a template that gives one. */
  items: z.unknown(),
  concurrency: z.int().min(1).max(20).default(1),
  steps: steps.min(1),
});

const stepSchema: z.ZodType<Step, StepInput> = z.lazy(() =>
  z.discriminatedUnion("kind", [...leafSteps, condition, switchStep, forEach]),
);

/** The shape of a definition. Templates and conditions are read when it is published. */
export const definitionSchema = z.strictObject({
  trigger: triggerSchema,
  /** From the first claim to the end, waiting included; a run that takes longer fails. */
  timeLimitSeconds: z.int().min(1).max(delaySecondsMax).default(2_592_000),
  /** Runs in progress at once, those that rest not counted; null for no limit. */
  concurrency: z.int().min(1).max(1000).nullable().default(null),
  /** Which of the runs that wait for a worker go first. */
  priority: z.enum(["HIGH", "NORMAL", "LOW"]).default("NORMAL"),
  steps,
});

/** A workflow's definition, its defaults filled in. */
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
