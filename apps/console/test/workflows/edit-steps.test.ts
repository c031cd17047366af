import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  branchesOf,
  findStep,
  hasHandler,
  idsOf,
  stepAt,
  walkSteps,
} from "../../src/workflows/model/branches.ts";
import { idOf } from "../../src/workflows/model/definition.ts";
import {
  duplicateStep,
  firstListOf,
  insertStep,
  moveStep,
  newStep,
  type Place,
  removeStep,
  replaceStep,
  withNewIds,
} from "../../src/workflows/model/edit-steps.ts";
import { placeOfMove, stepAround } from "../../src/workflows/model/keyboard-moves.ts";
import { keysOf, pointerOf, splitPointer, valueAt } from "../../src/workflows/model/pointer.ts";
import { renameReferences } from "../../src/workflows/model/references.ts";
import { chosen, definitions, kinds, stepTexts } from "./trees.ts";

type Definition = Parameters<typeof moveStep>[0];

/** Every place between the steps of every list. */
function placesOf(definition: Definition): Place[] {
  const lists = [...walkSteps(definition, kinds)].flatMap(({ step, pointer }) =>
    branchesOf(step, kinds).map(({ keys, steps }) => ({
      list: pointer + pointerOf(keys),
      length: steps.length,
    })),
  );
  const first = valueAt(definition, ["steps"]) as readonly unknown[];
  return [{ list: "/steps", length: first.length }, ...lists].flatMap(({ list, length }) =>
    Array.from({ length: length + 1 }, (_one, index) => ({ list, index })),
  );
}

const small = fc.nat(1000);

