import { describe, expect, it } from "vitest";
import {
  namesOfPresentation,
  type Presentation,
  plainTable,
  renamePresentation,
  visiblePresentation,
} from "../src/index.ts";

const layouts: Readonly<Record<string, Presentation>> = {
  table: {
    version: 1,
    layout: "table",
    columns: [
      { field: "plate", width: 80, pinned: true },
      { field: "price", summary: "sum" },
    ],
  },
  cards: {
    version: 1,
    layout: "cards",
    title: "plate",
    subtitle: "price",
    image: "photo",
    badges: ["status", "price"],
  },
  kanban: {
    version: 1,
    layout: "kanban",
    group: "status",
    title: "plate",
    fields: ["price", "seats"],
    order: "rank",
    color: "driver.color",
  },
  calendar: {
    version: 1,
    layout: "calendar",
    start: "starts",
    end: "ends",
    title: "plate",
    color: "status",
  },
  form: {
    version: 1,
    layout: "form",
    use: "BOTH",
    sections: [
      { title: "One", help: "?", fields: [{ field: "plate", help: "A", default: "x" }] },
      { title: "Two", fields: [{ field: "price", default: null }] },
    ],
  },
};

describe("a presentation within the sight of a reader", () => {
  it("is whole for a reader who may see all of its fields", () => {
    for (const layout of Object.values(layouts)) {
      expect(visiblePresentation(layout, () => true)).toEqual(layout);
    }
  });

  it("names nothing that the reader may not see, whichever fields are hidden", () => {
    for (const layout of Object.values(layouts)) {
      const names = namesOfPresentation(layout);
      for (let hidden = 0; hidden < 2 ** names.length; hidden += 1) {
        const isVisible = (name: string) => (hidden & (1 << names.indexOf(name))) === 0;
        const seen = visiblePresentation(layout, isVisible);
        expect(namesOfPresentation(seen).every(isVisible)).toBe(true);
        for (const name of names.filter((item) => !isVisible(item))) {
          expect(JSON.stringify(seen)).not.toContain(`"${name}"`);
        }
      }
    }
  });

  it.each([
    ["cards", ["plate"]],
    ["kanban", ["status", "plate"]],
    ["calendar", ["starts", "plate"]],
  ])("of %s becomes a plain table without one of its key fields", (layout, keys) => {
    const stored = layouts[layout];
    if (stored === undefined) throw new TypeError("Unknown layout");
    const degraded = { ...plainTable, degraded: true };
    for (const key of keys) {
      expect(visiblePresentation(stored, (name) => name !== key)).toEqual(degraded);
    }
    for (const other of namesOfPresentation(stored).filter((name) => !keys.includes(name))) {
      expect(visiblePresentation(stored, (name) => name !== other).layout).toBe(layout);
    }
  });

  it("of a form loses sections without a field, and becomes a table without any", () => {
    const { form = plainTable } = layouts;
    expect(visiblePresentation(form, (name) => name === "price")).toMatchObject({
      layout: "form",
      sections: [{ title: "Two" }],
    });
    expect(visiblePresentation(form, () => false)).toEqual({ ...plainTable, degraded: true });
  });
});

describe("the names of a presentation", () => {
  it("follow a rename in every place of each layout", () => {
    for (const layout of Object.values(layouts)) {
      const renamed = renamePresentation(layout, (name) => `${name}_2`);
      const names = namesOfPresentation(layout).map((name) => `${name}_2`);
      expect(namesOfPresentation(renamed)).toEqual(names);
      expect(renamePresentation(renamed, (name) => name.slice(0, -2))).toEqual(layout);
    }
  });
});
