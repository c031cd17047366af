import { z } from "zod";
import { commonField, field, stepKind } from "./field-meta.ts";
import { readFile, renderDocument, storeFile } from "./file-steps.ts";
import { httpRequest, runWorkflow, sendEmail } from "./outside-steps.ts";
import { delay, delaySecondsMax, fail, finish, setValues } from "./plain-steps.ts";
import { createRow, deleteRows, getRow, listRows, updateRows } from "./row-steps.ts";
import { noteFields, slugForm, slugMessage, stepId } from "./step-fields.ts";
import { triggerSchema } from "./trigger.ts";

/** The steps that run after a step has failed; the run does not end. */
export interface Handler {
  steps: Step[];
}
interface HandlerInput {
  steps: StepInput[];
}
const innerStep: z.ZodType<Step, StepInput> = z.lazy(() => stepSchema);
// The JSON Schema of a kind does not contain those of its inner steps.
innerStep._zod.toJSONSchema = () => ({ type: "object" });
const steps = z.array(innerStep).max(200);

// The annotation ends the cycle of types.
const handler: z.ZodType<Handler, HandlerInput> = z.strictObject({
  steps: steps.meta(field("If it fails", "The steps that run if this step fails.", "steps")),
});

const onError = z
  .union([z.enum(["fail", "continue"]), handler])
  .default("fail")
  .meta(
    commonField(
      "If it fails",
      "Ends the run, continues with the next step, or runs other steps first.",
      "onError",
    ),
  );

/** Adds `note`, `disabled` and `onError` to a kind of step. */
function withOnError<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
) {
  return schema.extend({ ...noteFields, onError }).meta(schema.meta() ?? {});
}

/** Adds `note` and `disabled` to a kind of step that cannot be handled after a failure. */
function withNote<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape, z.core.$strict>) {
  return schema.extend(noteFields).meta(schema.meta() ?? {});
}

/** What every step has besides its id and kind. */
interface Noted {
  note?: string | undefined;
  disabled?: boolean | undefined;
}

/** Runs `then` or `else`, depending on the CEL expression. */
export interface ConditionStep extends Noted {
  id: string;
  kind: "condition";
  onError: OnError;
  expression: string;
  then: Step[];
  else: Step[];
}

/** Runs the steps of the first case whose `equals` is the value, otherwise those of `default`. */
export interface SwitchStep extends Noted {
  id: string;
  kind: "switch";
  onError: OnError;
  value: unknown;
  cases: { equals: string | number | boolean | null; steps: Step[] }[];
  default: Step[];
}

/** Runs its steps for each item of a list. */
export interface ForEachStep extends Noted {
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
  withOnError(createRow),
  withOnError(listRows),
  withOnError(getRow),
  withOnError(updateRows),
  withOnError(deleteRows),
  withOnError(httpRequest),
  withOnError(sendEmail),
  withOnError(renderDocument),
  withOnError(readFile),
  withOnError(storeFile),
  withOnError(runWorkflow),
  withOnError(delay),
  withOnError(setValues),
  withNote(fail),
  withNote(finish),
] as const;
type Leaf = (typeof leafSteps)[number];

/** One step of a definition, with its defaults. */
export type Step = z.output<Leaf> | ConditionStep | SwitchStep | ForEachStep;
type StepInput = z.input<Leaf> | ConditionStepInput | SwitchStepInput | ForEachStepInput;
const effectKindNames = [
  "createRow",
  "listRows",
  "getRow",
  "updateRows",
  "deleteRows",
  "httpRequest",
  "sendEmail",
  "renderDocument",
  "readFile",
  "storeFile",
  "runWorkflow",
] as const;
/** The steps with effects outside the run: rows, requests, mails, files, other runs. */
export type EffectStep = Extract<Step, { kind: (typeof effectKindNames)[number] }>;
export const effectKinds: ReadonlySet<string> = new Set(effectKindNames);

