import { describe, expect, it } from "vitest";
import type { RunStep } from "../../src/workflows/run-tree/run-queries.ts";
import { loopsAround, type RunRow, runRows } from "../../src/workflows/run-tree/run-rows.ts";
import { faultyField } from "../../src/workflows/run-tree/step-facts.ts";
import { failedStep, indexSteps } from "../../src/workflows/run-tree/step-index.ts";

let position = 0;

function step(path: string, status: RunStep["status"] = "SUCCEEDED"): RunStep {
  position += 1;
  const at = new Date(Date.UTC(2026, 0, 1) + position * 1000).toISOString();
  const error =
    status === "FAILED" ? { code: "X", message: "", step: path.split(".").at(-1) ?? null } : null;
  return {
    ...{ path, position, kind: "", status, attempt: 1, resumeAt: null, childRunId: null },
    ...{ input: null, output: null, error, startedAt: at, simulated: null },
    finishedAt: ["SUCCEEDED", "FAILED"].includes(status) ? at : null,
  };
}

const finish = (id: string) => ({ id, kind: "finish" });
const definition = {
  steps: [
    {
      ...{ id: "known", kind: "condition", else: [finish("none")] },
      // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
      then: [
        {
          ...{ id: "each", kind: "forEach" },
          steps: [{ id: "leg", kind: "createRow", onError: { steps: [finish("note")] } }],
        },
        { id: "row", kind: "createRow" },
      ],
    },
    finish("end"),
  ],
};

const textOf = (rows: readonly RunRow[]) =>
  rows.map((row) => {
    const { type, key, level, isOpen } = row;
    const reached = row.type === "step" ? (row.record?.status ?? "not reached") : "";
    return [type, key, level, isOpen ?? "", reached].join(" ").trim().replaceAll(/ +/g, " ");
  });

describe("the rows of a run", () => {
  const steps = [
    step("known"),
    ...[step("each.0.leg"), step("each.1.leg", "FAILED"), step("each.1.note")],
    ...[step("each.2.leg", "STARTED"), step("each", "STARTED")],
  ];

  it("have the branch that was taken, and the steps behind it that the run has not reached", () => {
    const rows = runRows(definition, indexSteps(steps), (_key, type) => type === "branches");
    expect(textOf(rows)).toEqual([
      "start @start 1",
      "step known 1 true SUCCEEDED",
      "step each 2 false STARTED",
      "step row 2 not reached",
      "step end 1 not reached",
      "end @end 1",
    ]);
  });

  it("list the failed items of a loop first, then the open ones, each with its own steps", () => {
    const rows = runRows(definition, indexSteps(steps), () => true);
    expect(textOf(rows).slice(2, 11)).toEqual([
      "step each 2 true STARTED",
      "item each.1 3 true",
      "step each.1.leg 4 true FAILED",
      "step each.1.note 5 SUCCEEDED",
      "item each.2 3 true",
      "step each.2.leg 4 STARTED",
      "item each.0 3 true",
      "step each.0.leg 4 SUCCEEDED",
      "step row 2 not reached",
    ]);
  });

  it("around a step are the loops and items of its path", () => {
    expect(loopsAround("each.12.inner.0.call")).toEqual([
      "each",
      "each.12",
      "each.12.inner",
      "each.12.inner.0",
    ]);
    expect(loopsAround("row")).toEqual([]);
  });

  it("with 20,000 steps are built in a fraction of a second, and loops in loops keep their items", () => {
    const many = Array.from({ length: 20_000 }, (_, at) =>
      step(`outer.${Math.floor(at / 200)}.inner.${at % 200}.call`),
    );
    const index = indexSteps(many);
    expect(index.items.get("outer")).toHaveLength(100);
    expect(index.items.get("outer.7.inner")).toHaveLength(200);
  });

  it("name the last failure of the step that ended the run", () => {
    const failed = [step("each.0.leg", "FAILED"), step("each.4.leg", "FAILED"), step("row")];
    expect(failedStep(failed, { step: "leg" })?.path).toBe("each.4.leg");
    expect(failedStep(failed, { step: null })).toBeUndefined();
  });
});

describe("the field that caused an error", () => {
  const create = {
    ...{ id: "row", kind: "createRow", table: "trips" },
    values: { "a/b": "{{ start.data.body.cost }}", kind: "{{start.data.body.kind ?? 1}}" },
  };

  it("is the one with the template that the message names", () => {
    const message = "{{start.data.body.cost}} has no value";
    expect(faultyField(create, { code: "TEMPLATE_ERROR", message })).toBe("/values/a~1b");
  });

  it("is known by some codes, and else unknown", () => {
    const request = { id: "ask", kind: "httpRequest", url: "https://x.example" };
    expect(faultyField(request, { code: "HTTP_HOST_REFUSED", message: "no" })).toBe("/url");
    expect(faultyField(create, { code: "CHECK_VIOLATION", message: "no" })).toBe("");
  });

  it("is never one of an inner step", () => {
    const loop = { id: "each", kind: "forEach", items: [], steps: [create] };
    const message = "{{start.data.body.cost}} has no value";
    expect(faultyField(loop, { code: "TEMPLATE_ERROR", message })).toBe("");
  });
});
