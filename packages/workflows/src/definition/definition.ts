import { prototypeKeys } from "@rowhouse/json";
import { z } from "zod";

const name = z.string().min(1).max(200);
const identifier = z.string().min(1).max(63);
const stepId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, "A step's id is letters, digits, _ and -")
  .refine((id) => !prototypeKeys.has(id), "Not an id");
const values = z.record(z.string().min(1).max(200), z.unknown());
const header = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "The name of a header");

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
  redactHeaders: z.array(header).max(50).default([]),
});

const createRow = z.strictObject({
  id: stepId,
  kind: z.literal("createRow"),
  schema: identifier.default("public"),
  table: identifier,
  values,
});

const listRows = z.strictObject({
  id: stepId,
  kind: z.literal("listRows"),
  schema: identifier.default("public"),
  table: identifier,
  fields: z.string().max(2000).optional(),
  where: values.optional(),
  orderBy: z.string().max(500).optional(),
  limit: z.int().min(1).max(1000).optional(),
});

const httpRequest = z.strictObject({
  id: stepId,
  kind: z.literal("httpRequest"),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
  url: z.string().min(1).max(4000),
  headers: z.record(header, z.string().max(8000)).default({}),
  query: z.record(z.string().min(1).max(200), z.unknown()).default({}),
  /** Sent as JSON. */
  body: z.unknown().optional(),
  timeoutMs: z.int().min(100).max(120_000).default(30_000),
  responseBytesMax: z.int().min(1).max(10_485_760).default(1_048_576),
  /** Whether a status of 400 or more fails the step. */
  failOnStatus: z.boolean().default(true),
});

const setValues = z.strictObject({ id: stepId, kind: z.literal("setValues"), values });

const finish = z.strictObject({
  id: stepId,
  kind: z.literal("finish"),
  result: z.unknown().optional(),
});

/** `then` or `else` runs, as the CEL expression says. */
export interface ConditionStep {
  id: string;
  kind: "condition";
  expression: string;
  then: Step[];
  else: Step[];
}

interface ConditionStepInput extends Omit<ConditionStep, "then" | "else"> {
  then?: StepInput[] | undefined;
  else?: StepInput[] | undefined;
}

const leafSteps = [createRow, listRows, httpRequest, setValues, finish] as const;
type Leaf = (typeof leafSteps)[number];

/** One step of a definition, its defaults filled in. */
export type Step = z.output<Leaf> | ConditionStep;
type StepInput = z.input<Leaf> | ConditionStepInput;
/** The steps whose work lies outside the run: rows and requests. */
export type EffectStep = Extract<Step, { kind: "createRow" | "listRows" | "httpRequest" }>;

const condition = z.strictObject({
  id: stepId,
  kind: z.literal("condition"),
  expression: z.string().min(1).max(2000),
  // biome-ignore lint/suspicious/noThenProperty: the contract's name; a definition is never awaited
  then: z
    .array(z.lazy(() => stepSchema))
    .max(200)
    .default([]),
  else: z
    .array(z.lazy(() => stepSchema))
    .max(200)
    .default([]),
});

const stepSchema: z.ZodType<Step, StepInput> = z.lazy(() =>
  z.discriminatedUnion("kind", [...leafSteps, condition]),
);

/** The shape of a definition. Templates and conditions are read when it is published. */
export const definitionSchema = z.strictObject({
  trigger: webhookTriggerSchema,
  steps: z.array(stepSchema).max(200),
});

/** A workflow's definition, its defaults filled in. */
export type Definition = z.output<typeof definitionSchema>;
/** A definition as its author writes it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type WebhookTrigger = Definition["trigger"];

export const workflowSlugSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/,
    "A slug is lower-case letters, digits and dashes, at most 80",
  );
export const workflowNameSchema = name;