const condition = z
  .strictObject({
    id: stepId,
    kind: z.literal("condition"),
    expression: z
      .string()
      .min(1)
      .max(2000)
      .meta(field("Condition", "A CEL expression that yields true or false.", "cel")),
    // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
    then: steps.default([]).meta(field("If true", "The steps that run if it is true.", "steps")),
    else: steps.default([]).meta(field("If false", "The steps that run if it is false.", "steps")),
    ...noteFields,
    onError,
  })
  .meta(stepKind("flow", "Branch", "Runs one of two lists of steps, depending on a condition."));

const switchStep = z
  .strictObject({
    id: stepId,
    kind: z.literal("switch"),
    value: z
      .unknown()
      .meta(field("Value", "The value to compare, usually a template.", "templateJson")),
    cases: z
      .array(
        z.strictObject({
          equals: z
            .union([z.string().max(1000), z.number(), z.boolean(), z.null()])
            .meta(field("Equals", "A text, a number, true, false or null.", "scalar")),
          steps: steps.meta(field("Case", "The steps that run for this value.", "steps")),
        }),
      )
      .min(1)
      .max(100)
      .meta(field("Cases", "The values, each with its steps; the first match runs.", "list")),
    default: steps
      .default([])
      .meta(field("Otherwise", "The steps that run if no case matches.", "steps")),
    ...noteFields,
    onError,
  })
  .meta(stepKind("flow", "Switch", "Runs the steps of the first case that equals a value."));

const forEach = z
  .strictObject({
    id: stepId,
    kind: z.literal("forEach"),
    items: z
      .unknown()
      .meta(field("Items", "A list, or a template that yields one.", "templateJson")),
    concurrency: z
      .int()
      .min(1)
      .max(20)
      .default(1)
      .meta(field("At once", "How many items are in progress at once.", "number")),
    steps: steps.min(1).meta(field("For each item", "The steps that run for each item.", "steps")),
    ...noteFields,
    onError,
  })
  .meta(
    stepKind(
      "flow",
      "Loop",
      "Runs its steps for each item of a list. The output is the list of the last outputs.",
    ),
  );

/** Every kind of step, in the order in which a page offers them. */
export const stepSchemas = [...leafSteps, condition, switchStep, forEach] as const;

const stepSchema: z.ZodType<Step, StepInput> = z.lazy(() =>
  z.discriminatedUnion("kind", stepSchemas),
);

/** The order of runs that wait for a worker, from the highest to the lowest. */
export const priorities = ["HIGH", "NORMAL", "LOW"] as const;

/** The shape of a definition. Templates and conditions are checked when it is published. */
export const definitionSchema = z.strictObject({
  trigger: triggerSchema,
  timeLimitSeconds: z
    .int()
    .min(1)
    .max(delaySecondsMax)
    .default(2_592_000)
    .meta(
      field(
        "Time limit",
        "From the first claim of a run to its end, waiting included. A run that takes longer fails.",
        "seconds",
      ),
    ),
  concurrency: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .meta(
      field(
        "Runs at once",
        "The maximum number of runs in progress, parked ones excluded. Null: no limit.",
        "number",
      ),
    ),
  priority: z
    .enum(priorities)
    .default("NORMAL")
    .meta(field("Priority", "The order of runs that wait for a worker.", "choice")),
  steps,
});

/** A workflow's definition, with its defaults. */
export type Definition = z.output<typeof definitionSchema>;
/** A definition as its author writes it. */
export type DefinitionInput = z.input<typeof definitionSchema>;
export type Trigger = Definition["trigger"];
export type Priority = Definition["priority"];
export type WebhookTrigger = Extract<Trigger, { kind: "webhook" }>;
export type ToolMark = NonNullable<WebhookTrigger["tool"]>;
export type ScheduleTrigger = Extract<Trigger, { kind: "schedule" }>;
export type DatabaseEventTrigger = Extract<Trigger, { kind: "databaseEvent" }>;

export const workflowSlugSchema = z.string().regex(slugForm, slugMessage);
export const workflowNameSchema = z.string().min(1).max(200);