describe("steps of a definition", () => {
  it("a step moves to any place outside of itself, and every other step stays with all its fields", () => {
    fc.assert(
      fc.property(definitions, small, small, (definition, which, where) => {
        const located = chosen([...walkSteps(definition, kinds)], which);
        const place = chosen(placesOf(definition), where);
        fc.pre(located !== undefined && place !== undefined);
        const moved = moveStep(definition, located.pointer, place);
        expect(stepTexts(moved.definition)).toEqual(stepTexts(definition));
        expect(valueAt(moved.definition, keysOf(moved.pointer))).toBe(located.step);
        const isInside = place.list.startsWith(`${located.pointer}/`);
        if (isInside) expect(moved.definition).toBe(definition);
        else
          expect(splitPointer(moved.pointer).list.split("/").at(-1)).toBe(
            place.list.split("/").at(-1),
          );
      }),
      { numRuns: generatedRuns(500) },
    );
  });

  it("a move is taken back by the move to the place where the step was", () => {
    fc.assert(
      fc.property(definitions, small, small, (definition, which, where) => {
        const located = chosen([...walkSteps(definition, kinds)], which);
        const place = chosen(placesOf(definition), where);
        fc.pre(located !== undefined && place !== undefined);
        const { definition: there, pointer } = moveStep(definition, located.pointer, place);
        const without = removeStep(definition, located.pointer);
        expect(removeStep(there, pointer)).toEqual(
          JSON.parse(JSON.stringify(removeStep(there, pointer))),
        );
        const back = insertStep(
          removeStep(there, pointer),
          splitPointer(located.pointer),
          located.step,
        );
        if (there !== definition) {
          // A list that did not exist was created by the move, and stays empty.
          expect(stepTexts(back.definition)).toEqual(stepTexts(definition));
          expect(stepTexts(without)).toEqual(stepTexts(removeStep(there, pointer)));
        }
      }),
      { numRuns: generatedRuns(300) },
    );
  });

  it("an inserted step is at its place, and its removal restores the definition", () => {
    fc.assert(
      fc.property(definitions, small, (definition, where) => {
        const place = chosen(placesOf(definition), where);
        fc.pre(place !== undefined);
        const step = newStep("listRows", definition, kinds);
        const made = insertStep(definition, place, step);
        expect(valueAt(made.definition, keysOf(made.pointer))).toBe(step);
        expect(idsOf(definition, kinds).has(idOf(step))).toBe(false);
        const restored = removeStep(made.definition, made.pointer);
        expect(stepTexts(restored)).toEqual(stepTexts(definition));
        const isNewList = valueAt(definition, keysOf(place.list)) === undefined;
        if (!isNewList) expect(restored).toEqual(definition);
      }),
    );
  });

  it("a copy has new ids, its references stay within it, and the original does not change", () => {
    fc.assert(
      fc.property(definitions, small, (definition, which) => {
        const located = chosen([...walkSteps(definition, kinds)], which);
        fc.pre(located !== undefined);
        const copied = duplicateStep(definition, located.pointer, kinds);
        expect(valueAt(copied.definition, keysOf(located.pointer))).toBe(located.step);
        const ids = idsOf(definition, kinds);
        const inCopy = [
          ...walkSteps({ steps: [valueAt(copied.definition, keysOf(copied.pointer))] }, kinds),
        ]
          .map(({ step }) => idOf(step))
          .filter((id) => id !== "");
        expect(inCopy.filter((id) => ids.has(id))).toEqual([]);
        expect(new Set(inCopy).size).toBe(inCopy.length);
        expect(removeStep(copied.definition, copied.pointer)).toEqual(definition);
      }),
    );
  });

  it("a step with inner references is copied with references to the copies", () => {
    const step = {
      ...{ id: "each", kind: "forEach", items: "{{steps.rows}}" },
      steps: [
        { id: "ask", kind: "setValues", values: { x: "{{item}}" } },
        { id: "ask_2", kind: "setValues", values: { x: "{{steps.ask.x ?? 0}}{{steps.ask_2}}" } },
      ],
    };
    const { definition } = duplicateStep({ steps: [step] }, "/steps/0", kinds);
    expect(valueAt(definition, ["steps", "1"])).toEqual({
      ...{ id: "each_2", kind: "forEach", items: "{{steps.rows}}" },
      steps: [
        { id: "ask_3", kind: "setValues", values: { x: "{{item}}" } },
        { id: "ask_4", kind: "setValues", values: { x: "{{steps.ask_3.x ?? 0}}{{steps.ask_4}}" } },
      ],
    });
  });

  it("keys move a step to the next place, and never into itself", () => {
    fc.assert(
      fc.property(
        definitions,
        small,
        fc.constantFrom("up", "down", "in", "out" as const),
        (definition, which, direction) => {
          const located = chosen([...walkSteps(definition, kinds)], which);
          fc.pre(located !== undefined);
          const place = placeOfMove(definition, kinds, located.pointer, direction);
          if (place === undefined) return;
          const moved = moveStep(definition, located.pointer, place);
          expect(moved.definition).not.toBe(definition);
          expect(stepTexts(moved.definition)).toEqual(stepTexts(definition));
        },
      ),
    );
  });

  it("a step moved down again and again leaves every list, and ends as the last one", () => {
    fc.assert(
      fc.property(definitions, small, (definition, which) => {
        const located = chosen([...walkSteps(definition, kinds)], which);
        fc.pre(located !== undefined);
        let [at, pointer] = [definition, located.pointer];
        for (let press = 0; press < 100; press += 1) {
          const place = placeOfMove(at, kinds, pointer, "down");
          if (place === undefined) break;
          ({ definition: at, pointer } = moveStep(at, pointer, place));
        }
        const top = valueAt(at, ["steps"]) as readonly unknown[];
        expect(pointer).toBe(`/steps/${top.length - 1}`);
      }),
    );
  });

  it("the step around a list is the one that has it", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        for (const { step, pointer } of walkSteps(definition, kinds)) {
          for (const { keys } of branchesOf(step, kinds)) {
            expect(stepAround(definition, pointer + pointerOf(keys))).toBe(pointer);
          }
        }
        expect(stepAround(definition, "/steps")).toBeUndefined();
      }),
    );
  });

  it("every step is found by its key, also where ids repeat or are missing", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        for (const located of walkSteps(definition, kinds)) {
          expect(findStep(definition, kinds, located.key)).toEqual(located);
        }
      }),
    );
  });

  it("a step that is pasted keeps its id if that is free", () => {
    const step = { id: "a", kind: "forEach", steps: [{ id: "b" }, { id: "a_2" }, { id: "b" }] };
    expect(withNewIds(step, new Set(["x"]), kinds)).toEqual({
      ...step,
      steps: [{ id: "b" }, { id: "a_2" }, { id: "b_2" }],
    });
    expect(withNewIds(step, new Set(["a"]), kinds)).toEqual({
      ...{ id: "a_3", kind: "forEach" },
      steps: [{ id: "b" }, { id: "a_2" }, { id: "b_2" }],
    });
  });

  it("a step inside another one is added to its first list; a handler exists only if it is written", () => {
    const definition = {
      steps: [{ kind: "condition" }, { kind: "finish" }, { onError: { steps: [] } }],
    };
    expect(firstListOf(definition, "/steps/0", kinds)).toBe("/steps/0/then");
    expect(firstListOf(definition, "/steps/1", kinds)).toBeUndefined();
    expect(firstListOf(definition, "/steps/2", kinds)).toBe("/steps/2/onError/steps");
    expect(hasHandler(stepAt(definition, ["steps", "2"]))).toBe(true);
    expect(hasHandler(stepAt(definition, ["steps", "1"]))).toBe(false);
    expect(stepAt(definition, ["steps"])).toBeUndefined();
  });

  it("a definition that is no tree of steps loses nothing", () => {
    // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
    const step = (others: unknown[]) => ({ kind: "condition", then: 5, else: others });
    const odd = { steps: [null, "text", step([7])], trigger: [] };
    const keysOfAll = [...walkSteps(odd, kinds)].map(({ pointer }) => pointer);
    expect(keysOfAll).toEqual(["/steps/0", "/steps/1", "/steps/2", "/steps/2/else/0"]);
    const moved = moveStep(odd, "/steps/2/else/0", { list: "/steps", index: 0 });
    expect(moved.definition).toEqual({
      steps: [7, null, "text", step([])],
      trigger: [],
    });
    expect(moveStep(odd, "/steps/0", { list: "/steps/2/then", index: 0 }).definition).toBe(odd);
    expect(replaceStep({ steps: [{ id: "a" }] }, "/steps/0", { id: "b" })).toEqual({
      steps: [{ id: "b" }],
    });
    expect([...walkSteps({ steps: "none" }, kinds)]).toEqual([]);
  });
});

