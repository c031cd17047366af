import { describe, expect, it } from "vitest";
import { findNeighbor, layoutMap } from "../../src/structure/map/layout-map.ts";
import { createGraph } from "../../src/structure/map/map-graph.ts";
import type { Box } from "../../src/ui/drawing/geometry.ts";

const size = { width: 160, height: 48 };

const keyOf = (table: string, targetTable: string, name = `${table}_fkey`) => ({
  ...{ name, schema: "s", table, columns: [`${targetTable}_id`] },
  ...{ targetSchema: "s", targetTable, targetColumns: ["id"], onDelete: "NO ACTION" as const },
});
const tablesOf = (...names: string[]) => names.map((name) => ({ schema: "s", name }));

const overlap = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

describe("the layout of the map", () => {
  it("puts no two of 300 tables over one another, and all within its size", () => {
    const names = Array.from({ length: 300 }, (_none, index) => `t${index}`);
    const keys = names.slice(20, 220).map((name, index) => keyOf(name, `t${index % 17}`));
    const graph = createGraph(tablesOf(...names), keys);
    const { boxes, lines, width, height } = layoutMap(
      graph,
      graph.tables.map(() => size),
    );
    expect(boxes).toHaveLength(300);
    const overlaps = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).filter((other) => overlap(one, other)),
    );
    expect(overlaps).toEqual([]);
    for (const box of boxes) {
      expect(box.x >= 0 && box.x + box.width <= width).toBe(true);
      expect(box.y >= 0 && box.y + box.height <= height).toBe(true);
    }
    expect(lines.every((line) => line.length > 1)).toBe(true);
  });

  it("breaks a level of many tables into columns, so that the map is no strip", () => {
    const names = ["users", ...Array.from({ length: 200 }, (_none, index) => `t${index}`)];
    const keys = names.slice(1).map((name) => keyOf(name, "users"));
    const graph = createGraph(tablesOf(...names), [...keys, keyOf("users", "t7", "favorite")]);
    const { boxes, lines, width, height } = layoutMap(
      graph,
      graph.tables.map(() => size),
    );
    expect(Math.max(width / height, height / width)).toBeLessThan(4);
    const overlaps = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).filter((other) => overlap(one, other)),
    );
    expect(overlaps).toEqual([]);
    expect(lines.every((line) => line.length === 4)).toBe(true);
  });

  it("starts the line of a key at its table and ends it at the one that it refers to", () => {
    const graph = createGraph(tablesOf("drivers", "trips"), [keyOf("trips", "drivers")]);
    const { boxes, lines } = layoutMap(
      graph,
      graph.tables.map(() => size),
    );
    const [drivers, trips] = boxes;
    const [line] = lines;
    expect(trips?.x).toBeGreaterThan((drivers?.x ?? 0) + size.width);
    expect(line?.[0]?.x).toBeCloseTo(trips?.x ?? 0);
    expect(line?.at(-1)?.x).toBeCloseTo((drivers?.x ?? 0) + size.width);
  });

  it("ends each line at a side of the table that it refers to, apart from the corners, also of a table's own key", () => {
    const names = ["users", "folders", "files", "papers", "members"];
    const keys = [
      ...[
        keyOf("folders", "folders"),
        keyOf("folders", "users", "owner"),
        keyOf("files", "folders"),
      ],
      ...[keyOf("files", "users", "author"), keyOf("papers", "files"), keyOf("members", "users")],
      ...[keyOf("papers", "users", "reader"), keyOf("users", "papers", "favorite")],
    ];
    const graph = createGraph(tablesOf(...names), keys);
    const { boxes, lines } = layoutMap(
      graph,
      graph.tables.map((_table, index) => ({ width: 160, height: 40 + 20 * index })),
    );
    const isAtSide = (box: Box | undefined, point: { x: number; y: number } | undefined) => {
      if (box === undefined || point === undefined) return false;
      const isSide = [box.x, box.x + box.width].some((x) => Math.abs(x - point.x) < 0.01);
      return isSide && point.y >= box.y + 10 && point.y <= box.y + box.height - 10;
    };
    for (const [index, { from, to }] of graph.keys.entries()) {
      expect(isAtSide(boxes[from], lines[index]?.[0])).toBe(true);
      expect(isAtSide(boxes[to], lines[index]?.at(-1))).toBe(true);
      // The arrow comes from outside of its table, straight.
      const [before, end] = lines[index]?.slice(-2) ?? [];
      const box = boxes[to];
      expect(before?.y).toBe(end?.y);
      expect((before?.x ?? 0) < (box?.x ?? 0) || (before?.x ?? 0) > (box?.x ?? 0) + 160).toBe(true);
    }
  });

  it("draws tables with the names of object members, keys to themselves, and several keys between two", () => {
    const names = ["__proto__", "constructor", "toString", "a b"];
    const graph = createGraph(tablesOf(...names), [
      keyOf("__proto__", "constructor", "one"),
      keyOf("__proto__", "constructor", "two"),
      keyOf("toString", "toString"),
    ]);
    expect(graph.tables.map(({ name }) => name)).toEqual(names);
    const { boxes, lines } = layoutMap(
      graph,
      graph.tables.map(() => size),
    );
    expect(boxes.every(({ x, y, width }) => x >= 0 && y >= 0 && width === size.width)).toBe(true);
    expect(lines.map((line) => line.length > 1)).toEqual([true, true, true]);
    expect(lines.flat().every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });

  it("has the table of another schema that a key refers to", () => {
    const graph = createGraph(tablesOf("trips"), [
      { ...keyOf("trips", "users"), targetSchema: "other" },
    ]);
    expect(graph.tables).toEqual([
      { schema: "s", name: "trips", columns: ["users_id"] },
      { schema: "other", name: "users", columns: [] },
    ]);
  });
});

describe("the neighbor of a table", () => {
  const at = (x: number, y: number): Box => ({ x, y, ...size });

  it("is the nearest one ahead, and none at the edge", () => {
    const boxes = [at(0, 0), at(300, 10), at(300, 400), at(0, 200), at(900, 0)];
    expect(findNeighbor(boxes, 0, "ArrowRight")).toBe(1);
    expect(findNeighbor(boxes, 0, "ArrowDown")).toBe(3);
    expect(findNeighbor(boxes, 1, "ArrowRight")).toBe(4);
    expect(findNeighbor(boxes, 2, "ArrowUp")).toBe(1);
    expect(findNeighbor(boxes, 0, "ArrowLeft")).toBeUndefined();
  });
});
