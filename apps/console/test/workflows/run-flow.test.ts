import { describe, expect, it } from "vitest";
import { flowOf } from "../../src/workflows/model/flow.ts";
import { followRun, rowsOf } from "../../src/workflows/run-tree/run-flow.ts";
import type { RunStep } from "../../src/workflows/run-tree/run-queries.ts";
import { indexSteps } from "../../src/workflows/run-tree/step-index.ts";
import { stepKinds } from "./arbitrary-definition.ts";

const at = "2026-01-01T00:00:00.000Z";
const step = (path: string, more: Partial<RunStep> = {}): RunStep => ({
  ...{ path, position: 0, kind: "", status: "SUCCEEDED", attempt: 1, resumeAt: null },
  ...{ childRunId: null, input: null, output: null, error: null, simulated: null },
  ...{ startedAt: at, finishedAt: at, ...more },
});
const leaf = (id: string, more: object = {}) => ({ id, kind: "setValues", values: {}, ...more });
const flow = flowOf(
  {
    steps: [
      leaf("first", { onError: { steps: [leaf("handled")] } }),
      {
        ...{ id: "fork", kind: "condition", expression: "true", else: [leaf("no")] },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "each", kind: "forEach", items: [], steps: [leaf("inner")] }],
      },
      leaf("last"),
    ],
  },
  stepKinds,
);
const follow = (steps: readonly RunStep[], isOver: boolean, item?: number) =>
  followRun(flow, indexSteps(steps), () => item, isOver);

describe("a run in a graph", () => {
  const taken = [step("first"), step("fork"), step("each"), step("each.0.inner")];

  it("passes by the lists that it did not enter, with their steps", () => {
    const { unreached, untaken } = follow([...taken, step("last")], true);
    expect([...unreached]).toEqual(["handled", "no"]);
    expect([...untaken]).toEqual(["/steps/0/onError/steps", "/steps/1/else"]);
  });

  it("may still reach the steps behind the present one while it is in progress", () => {
    const { unreached } = follow([step("first", { status: "STARTED", finishedAt: null })], false);
    expect([...unreached]).toEqual([]);
    expect([...follow([step("first")], true).unreached]).toContain("last");
  });

  it("shows the failed item of a loop first, and another one on demand", () => {
    const steps = [...taken, step("each.1.inner"), step("each.2.inner", { status: "FAILED" })];
    expect(follow(steps, true).rows.get("inner")?.key).toBe("each.2.inner");
    const wanted = follow(steps, true, 1);
    expect(wanted.rows.get("inner")?.record?.path).toBe("each.1.inner");
    expect(wanted.items.get("each")).toBe(1);
  });

  it("passes through an empty list if it enters no other one", () => {
    const empty = flowOf(
      // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
      { steps: [{ id: "fork", kind: "condition", expression: "", then: [leaf("yes")], else: [] }] },
      stepKinds,
    );
    const { untaken } = followRun(empty, indexSteps([step("fork")]), () => undefined, true);
    expect([...untaken]).toEqual(["/steps/0/then"]);
  });
});

it("the rows of a step are those that it read, changed or deleted", () => {
  const counts = rowsOf([
    step("read", { kind: "listRows", output: [1, 2] }),
    step("gone", { kind: "deleteRows", output: 3 }),
    step("values", { kind: "setValues", output: [1] }),
  ]);
  expect([...counts]).toEqual([
    ["read", 2],
    ["gone", 3],
  ]);
});