describe("references to a step", () => {
  const rename = (value: unknown, from = "a", to = "b") =>
    renameReferences({ value }, from, to).value;

  it("are renamed in templates and conditions, and nowhere else", () => {
    expect(rename("{{steps.a.x}} and {{ steps.a }}")).toBe("{{steps.b.x}} and {{ steps.b }}");
    expect(rename('{{steps["a"].x ?? "steps.a"}}')).toBe('{{steps.b.x ?? "steps.a"}}');
    expect(rename("steps.a {{steps.ab}} {{steps.a-1}} {{start.steps.a}} {{vars.a}}")).toBe(
      "steps.a {{steps.ab}} {{steps.a-1}} {{start.steps.a}} {{vars.a}}",
    );
    const condition = { kind: "condition", expression: 'steps.a-1 == 2 && x == "steps.a"' };
    expect(rename(condition)).toEqual({
      ...condition,
      expression: 'steps.b-1 == 2 && x == "steps.a"',
    });
    expect(rename({ kind: "condition", expression: "steps.a.x" }, "a", "a-b")).toEqual({
      kind: "condition",
      expression: 'steps["a-b"].x',
    });
    expect(rename({ kind: "httpRequest", expression: "steps.a" })).toEqual({
      kind: "httpRequest",
      expression: "steps.a",
    });
  });

  it("are the same after a rename and its way back", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const there = renameReferences(definition, "a", "never_used");
        const back = renameReferences(there, "never_used", "a");
        expect(renameReferences(back, "a", "never_used")).toEqual(there);
        expect(JSON.stringify(there)).not.toMatch(/\{\{steps\.a\b/);
      }),
    );
  });
});
