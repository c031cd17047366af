import { Graph, layout } from "@dagrejs/dagre";
import type { Box, Point, Size } from "../../ui/drawing/geometry.ts";
import type { MapGraph } from "./map-graph.ts";

/** The places of all tables and foreign keys, in the order of the graph. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  /** The line of each foreign key, from its table to the one that it refers to. */
  readonly lines: readonly (readonly Point[])[];
}

interface Part extends Size {
  readonly boxes: ReadonlyMap<number, Box>;
  readonly lines: ReadonlyMap<number, readonly Point[]>;
}

const margin = 24;

/**
 * Places the tables of a map: a table stands to the right of those that it refers to. Tables that no key connects are
 * laid out apart, and the parts are then put beside and below one another.
 *
 * @param sizes the sizes of the tables in the order of the graph
 */
export function layoutMap(graph: MapGraph, sizes: readonly Size[]): MapLayout {
  const parts = connectedParts(graph).map((tables) => layoutPart(graph, sizes, tables));
  const boxes = new Map<number, Box>();
  const lines = new Map<number, readonly Point[]>();
  const area = parts.reduce(
    (sum, part) => sum + (part.width + gaps.table) * (part.height + gaps.table),
    0,
  );
  const rowWidth = Math.max(Math.sqrt(area * 1.6), ...parts.map((part) => part.width));
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > rowWidth) {
      [x, y, rowHeight] = [0, y + rowHeight + gaps.table, 0];
    }
    const move = (point: Point) => ({ x: point.x + x + margin, y: point.y + y + margin });
    for (const [table, box] of part.boxes) boxes.set(table, { ...box, ...move(box) });
    for (const [key, line] of part.lines) lines.set(key, line.map(move));
    width = Math.max(width, x + part.width);
    rowHeight = Math.max(rowHeight, part.height);
    x += part.width + gaps.table;
  }
  return {
    width: width + 2 * margin,
    height: y + rowHeight + 2 * margin,
    boxes: graph.tables.map((_table, index) => boxes.get(index) ?? nowhere),
    lines: graph.keys.map((_key, index) => lines.get(index) ?? []),
  };
}

const nowhere: Box = { x: 0, y: 0, width: 0, height: 0 };

/** The sets of tables that keys connect, the largest first. */
function connectedParts({ tables, keys }: MapGraph): readonly (readonly number[])[] {
  const roots = tables.map((_table, index) => index);
  const rootOf = (table: number): number => {
    let root = table;
    while (roots[root] !== root) root = roots[root] ?? root;
    roots[table] = root;
    return root;
  };
  for (const { from, to } of keys) roots[rootOf(from)] = rootOf(to);
  const parts = new Map<number, number[]>();
  for (const table of roots.keys()) {
    const root = rootOf(table);
    parts.set(root, [...(parts.get(root) ?? []), table]);
  }
  return [...parts.values()].toSorted((one, other) => other.length - one.length);
}

function layoutPart({ keys }: MapGraph, sizes: readonly Size[], tables: readonly number[]): Part {
  const members = new Set(tables);
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: gaps.table, ranksep: gaps.level, ranker: "tight-tree" });
  for (const table of tables) graph.setNode(String(table), { ...sizes[table] });
  const own = keys.flatMap(({ from, to }, index) =>
    members.has(from) ? [{ from, to, index }] : [],
  );
  const others = own.filter(({ from, to }) => from !== to);
  for (const { from, to, index } of others)
    graph.setEdge(String(to), String(from), {}, String(index));
  layout(graph);
  const boxes = new Map<number, Box>();
  for (const table of tables) {
    // The place of a node is that of its middle.
    const { x, y, width, height } = graph.node(String(table));
    boxes.set(table, { x: x - width / 2, y: y - height / 2, width, height });
  }
  const wrapped = wrapLevels(boxes);
  const lines = new Map<number, readonly Point[]>();
  const placed = wrapped ?? boxes;
  for (const { from, to, index } of own) {
    const [start = nowhere, end = nowhere] = [placed.get(from), placed.get(to)];
    if (from === to) lines.set(index, loopAt(start));
    else if (wrapped !== undefined) lines.set(index, lineBetween(start, end));
    else {
      const { points = [] } = graph.edge(String(to), String(from), String(index));
      lines.set(index, lineAlong(start, end, points.toReversed()));
    }
  }
  if (wrapped !== undefined) return { ...sizeOf(wrapped.values()), boxes: wrapped, lines };
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, boxes, lines };
}

function sizeOf(boxes: Iterable<Box>): Size {
  let [width, height] = [0, 0];
  for (const box of boxes) {
    width = Math.max(width, box.x + box.width);
    height = Math.max(height, box.y + box.height);
  }
  return { width, height };
}

