import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walkSteps } from "../../src/workflows/model/branches.ts";
import { isSameJson, readCode, writeCode } from "../../src/workflows/model/code-text.ts";
import type { Definition } from "../../src/workflows/model/definition.ts";
import {
  duplicateStep,
  insertStep,
  newStep,
  removeStep,
} from "../../src/workflows/model/edit-steps.ts";
import {
  beginHistory,
  codeOf,
  type EditionHistory,
  recordDefinition,
  recordText,
  redo,
  undo,
} from "../../src/workflows/model/edition-history.ts";
import { faultsWithin, placeFaults } from "../../src/workflows/model/faults.ts";
import {
  addKey,
  outlineOf,
  placeAfter,
  rowsAround,
  triggerKey,
} from "../../src/workflows/model/outline.ts";
import { chosen, definitions, kinds } from "./trees.ts";

type Edit = (history: EditionHistory, at: number) => EditionHistory;

/** One press of a person: in the tree, in the code, or undo and redo. */
const edits: fc.Arbitrary<Edit> = fc.oneof(
  ...(["add", "remove", "copy"] as const).map((deed) =>
    fc.nat(1000).map(
      (which): Edit =>
        (history, at) => {
          const { definition } = history.present;
          if (definition === undefined) return history;
          const located = chosen([...walkSteps(definition, kinds)], which);
          return recordDefinition(
            history,
            changed(definition, deed, located?.pointer),
            undefined,
            at,
          );
        },
    ),
  ),
  fc.tuple(fc.nat(1000), fc.constantFrom("", "}", '"', " ", "\n", '{"steps": []}')).map(
    ([position, typed]): Edit =>
      (history, at) => {
        const text = codeOf(history.present);
        const here = position % (text.length + 1);
        return recordText(history, text.slice(0, here) + typed + text.slice(here), at);
      },
  ),
  definitions.map(
    (definition): Edit =>
      (history, at) =>
        recordText(history, JSON.stringify(definition), at),
  ),
  fc.constant<Edit>((history) => undo(history)),
  fc.constant<Edit>((history) => redo(history)),
);

function changed(definition: Definition, deed: "add" | "remove" | "copy", pointer?: string) {
  if (deed === "add" || pointer === undefined) {
    const step = newStep("condition", definition, kinds);
    return insertStep(definition, { list: "/steps", index: 0 }, step).definition;
  }
  return deed === "remove"
    ? removeStep(definition, pointer)
    : duplicateStep(definition, pointer, kinds).definition;
}

function play(first: Definition, presses: readonly Edit[], pause: number): EditionHistory[] {
  const states = [beginHistory(first)];
  for (const [index, press] of presses.entries()) {
    const last = states.at(-1);
    if (last !== undefined) states.push(press(last, index * pause));
  }
  return states;
}

const pauses = fc.constantFrom(10, 2000);

describe("a draft", () => {
  it("code and tree never disagree, whatever was edited, undone and redone", () => {
    fc.assert(
      fc.property(
        definitions,
        fc.array(edits, { maxLength: 12 }),
        pauses,
        (first, presses, pause) => {
          for (const { present } of play(first, presses, pause)) {
            expect(readCode(codeOf(present))).toEqual(present.definition);
          }
        },
      ),
      { numRuns: generatedRuns(150) },
    );
  });

  it("undo leads back to the first state, and redo to the last one", () => {
    fc.assert(
      fc.property(
        definitions,
        fc.array(edits, { maxLength: 12 }),
        pauses,
        (first, presses, pause) => {
          const last = play(first, presses, pause).at(-1);
          if (last === undefined) return;
          let history = last;
          const { length } = history.past;
          for (let press = 0; press < length; press += 1) history = undo(history);
          expect(history.present.definition).toBe(first);
          expect(undo(history)).toBe(history);
          for (let press = 0; press < length; press += 1) history = redo(history);
          expect(history.present).toBe(last.present);
        },
      ),
    );
  });

  it("keys pressed shortly after each other are undone together, and apart from what came before", () => {
    let history = beginHistory({ steps: [] });
    history = recordDefinition(history, { steps: [1] }, undefined, 0);
    for (const [at, typed] of ["{", '{"steps"', '{"steps": [1, 2]}'].entries()) {
      history = recordText(history, typed, 10 + at);
    }
    history = recordText(history, '{"steps": [3]}', 5000);
    expect(codeOf(history.present)).toBe('{"steps": [3]}');
    history = undo(history);
    expect(history.present.definition).toEqual({ steps: [1, 2] });
    history = undo(history);
    expect(history.present.definition).toEqual({ steps: [1] });
    history = recordText(history, "{}", 5001);
    expect(redo(history)).toBe(history);
    expect(undo(undo(history)).present.definition).toEqual({ steps: [] });
  });

  it("a text that is no object has no definition, and is kept as it is", () => {
    for (const text of ["", "[]", "null", '{"a": ', "{'a': 1}"]) {
      const { present } = recordText(beginHistory({ steps: [] }), text, 0);
      expect(present).toEqual({ definition: undefined, text });
    }
  });

  it("numbers keep their digits in the code, and keys of prototypes stay data", () => {
    const text = '{\n  "a": 12345678901234567890,\n  "b": 1.5,\n  "__proto__": []\n}';
    const definition = readCode(text);
    expect(writeCode(definition)).toBe(text);
    expect(isSameJson(definition, readCode(text))).toBe(true);
    expect(isSameJson(definition, readCode(text.replace("7890", "7891")))).toBe(false);
  });

  it("a definition as code is the same definition", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        expect(JSON.parse(writeCode(definition))).toEqual(definition);
        expect(isSameJson(readCode(writeCode(definition)), definition)).toBe(true);
      }),
      { numRuns: generatedRuns(150) },
    );
  });
});

