import { expect, it } from "vitest";
import { bodyOf } from "../../src/dashboards/builder/dashboard-body.ts";
import { type Draft, emptyDraft, type Panel } from "../../src/dashboards/builder/draft.ts";
import { boardFault, faultIn, placeFaults } from "../../src/dashboards/builder/draft-faults.ts";
import { draggedTo } from "../../src/dashboards/builder/drag-state.ts";
import {
  type NewPanel,
  withCopy,
  withoutPanel,
  withoutParameter,
  withPanels,
  withParameter,
  withParameterAt,
  withStart,
} from "../../src/dashboards/builder/edit-draft.ts";
import { begun, recorded, redone, undone } from "../../src/dashboards/builder/history.ts";
import { overlap } from "../../src/dashboards/builder/layout.ts";
import { contentKey, isComplete } from "../../src/dashboards/builder/preview-content.ts";

const figure: NewPanel = {
  ...{ kind: "FIGURE", title: "Orders", resourceId: "orders" },
  definition: { aggregate: ["count(*)"] },
  presentation: { version: 1 },
};
const text: NewPanel = {
  ...{ kind: "TEXT", title: "", resourceId: null },
  definition: { markdown: "# Hello" },
  presentation: { version: 1 },
};

const board = withStart(emptyDraft, {
  panels: [figure, figure, figure, figure, text],
  name: "Orders",
  period: { label: "Period", field: "placed_at" },
});

function panelAt(draft: Draft, index: number): Panel {
  const panel = draft.panels[index];
  if (panel === undefined) throw new Error(`No panel ${index}`);
  return panel;
}

it("new panels have ids of their own and free places, and a start binds them to its period", () => {
  expect(board.name).toBe("Orders");
  expect(board.panels.map(({ id }) => id)).toEqual([
    ...["figure-1", "figure-2", "figure-3", "figure-4", "text-1"],
  ]);
  for (const [index, one] of board.panels.entries()) {
    for (const other of board.panels.slice(index + 1)) {
      expect(overlap(one.layout, other.layout)).toBe(false);
    }
  }
  expect(board.parameters.map(({ name }) => name)).toEqual(["period"]);
  expect(panelAt(board, 0).bindings).toEqual([{ parameter: "period", field: "placed_at" }]);
  expect(withStart(board, { panels: [], name: "Other", period: undefined }).name).toBe("Orders");
});

it("a copy has all of a panel except its id and place, and a deleted panel leaves no empty row", () => {
  const copied = withCopy(board, "figure-2");
  const copy = copied?.draft.panels.at(-1);
  expect(copied?.id).toBe("figure-5");
  expect(copy).toMatchObject({ title: "Orders", definition: { aggregate: ["count(*)"] } });
  const one = withPanels(emptyDraft, [text, figure]).draft;
  const stacked: Draft = {
    ...one,
    panels: one.panels.map((panel, index) => ({
      ...panel,
      layout: { x: 0, y: index * 4, w: 6, h: 4 },
    })),
  };
  expect(withoutPanel(stacked, "text-1").panels.map(({ layout }) => layout.y)).toEqual([0]);
});

it("bindings follow the name of their parameter, and go with it", () => {
  const [period] = board.parameters;
  if (period === undefined) throw new Error("No parameter");
  const renamed = withParameter(board, 0, { ...period, name: "when" });
  expect(panelAt(renamed, 1).bindings).toEqual([{ parameter: "when", field: "placed_at" }]);
  expect(panelAt(withoutParameter(renamed, 0), 1).bindings).toEqual([]);
  const two: Draft = {
    ...board,
    parameters: [...board.parameters, { name: "who", label: "Who", kind: "PERSON" }],
  };
  expect(withParameterAt(two, 1, 0).parameters.map(({ name }) => name)).toEqual(["who", "period"]);
  expect(withParameterAt(two, 1, 2)).toBe(two);
});

it("changes of one subject in a row are undone together, and can be made again", () => {
  let history = begun("a");
  history = recorded(history, "b", "title");
  history = recorded(history, "c", "title");
  history = recorded(history, "d");
  expect(undone(history).present).toBe("c");
  expect(undone(undone(history)).present).toBe("a");
  expect(redone(undone(undone(history))).present).toBe("c");
  expect(recorded(undone(history), "e").future).toEqual([]);
  expect(undone(begun("a")).present).toBe("a");
});

it("faults of the service stand at their panel, parameter or field until that part changes", () => {
  const faults = placeFaults(
    board,
    [
      { path: "/data/panels/1/definition/aggregate/0", message: "Unknown field" },
      { path: "/data/parameters/0/name", message: "Another parameter has this name" },
      { path: "/data/name", message: "Too short" },
    ],
    "/data",
  );
  const panel = panelAt(board, 1);
  expect(faultIn(faults, panel, "/definition/aggregate")).toBe("Unknown field");
  expect(faultIn(faults, panel, "/title")).toBeUndefined();
  expect(faultIn(faults, { ...panel }, "/definition/aggregate")).toBeUndefined();
  const [parameter] = board.parameters;
  expect(parameter && faultIn(faults, parameter, "/name")).toBe("Another parameter has this name");
  expect(boardFault(faults, board, "name")).toBe("Too short");
  expect(boardFault(faults, { ...board, name: "Other" }, "name")).toBeUndefined();
});

it("a panel is read again for another content, and not for another title or place", () => {
  const panel = panelAt(board, 0);
  const key = contentKey(board, panel);
  expect(contentKey(board, { ...panel, title: "Other", layout: { x: 4, y: 9, w: 2, h: 2 } })).toBe(
    key,
  );
  expect(contentKey(board, { ...panel, bindings: [] })).not.toBe(key);
  expect(contentKey(withoutParameter(board, 0), panel)).not.toBe(key);
  expect(isComplete({ ...panel, resourceId: null })).toBe(false);
});

it("a text is stored without the parts that it cannot have", () => {
  const stored = bodyOf(board).panels?.map((panel) => "bindings" in panel);
  expect(stored).toEqual([true, true, true, true, false]);
});

it("pixels of a drag become columns and rows, and a panel is never wider than the board", () => {
  const from = { x: 6, y: 2, w: 4, h: 3 };
  const cell = { x: 100, y: 60 };
  expect(draggedTo(from, "move", { x: -260, y: 95 }, cell)).toEqual({ x: 3, y: 4, w: 4, h: 3 });
  expect(draggedTo(from, "resize", { x: 900, y: -60 }, cell)).toEqual({ x: 6, y: 2, w: 6, h: 2 });
});
