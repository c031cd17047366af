import { expect, it } from "vitest";
import { type FlowStep, flowOf } from "../../src/workflows/model/flow.ts";
import { mergeFlows } from "../../src/workflows/model/merge-flows.ts";
import { stepKinds } from "./arbitrary-definition.ts";

const leaf = (id: string) => ({ id, kind: "setValues", values: {} });
const loop = (id: string, ...steps: object[]) => ({ id, kind: "forEach", items: [], steps });
const flow = (...steps: object[]) => flowOf({ steps }, stepKinds);

const textOf = (steps: readonly FlowStep[]): string =>
  steps
    .map(({ key, branches }) => {
      const inner = branches.map((branch) => textOf(branch.steps)).join("|");
      return inner === "" ? key : `${key}(${inner})`;
    })
    .join(" ");

it("a step that is gone stands behind the one that it followed", () => {
  const before = flow(leaf("gone_1"), leaf("a"), leaf("gone_2"), leaf("gone_3"), leaf("b"));
  const after = flow(leaf("b"), leaf("a"), leaf("new"));
  expect(textOf(mergeFlows(before, after))).toBe("gone_1 b a gone_2 gone_3 new");
});

it("steps that are gone from a loop stay in it, and a loop that is gone keeps only what is gone with it", () => {
  const before = flow(loop("each", leaf("x"), leaf("gone")), loop("old", leaf("y"), leaf("z")));
  const after = flow(loop("each", leaf("x"), leaf("y")));
  expect(textOf(mergeFlows(before, after))).toBe("each(x gone y) old(z)");
});

it("equal definitions are merged to themselves", () => {
  const one = flow(leaf("a"), loop("each", leaf("b")));
  expect(mergeFlows(one, one)).toEqual(one);
});