describe("the rows of a tree", () => {
  it("show every step once, with unique keys, and positions among their siblings", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const rows = outlineOf(definition, kinds, new Set());
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
        const steps = rows.flatMap((row) => (row.type === "step" ? [row.pointer] : []));
        expect(steps).toEqual([...walkSteps(definition, kinds)].map(({ pointer }) => pointer));
        for (const parent of new Set(rows.map((row) => row.parent))) {
          const inner = rows.filter((row) => row.parent === parent);
          expect(inner.map(({ position }) => position)).toEqual(inner.map((_row, at) => at + 1));
          expect(inner.every(({ siblings }) => siblings === inner.length)).toBe(true);
        }
      }),
    );
  });

  it("hide what is in a closed row, and count it", () => {
    const inner = { id: "in", kind: "forEach", steps: [{ id: "x" }, { id: "y" }] };
    const definition = {
      trigger: { kind: "manual" },
      steps: [{ id: "c", kind: "condition", else: [inner] }],
    };
    const keysOf = (...closed: string[]) =>
      outlineOf(definition, kinds, new Set(closed)).map(({ key }) => key);
    expect(keysOf()).toEqual([
      ...[triggerKey, "c", "#in c/then", addKey("/steps/0/then")],
      ...["#in c/else", "in", "#in in/steps", "x", "y", addKey("/steps")],
    ]);
    expect(keysOf("c")).toEqual([triggerKey, "c", addKey("/steps")]);
    expect(outlineOf(definition, kinds, new Set(["c"]))[1]).toMatchObject({
      inside: 3,
      isOpen: false,
    });
  });

  it("a fault belongs to the innermost step around it", () => {
    const definition = { steps: [{ id: "c", kind: "condition", else: [{ id: "x" }] }] };
    const fault = (path: string) => ({ code: "WORKFLOW_INVALID", path, message: "" });
    const faults = ["/steps/0/expression", "/steps/0/else/0", "/trigger/executeAs", "/steps"];
    expect(
      placeFaults(definition, kinds, faults.map(fault)).map(({ step, inside }) => [
        step?.key,
        inside,
      ]),
    ).toEqual([
      ["c", "/expression"],
      ["x", ""],
      [undefined, "/trigger/executeAs"],
      [undefined, "/steps"],
    ]);
  });

  it("the rows around a step are those that must be open to see it", () => {
    fc.assert(
      fc.property(definitions, fc.nat(1000), (definition, which) => {
        const located = chosen([...walkSteps(definition, kinds)], which);
        fc.pre(located !== undefined);
        const rows = outlineOf(definition, kinds, new Set());
        const around: string[] = [];
        const parentOf = (key: string) => rows.find((row) => row.key === key)?.parent;
        for (let key = parentOf(located.key); key !== undefined; key = parentOf(key)) {
          around.unshift(key);
        }
        expect(rowsAround(definition, kinds, located.pointer)).toEqual(around);
        expect(placeAfter("/steps/0/else/4")).toEqual({ list: "/steps/0/else", index: 5 });
      }),
    );
  });

  it("the faults within a part have pointers from there", () => {
    const fault = (path: string) => ({ code: "WORKFLOW_INVALID", path, message: "" });
    const faults = ["/trigger/cron", "/triggers", "/trigger", "/steps/0"].map(fault);
    expect(faultsWithin(faults, "/trigger")).toEqual(["/cron", ""].map(fault));
  });
});
