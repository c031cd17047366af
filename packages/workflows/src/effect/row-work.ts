import type { Queryable } from "@rowhouse/db";
import type { JsonObject } from "../base/json.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { RunActor } from "../model/run-token.ts";
import { readFileStep } from "./read-file.ts";
import type { RowEngine } from "./row-engine.ts";
import { deleteRowsInput, getRowInput, listRowsInput, updateRowsInput } from "./row-input.ts";
import type { FileReader } from "./run-files.ts";

/** The steps that write rows. */
export type WriteStep = Extract<EffectStep, { kind: "createRow" | "updateRows" | "deleteRows" }>;
/** The steps that read rows and files. */
export type ReadStep = Extract<EffectStep, { kind: "listRows" | "getRow" | "readFile" }>;

/** Returns what a step writes, from its rendered templates. */
export function writeWork(
  rows: RowEngine,
  step: WriteStep,
  input: JsonObject,
  as: RunActor,
): (on: Queryable) => Promise<unknown> {
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
