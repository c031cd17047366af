import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  arranged,
  freePlace,
  heightOf,
  inReadingOrder,
  overlap,
  type Place,
  type Placed,
  settled,
  stepped,
} from "../../src/dashboards/builder/layout.ts";

const runs = { numRuns: generatedRuns(1000) };

const place: fc.Arbitrary<Place> = fc.record({
  x: fc.integer({ min: -3, max: 15 }),
  y: fc.integer({ min: -3, max: 999 }),
  w: fc.integer({ min: -1, max: 15 }),
  h: fc.integer({ min: -1, max: 30 }),
});

const boards = fc
  .array(place, { minLength: 1, maxLength: 40 })
  .map((places) =>
    settled(places.map((layout, index): Placed => ({ id: `panel-${index}`, layout }))),
  );

/** What must hold of every board. */
function expectBoard(panels: readonly Placed[], ids: readonly string[]): void {
  expect(panels.map(({ id }) => id)).toEqual(ids);
  for (const { layout } of panels) {
    expect(layout.x).toBeGreaterThanOrEqual(0);
    expect(layout.y).toBeGreaterThanOrEqual(0);
    expect(layout.w).toBeGreaterThanOrEqual(1);
    expect(layout.h).toBeGreaterThanOrEqual(1);
    expect(layout.h).toBeLessThanOrEqual(24);
    expect(layout.x + layout.w).toBeLessThanOrEqual(12);
    expect(layout.y).toBeLessThanOrEqual(999);
  }
  for (const [index, one] of panels.entries()) {
    expect(panels.slice(index + 1).filter((other) => overlap(one.layout, other.layout))).toEqual(
      [],
    );
  }
  const rows = new Set(
    panels.flatMap(({ layout }) => Array.from({ length: layout.h }, (_, row) => layout.y + row)),
  );
  expect(rows.size).toBe(heightOf(panels));
}

const idsOf = (panels: readonly Placed[]) => panels.map(({ id }) => id);

it("a board of any places has no overlap, no empty row and every panel within twelve columns", () => {
  fc.assert(
    fc.property(boards, (board) => {
      expectBoard(
        board,
        board.map((_, index) => `panel-${index}`),
      );
      expect(settled(board)).toEqual(board);
    }),
    runs,
  );
});

it("a panel that is moved or resized to any place loses no panel and covers none", () => {
  fc.assert(
    fc.property(boards, fc.nat(), place, (board, pick, target) => {
      const id = board[pick % board.length]?.id ?? "";
      const next = arranged(board, id, target);
      expectBoard(next, idsOf(board));
      // The same move again changes nothing.
      const own = next.find((panel) => panel.id === id)?.layout;
      if (own !== undefined) expect(arranged(next, id, own)).toEqual(next);
    }),
    runs,
  );
});

it("a moved or resized panel has the column and the size that were asked for", () => {
  fc.assert(
    fc.property(boards, fc.nat(), fc.nat(11), fc.nat(60), (board, pick, x, y) => {
      const panel = board[pick % board.length];
      if (panel === undefined || x + panel.layout.w > 12) return;
      const next = arranged(board, panel.id, { ...panel.layout, x, y });
      const own = next.find(({ id }) => id === panel.id)?.layout;
      expect(own).toMatchObject({ x, w: panel.layout.w, h: panel.layout.h });
    }),
    runs,
  );
});

it("steps by the keyboard keep a whole board, and each changes it", () => {
  const steps = fc.constantFrom<Partial<Place>>(
    ...[{ x: 1 }, { x: -1 }, { y: 1 }, { y: -1 }, { w: 1 }, { w: -1 }, { h: 1 }, { h: -1 }],
  );
  fc.assert(
    fc.property(boards, fc.array(fc.tuple(fc.nat(), steps), { maxLength: 8 }), (start, moves) => {
      let board = start;
      for (const [pick, change] of moves) {
        const id = board[pick % board.length]?.id ?? "";
        const next = stepped(board, id, change);
        if (next === undefined) continue;
        expectBoard(next, idsOf(start));
        expect(next).not.toEqual(board);
        board = next;
      }
    }),
    { numRuns: generatedRuns(300) },
  );
});

it("the keyboard moves a panel past the one below it, and back", () => {
  const board: Placed[] = [
    { id: "a", layout: { x: 0, y: 0, w: 6, h: 4 } },
    { id: "b", layout: { x: 0, y: 4, w: 6, h: 4 } },
  ];
  const down = stepped(board, "a", { y: 1 });
  expect(down?.map(({ layout }) => layout.y)).toEqual([4, 0]);
  expect(stepped(down ?? [], "a", { y: -1 })?.map(({ layout }) => layout.y)).toEqual([0, 4]);
  expect(stepped(board, "a", { y: -1 })).toBeUndefined();
  expect(stepped(board, "b", { y: 1 })).toBeUndefined();
  expect(stepped(board, "a", { x: -1 })).toBeUndefined();
});

it("a new panel takes a hole that is large enough, else the row below all", () => {
  fc.assert(
    fc.property(
      boards,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 24 }),
      (board, w, h) => {
        const free = freePlace(board, { w, h });
        expectBoard(settled([...board, { id: "new", layout: free }]), [...idsOf(board), "new"]);
        expect(board.every(({ layout }) => !overlap(layout, free))).toBe(true);
      },
    ),
    runs,
  );
});

it("the reading order goes by rows, and within these from the left", () => {
  const at = (id: string, x: number, y: number) => ({ id, layout: { x, y, w: 1, h: 1 } });
  expect(idsOf(inReadingOrder([at("c", 0, 2), at("b", 4, 0), at("a", 0, 0)]))).toEqual([
    "a",
    "b",
    "c",
  ]);
});
