import type {
  DeleteRowsInput,
  GetRowInput,
  ListRowsInput,
  RowEngine,
  RowSelection,
  RunActor,
  UpdateRowsInput,
} from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import type { JsonObject } from "../base/json.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { RowWork } from "./carry-out.ts";
import { readFileStep } from "./read-file.ts";
import type { FileReader } from "./run-files.ts";

export type WriteStep = Extract<EffectStep, { kind: "createRow" | "updateRows" | "deleteRows" }>;
export type ReadStep = Extract<EffectStep, { kind: "listRows" | "getRow" | "readFile" }>;

/** Returns what a step writes, from its rendered templates. */
export function writeWork(
  rows: RowEngine,
  step: WriteStep,
  input: JsonObject,
  as: RunActor,
): RowWork {
  return { schema: step.schema, work: workOf(rows, step, input, as) };
}

function workOf(
  rows: RowEngine,
  step: WriteStep,
  input: JsonObject,
  as: RunActor,
): RowWork["work"] {
  switch (step.kind) {
    case "createRow": {
      const { schema, table } = step;
      const values = input.values as JsonObject;
      return (on) => rows.createRow({ schema, table, values }, as, on);
    }
    case "updateRows":
      return (on) => rows.updateRows(updateRowsInput(step, input), as, on);
    case "deleteRows":
      return (on) => rows.deleteRows(deleteRowsInput(step, input), as, on);
    default:
      return step satisfies never;
  }
}

/** Returns what a step reads, from its rendered templates. */
export function readWork(
  { rows, files }: { readonly rows: RowEngine; readonly files: FileReader },
  step: ReadStep,
  input: JsonObject,
  as: RunActor,
): (on: Queryable | undefined) => Promise<unknown> {
  switch (step.kind) {
    case "listRows":
      return (on) => rows.listRows(listRowsInput(step, input), as, on);
    case "getRow":
      return (on) => rows.getRow(getRowInput(step, input), as, on);
    case "readFile":
      return (on) => readFileStep(files, step, input, as, on);
    default:
      return step satisfies never;
  }
}

type StepOf<Kind extends EffectStep["kind"]> = Extract<EffectStep, { kind: Kind }>;

/** Returns the data engine's input for a step, from its rendered templates. */
function listRowsInput(step: StepOf<"listRows">, input: JsonObject): ListRowsInput {
  return {
    schema: step.schema,
    table: step.table,
    ...(step.fields === undefined ? {} : { fields: step.fields }),
    ...(step.where === undefined ? {} : { where: input.where }),
    ...(step.orderBy === undefined ? {} : { orderBy: step.orderBy }),
    ...(step.limit === undefined ? {} : { limit: step.limit }),
  };
}

function getRowInput(step: StepOf<"getRow">, input: JsonObject): GetRowInput {
  const { schema, table, fields } = step;
  return { schema, table, id: keyOf(input), ...(fields === undefined ? {} : { fields }) };
}

function updateRowsInput(step: StepOf<"updateRows">, input: JsonObject): UpdateRowsInput {
  const { schema, table } = step;
  return { schema, table, ...selectionOf(step, input), values: input.values as JsonObject };
}

function deleteRowsInput(step: StepOf<"deleteRows">, input: JsonObject): DeleteRowsInput {
  return { schema: step.schema, table: step.table, ...selectionOf(step, input) };
}

function selectionOf(step: StepOf<"updateRows" | "deleteRows">, input: JsonObject): RowSelection {
  if (step.key !== undefined) return { id: keyOf(input) };
  return { where: input.where, maxAffected: step.maxAffected };
}

function keyOf(input: JsonObject): readonly string[] {
  return input.key as readonly string[];
}
