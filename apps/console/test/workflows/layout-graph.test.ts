import { describe, expect, it } from "vitest";
import type { Box } from "../../src/ui/drawing/geometry.ts";
import { cardSize } from "../../src/workflows/graph/graph-card.ts";
import { layoutGraph } from "../../src/workflows/graph/layout-graph.ts";
import { createWalk } from "../../src/workflows/graph/walk-graph.ts";
import { flowOf, walkFlow } from "../../src/workflows/model/flow.ts";
import { addKey, triggerKey } from "../../src/workflows/model/outline.ts";
import { stepKinds } from "./arbitrary-definition.ts";

const ends = { start: triggerKey, end: undefined, isEdited: true };
const options = { ...ends, sizeOf: () => cardSize };
const leaf = (id: string, more: object = {}) => ({ id, kind: "setValues", values: {}, ...more });
const branch = (id: string, yes: object[], no: object[]) => ({
  ...{ id, kind: "condition", expression: "true" },
  // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
  then: yes,
  else: no,
});
const loop = (id: string, steps: object[], more: object = {}) => ({
  ...{ id, kind: "forEach", items: [], steps, ...more },
});
const typical = {
  steps: [
    leaf("first", { onError: { steps: [leaf("handled")] } }),
    branch(
      "fork",
      [leaf("yes"), { id: "over", kind: "finish", result: null }],
      [loop("each", [leaf("inner"), branch("deep", [], [leaf("no")])])],
    ),
    leaf("last"),
  ],
};
const flow = flowOf(typical, stepKinds);

/** A definition of a given number of steps, with loops and branches in one another. */
function wide(count: number) {
  const steps = Array.from({ length: count / 5 }, (_none, at) =>
    loop(`loop_${at}`, [
      branch(`fork_${at}`, [leaf(`a_${at}`)], [leaf(`b_${at}`)]),
      leaf(`c_${at}`),
    ]),
  );
  return flowOf({ steps }, stepKinds);
}

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe("the layout of a graph", () => {
  it("puts no two of 300 cards over one another, and all within its size", () => {
    const { boxes, width, height } = layoutGraph(wide(300), options);
    const all = [...boxes.values()];
    expect(all.length).toBeGreaterThan(300);
    const overlaps = all.filter((one, at) =>
      all.slice(at + 1).some((other) => overlap(one, other)),
    );
    expect(overlaps).toEqual([]);
    for (const box of all) {
      expect(box.x >= 0 && box.x + box.width <= width).toBe(true);
      expect(box.y >= 0 && box.y + box.height <= height).toBe(true);
    }
  });

  it("asks for the size of each card a fixed number of times", () => {
    const callsFor = (count: number) => {
      let calls = 0;
      const sizeOf = () => {
        calls += 1;
        return cardSize;
      };
      layoutGraph(wide(count), { ...ends, sizeOf });
      return calls / count;
    };
    expect(callsFor(1000)).toBeLessThanOrEqual(callsFor(100));
  });

  it("has a place to insert before each step and at the end of each list that does not end the run", () => {
    const { places } = layoutGraph(flow, options);
    const steps = [...walkFlow(flow)];
    const before = new Set(places.map((place) => place.before));
    expect(steps.filter(({ key }) => !before.has(key))).toEqual([]);
    const after = places.filter((place) => place.before === undefined).map((place) => place.after);
    expect(after.toSorted()).toEqual(["deep", "each", "handled", "no"]);
  });

  it("draws no line behind a step that ends the run, and one to every other step", () => {
    const { lines, boxes } = layoutGraph(flow, options);
    expect(lines.filter(({ from }) => from === "over")).toEqual([]);
    const reached = new Set(lines.map(({ to }) => to));
    expect([...boxes.keys()].filter((key) => key !== triggerKey && !reached.has(key))).toEqual([]);
  });

  it("draws every line within the drawing and at right angles", () => {
    const { lines, width, height } = layoutGraph(flow, options);
    for (const { points } of lines) {
      for (const [at, { x, y }] of points.entries()) {
        expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
        const next = points[at + 1];
        if (next !== undefined) expect(next.x === x || next.y === y).toBe(true);
      }
    }
  });

  it("gives an empty definition its trigger and a place for the first step", () => {
    const { boxes } = layoutGraph([], options);
    expect([...boxes.keys()]).toEqual([triggerKey, addKey("/steps")]);
    const read = layoutGraph([], { ...options, end: "@end", isEdited: false });
    expect([...read.boxes.keys()]).toEqual([triggerKey, "@end"]);
  });
});

describe("the arrow keys of a graph", () => {
  const walk = createWalk(flow, ends);

  it("follow the lines down and up", () => {
    expect(walk(triggerKey, "ArrowDown")).toBe("first");
    expect(walk("first", "ArrowDown")).toBe("fork");
    expect(walk("fork", "ArrowDown")).toBe("yes");
    expect(walk("yes", "ArrowUp")).toBe("fork");
    expect(walk("each", "ArrowDown")).toBe("inner");
    expect(walk("no", "ArrowDown")).toBe("last");
    expect(walk("last", "ArrowUp")).toBe("fork");
    expect(walk("first", "ArrowUp")).toBe(triggerKey);
  });

  it("lead to the next way of a step, and to the steps after a failure", () => {
    expect(walk("first", "ArrowRight")).toBe("handled");
    expect(walk("handled", "ArrowLeft")).toBe("first");
    expect(walk("over", "ArrowRight")).toBe("each");
    expect(walk("inner", "ArrowLeft")).toBe("yes");
    expect(walk("last", "ArrowRight")).toBeUndefined();
  });

  it("reach every card from the first one", () => {
    const seen = new Set<string>([triggerKey]);
    for (const key of seen) {
      for (const arrow of ["ArrowDown", "ArrowRight"] as const) {
        const next = walk(key, arrow);
        if (next !== undefined) seen.add(next);
      }
    }
    expect(new Set(layoutGraph(flow, options).boxes.keys())).toEqual(seen);
  });
});
