import { z } from "zod";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { definitionSchema, effectKinds, stepSchemas } from "./definition.ts";
import type { StepGroup } from "./field-meta.ts";
import { triggerSchemas } from "./trigger.ts";

/** A kind of trigger, as its author sees it. */
export interface TriggerKind {
  readonly kind: string;
  readonly title: string;
  readonly help: string;
  /** JSON Schema (draft 2020-12) of the trigger as its author writes it. */
  readonly schema: JsonObject;
}

export interface KindBranch {
  /** From the step to the list; `*` stands for every item. */
  readonly path: string[];
  readonly title: string;
}

/** A kind of step, as its author sees it. */
export interface StepKind extends TriggerKind {
  readonly group: StepGroup;
  /** Whether the step has effects outside the run. */
  readonly hasEffects: boolean;
  readonly branches: KindBranch[];
}

/** The kinds of a definition's parts, with their JSON Schemas. */
export interface StepKinds {
  readonly steps: StepKind[];
  readonly triggers: TriggerKind[];
  /** The fields of a definition besides its trigger and its steps. */
  readonly workflow: { readonly schema: JsonObject };
}

/** Returns every kind of step and trigger, derived from the schemas that check a definition. */
export function describeStepKinds(): StepKinds {
  return {
    steps: stepSchemas.map((zodSchema) => {
      const described = describeKind(zodSchema);
      const { kind, schema } = described;
      return {
        ...described,
        group: zodSchema.meta()?.["x-group"] as StepGroup,
        hasEffects: effectKinds.has(kind),
        branches: branchesIn(schema, []),
      };
    }),
    triggers: triggerSchemas.map(describeKind),
    workflow: { schema: toSchema(definitionSchema.omit({ trigger: true, steps: true })) },
  };
}

function describeKind(
  zodSchema: z.ZodType & { readonly shape: { readonly kind: z.ZodLiteral<string> } },
): TriggerKind {
  const { title = "", description = "" } = zodSchema.meta() ?? {};
  return {
    kind: zodSchema.shape.kind.value,
    title,
    help: description,
    schema: toSchema(zodSchema),
  };
}

function toSchema(zodSchema: z.ZodType): JsonObject {
  return z.toJSONSchema(zodSchema, { io: "input" }) as JsonObject;
}

/** Finds the inner lists of steps of a schema. */
function branchesIn(schema: unknown, path: string[]): KindBranch[] {
  if (!isJsonObject(schema)) return [];
  if (schema["x-control"] === "steps") return [{ path, title: String(schema.title) }];
  const { properties, items, anyOf } = schema;
  return [
    ...Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, property]) =>
      branchesIn(property, [...path, name]),
    ),
    ...branchesIn(items, [...path, "*"]),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((option) => branchesIn(option, path)) : []),
  ];
}