/** Pixels between tables, and between levels. */
const gaps = { table: 28, level: 72 };

/** How far a line runs straight away from a table. */
const lead = gaps.level / 2;

/**
 * Breaks levels of many tables, such as those that refer to one table of users, into columns side by side. Returns
 * undefined if no level is that long.
 *
 * @param boxes the tables of one part, by their position in the graph
 */
function wrapLevels(boxes: ReadonlyMap<number, Box>): ReadonlyMap<number, Box> | undefined {
  const most = Math.max(8, Math.ceil(Math.sqrt(boxes.size) * 1.3));
  const levels = new Map<number, (readonly [number, Box])[]>();
  for (const [table, box] of boxes) {
    const level = Math.round(box.x + box.width / 2);
    levels.set(level, [...(levels.get(level) ?? []), [table, box]]);
  }
  if ([...levels.values()].every((level) => level.length <= most)) return undefined;
  const wrapped = new Map<number, Box>();
  let x = 0;
  for (const [, level] of [...levels].toSorted(([one], [other]) => one - other)) {
    const ordered = level.toSorted(([, one], [, other]) => one.y - other.y);
    // Columns of the same length look calmer than a last one of few tables.
    const length = Math.ceil(ordered.length / Math.ceil(ordered.length / most));
    for (let from = 0; from < ordered.length; from += length) {
      const column = ordered.slice(from, from + length);
      let y = 0;
      for (const [table, box] of column) {
        wrapped.set(table, { ...box, x, y });
        y += box.height + gaps.table;
      }
      x += Math.max(...column.map(([, { width }]) => width)) + gaps.table;
    }
    x += gaps.level - gaps.table;
  }
  return wrapped;
}

/** Returns a line from a table to the one that it refers to, which stands to the left of it, or else is led around. */
function lineBetween(from: Box, to: Box): readonly Point[] {
  const isLeft = to.x + to.width < from.x;
  const start = { x: isLeft ? from.x : from.x + from.width, y: from.y + from.height * 0.4 };
  const end = { x: to.x + to.width, y: to.y + to.height * 0.6 };
  const away = isLeft ? -lead : lead;
  return [start, { ...start, x: start.x + away }, { ...end, x: end.x + lead }, end];
}

/** The line of a key that refers to its own table. */
function loopAt({ x, y, width, height }: Box): readonly Point[] {
  const right = x + width;
  const [top, bottom] = [y + height * 0.35, y + height * 0.75];
  const out = right + gaps.table * 0.75;
  return [
    ...[
      { x: right, y: top },
      { x: out, y: top },
    ],
    ...[
      { x: out, y: bottom },
      { x: right, y: bottom },
    ],
  ];
}

/**
 * Returns a line along the points of a layout that meets both tables straight, at the sides that face one another: an
 * arrow at a corner would stand half behind its table.
 */
function lineAlong(from: Box, to: Box, points: readonly Point[]): readonly Point[] {
  const isLeft = to.x < from.x;
  const start = sideOf(from, !isLeft, points[0]);
  const end = sideOf(to, isLeft, points.at(-1));
  const away = isLeft ? lead : -lead;
  // The first and the last bend stand between the table and the next level, as the leads do.
  const bends = points.slice(2, -2).map(({ x, y }) => ({ x, y }));
  return [start, { ...start, x: start.x - away }, ...bends, { ...end, x: end.x + away }, end];
}

/** The point of a side of a table that is nearest to another one, apart from the round corners. */
function sideOf({ x, y, width, height }: Box, isRight: boolean, near: Point = nowhere): Point {
  const inset = Math.min(10, height / 2);
  return {
    x: isRight ? x + width : x,
    y: Math.min(Math.max(near.y, y + inset), y + height - inset),
  };
}

/** The keys that move to the next table in a direction. */
export const directions = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;

/** Returns the position of the nearest box in a direction; undefined at the edge of the map. */
export function findNeighbor(
  boxes: readonly Box[],
  from: number,
  key: keyof typeof directions,
): number | undefined {
  const here = boxes[from];
  if (here === undefined) return undefined;
  const [right, down] = directions[key];
  let nearest: { readonly at: number; readonly distance: number } | undefined;
  for (const [at, box] of boxes.entries()) {
    const x = middle(box).x - middle(here).x;
    const y = middle(box).y - middle(here).y;
    const ahead = x * right + y * down;
    const aside = Math.abs(x * down + y * right);
    if (at === from || ahead <= 0) continue;
    // A box ahead is nearer than one of the same distance aside.
    const distance = ahead + 2 * aside;
    if (nearest === undefined || distance < nearest.distance) nearest = { at, distance };
  }
  return nearest?.at;
}

function middle({ x, y, width, height }: Box) {
  return { x: x + width / 2, y: y + height / 2 };
}
