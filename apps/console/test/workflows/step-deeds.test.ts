import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copiedText, stepDeeds } from "../../src/workflows/editor/step-deeds.ts";
import { placeAtRow } from "../../src/workflows/editor/tree-place.ts";
import { walkSteps } from "../../src/workflows/model/branches.ts";
import { moveStep } from "../../src/workflows/model/edit-steps.ts";
import { outlineOf } from "../../src/workflows/model/outline.ts";
import { keysOf, valueAt } from "../../src/workflows/model/pointer.ts";
import { chosen, definitions, kinds, stepTexts } from "./trees.ts";

const small = fc.nat(1000);

describe("what the tree does with steps", () => {
  it("a step that is dropped on either half of any row moves there with all others unchanged", () => {
    fc.assert(
      fc.property(definitions, small, small, fc.boolean(), (definition, which, where, isBelow) => {
        const rows = outlineOf(definition, kinds, new Set());
        const located = chosen([...walkSteps(definition, kinds)], which);
        const place = placeAtRow(rows, where % rows.length, isBelow);
        expect(place).toBeDefined();
        fc.pre(located !== undefined && place !== undefined);
        const list = valueAt(definition, keysOf(place.list));
        const length = Array.isArray(list) ? list.length : 0;
        expect(place.index).toBeGreaterThanOrEqual(0);
        expect(place.index).toBeLessThanOrEqual(length);
        const moved = moveStep(definition, located.pointer, place);
        expect(stepTexts(moved.definition)).toEqual(stepTexts(definition));
      }),
      { numRuns: generatedRuns(500) },
    );
  });

  it("a deleted step leaves the choice at a step that exists", () => {
    fc.assert(
      fc.property(definitions, small, (definition, which) => {
        const located = chosen([...walkSteps(definition, kinds)], which);
        fc.pre(located !== undefined);
        const deed = stepDeeds(definition, kinds).remove(located.pointer);
        const pointers = [...walkSteps(deed.definition, kinds)].map(({ pointer }) => pointer);
        if (deed.pointer !== null) expect(pointers).toContain(deed.pointer);
      }),
    );
  });

  it("a copied step is pasted as it is, with ids of its own", () => {
    const step = { id: "a", kind: "setValues", values: { x: 12345678901234 } };
    const definition = { steps: [step] };
    const deeds = stepDeeds(definition, kinds);
    const at = { list: "/steps", index: 1 };
    const text = copiedText(definition, "/steps/0");
    expect(deeds.paste(text, at)).toEqual({
      definition: { steps: [step, { ...step, id: "a_2" }] },
      pointer: "/steps/1",
    });
    expect(deeds.paste(`[${text}, ${text}]`, at)?.definition.steps).toMatchObject([
      ...[{ id: "a" }, { id: "a_2" }, { id: "a_3" }],
    ]);
    // A whole definition, too.
    expect(deeds.paste(JSON.stringify(definition), at)?.definition.steps).toHaveLength(2);
    for (const other of ["", "text", "[]x", '{"id": "a"}', "[1]", '"}, {"']) {
      expect(deeds.paste(other, at)).toBeUndefined();
    }
  });

  it("steps for a failure are added once, and removed with their list", () => {
    const deeds = stepDeeds({ steps: [{ id: "a", kind: "setValues", onError: "fail" }] }, kinds);
    const added = deeds.addHandler("/steps/0");
    expect(added?.definition.steps).toEqual([
      { id: "a", kind: "setValues", onError: { steps: [] } },
    ]);
    const again = stepDeeds(added?.definition ?? {}, kinds);
    expect(again.addHandler("/steps/0")).toBeUndefined();
    expect(again.removeHandler("/steps/0/onError/steps").definition.steps).toEqual([
      { id: "a", kind: "setValues" },
    ]);
  });
});
