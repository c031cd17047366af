import type { JsonObject } from "../base/json.ts";
import type { EffectStep } from "../definition/definition.ts";
import type {
  DeleteRowsInput,
  GetRowInput,
  ListRowsInput,
  RowSelection,
  UpdateRowsInput,
} from "./row-engine.ts";

type StepOf<Kind extends EffectStep["kind"]> = Extract<EffectStep, { kind: Kind }>;

/** Returns the data engine's input for a step, from its rendered templates. */
export function listRowsInput(step: StepOf<"listRows">, input: JsonObject): ListRowsInput {
  return {
    schema: step.schema,
    table: step.table,
    ...(step.fields === undefined ? {} : { fields: step.fields }),
    ...(step.where === undefined ? {} : { where: input.where }),
    ...(step.orderBy === undefined ? {} : { orderBy: step.orderBy }),
    ...(step.limit === undefined ? {} : { limit: step.limit }),
  };
}

export function getRowInput(step: StepOf<"getRow">, input: JsonObject): GetRowInput {
  const { schema, table, fields } = step;
  return { schema, table, id: keyOf(input), ...(fields === undefined ? {} : { fields }) };
}

export function updateRowsInput(step: StepOf<"updateRows">, input: JsonObject): UpdateRowsInput {
  const { schema, table } = step;
  return { schema, table, ...selectionOf(step, input), values: input.values as JsonObject };
}

export function deleteRowsInput(step: StepOf<"deleteRows">, input: JsonObject): DeleteRowsInput {
  return { schema: step.schema, table: step.table, ...selectionOf(step, input) };
}

function selectionOf(step: StepOf<"updateRows" | "deleteRows">, input: JsonObject): RowSelection {
  if (step.key !== undefined) return { id: keyOf(input) };
  return { where: input.where, maxAffected: step.maxAffected };
}

function keyOf(input: JsonObject): readonly string[] {
  return input.key as readonly string[];
}
