import type { Box, Point, Size } from "../../ui/drawing/geometry.ts";
import { endsRun, type FlowBranch, type FlowStep } from "../model/flow.ts";
import { addKey } from "../model/outline.ts";

/** A place on a line at which a step can be inserted. */
export interface GraphPlace extends Point {
  readonly list: string;
  readonly index: number;
  /** The key of the step before it in its list, and of the one behind it. */
  readonly after: string | undefined;
  readonly before: string | undefined;
}

/** A line between two cards, or around an empty list. */
export interface GraphLine {
  readonly points: readonly Point[];
  readonly type: FlowBranch["type"];
  /** The key of the card at which it begins, and of the one to which it leads, if it leads to one. */
  readonly from: string;
  readonly to: string | undefined;
  /** The pointer of the list whose way it is; undefined between steps of one list. */
  readonly branch: string | undefined;
}

/** The name of a list at the beginning of its line; x and y are its middle. */
export interface GraphLabel extends Point {
  readonly owner: string;
  readonly branch: FlowBranch;
}

/** Where everything of a graph is drawn. */
export interface GraphLayout extends Size {
  /** By the keys of the cards, and of the places for a first step. */
  readonly boxes: ReadonlyMap<string, Box>;
  readonly lines: readonly GraphLine[];
  readonly places: readonly GraphPlace[];
  readonly labels: readonly GraphLabel[];
  /** The outlines of loops. */
  readonly frames: readonly (Box & { readonly owner: string })[];
}

interface GraphOptions {
  /** The key of the card before the first step. */
  readonly start: string;
  /** The key of a card behind the last step. Without one, there is a place to add a step. */
  readonly end: string | undefined;
  /** Whether empty lists have a place for a first step. */
  readonly isEdited: boolean;
  readonly sizeOf: (key: string) => Size;
}

/** Pixels between cards, around the drawing, between the ways of a step, and of a loop's outline. */
const gap = 44;
const margin = 24;
const aside = 32;
const framed = 28;
/** Pixels from a card to the line from which its ways branch off, and from there to the names of the lists. */
const stub = 16;
const drop = 22;
/** Half of the height and of the greatest width of the name of a list. */
export const labelSize = { width: 160, height: 22 };
const addSize: Size = { width: 140, height: 30 };

/** The room of a step or list: pixels to the left and right of the line through it, and its height. */
interface Extent {
  readonly left: number;
  readonly right: number;
  readonly height: number;
}

interface Column extends Extent {
  readonly branch: FlowBranch;
  /** From the middle of the card to the line of the list. */
  readonly x: number;
}

/**
 * Places the steps of a workflow from top to bottom. The ways of a step stand side by side and meet again below it. It
 * visits each step twice, whatever their number.
 */
export function layoutGraph(flow: readonly FlowStep[], options: GraphOptions): GraphLayout {
  const { start, end, isEdited, sizeOf } = options;
  const columnsOf = new Map<FlowStep, readonly Column[]>();
  const extents = new Map<FlowStep, Extent>();
  const boxes = new Map<string, Box>();
  const lines: GraphLine[] = [];
  const places: GraphPlace[] = [];
  const labels: GraphLabel[] = [];
  const frames: (Box & { readonly owner: string })[] = [];

  const body = measureList(flow);
  const startSize = sizeOf(start);
  const middle = margin + Math.max(body.left, startSize.width / 2);
  const put = (key: string, x: number, y: number, size: Size) =>
    boxes.set(key, { x: x - size.width / 2, y, ...size });
  put(start, middle, margin, startSize);
  const top = margin + startSize.height;
  let height = placeList(flow, "/steps", middle, top + gap, { from: start, y: top });
  const isOver = endsRun(flow);
  const last = flow.at(-1)?.key ?? start;
  if (end !== undefined) {
    line(
      [
        { x: middle, y: height },
        { x: middle, y: height + gap },
      ],
      { from: last, to: end },
    );
    put(end, middle, height + gap, sizeOf(end));
    height += gap + sizeOf(end).height;
  } else if (isEdited && !isOver && flow.length > 0) {
    const key = addKey("/steps");
    line(
      [
        { x: middle, y: height },
        { x: middle, y: height + gap },
      ],
      { from: last, to: key },
    );
    put(key, middle, height + gap, addSize);
    height += gap + addSize.height;
  }
  const right = Math.max(body.right, startSize.width / 2);
  return {
    width: middle + right + margin,
    height: height + margin,
    boxes,
    lines,
    places,
    labels,
    frames,
  };

  function line(
    points: readonly Point[],
    rest: { from: string; to?: string; branch?: string; type?: GraphLine["type"] },
  ): void {
    const { from, to, branch, type = "way" } = rest;
    lines.push({ points, type, from, to, branch });
  }

  function measureList(steps: readonly FlowStep[]): Extent {
    if (steps.length === 0) {
      const half = isEdited ? addSize.width / 2 : 0;
      return { left: half, right: half, height: isEdited ? addSize.height : 0 };
    }
    let [left, right, all] = [0, 0, (steps.length - 1) * gap];
    for (const step of steps) {
      const extent = measureStep(step);
      left = Math.max(left, extent.left);
      right = Math.max(right, extent.right);
      all += extent.height;
    }
    return { left, right, height: all };
  }

  function measureStep(step: FlowStep): Extent {
    const { width, height: own } = sizeOf(step.key);
    let [left, right, tallest] = [width / 2, width / 2, 0];
    const columns: Column[] = [];
    const ways = step.branches.filter(({ type }) => type !== "handler");
    let x = 0;
    for (const branch of ways) {
      const extent = measureBranch(branch);
      x = columns.length === 0 ? 0 : x + extent.left;
      columns.push({ ...extent, branch, x });
      x += extent.right + aside;
      tallest = Math.max(tallest, extent.height);
    }
    const shift = (columns.at(-1)?.x ?? 0) / 2;
    for (const [at, column] of columns.entries()) {
      columns[at] = { ...column, x: column.x - shift };
      left = Math.max(left, column.left - column.x + shift);
      right = Math.max(right, column.right + column.x - shift);
    }
    for (const branch of step.branches) {
      if (branch.type !== "handler") continue;
      const extent = measureBranch(branch);
      columns.push({ ...extent, branch, x: right + aside + extent.left });
      right += aside + extent.left + extent.right;
      tallest = Math.max(tallest, extent.height);
    }
    columnsOf.set(step, columns);
    const below = columns.length === 0 ? 0 : stub + drop + tallest;
    const extent = { left, right, height: own + below };
    extents.set(step, extent);
    return extent;
  }

  /** The room of a list with its name above it and the line below it. */
  function measureBranch({ type, steps }: FlowBranch): Extent {
    const inner = measureList(steps);
    const half = labelSize.width / 2;
    const extra = type === "loop" ? framed : 0;
    return {
      left: Math.max(half, inner.left) + extra,
      right: Math.max(half, inner.right) + extra,
      height: labelSize.height / 2 + gap + inner.height + gap,
    };
  }

  /** @returns the bottom of the last step */
  function placeList(
    steps: readonly FlowStep[],
    list: string,
    x: number,
    y: number,
    entry: {
      readonly from: string;
      readonly y: number;
      readonly branch?: string;
      readonly type?: GraphLine["type"];
    },
  ): number {
    const { type } = entry;
    if (steps.length === 0) {
      if (!isEdited) return y;
      const key = addKey(list);
      line(
        [
          { x, y: entry.y },
          { x, y },
        ],
        { ...entry, to: key },
      );
      put(key, x, y, addSize);
      return y + addSize.height;
    }
    let [at, before, from]: [number, FlowStep | undefined, number] = [y, undefined, entry.y];
    for (const [index, step] of steps.entries()) {
      const ends =
        before === undefined ? { ...entry, to: step.key } : { from: before.key, to: step.key };
      line(
        [
          { x, y: from },
          { x, y: at },
        ],
        { ...ends, ...(type === undefined ? {} : { type }) },
      );
      const [after, next] = [before?.key, step.key];
      places.push({ x, y: (from + at) / 2, list, index, after, before: next });
      from = placeStep(step, x, at);
      at = from + gap;
      before = step;
    }
    return from;
  }

  /** @returns the bottom of the step with its inner steps */
  function placeStep(step: FlowStep, x: number, y: number): number {
    const size = sizeOf(step.key);
    put(step.key, x, y, size);
    const columns = columnsOf.get(step) ?? [];
    const height = extents.get(step)?.height ?? 0;
    if (columns.length === 0) return y + height;
    const [foot, bottom] = [y + size.height, y + height];
    const hasWays = columns.some(({ branch }) => branch.type !== "handler");
    // A step with a handler alone continues straight on.
    if (!hasWays)
      line(
        [
          { x, y: foot },
          { x, y: bottom },
        ],
        { from: step.key },
      );
    for (const column of columns) {
      placeColumn(step, column, { x, y, foot, bottom, width: size.width });
    }
    return bottom;
  }

  function placeColumn(
    step: FlowStep,
    column: Column,
    card: {
      readonly x: number;
      readonly y: number;
      readonly foot: number;
      readonly bottom: number;
      readonly width: number;
    },
  ): void {
    const { branch } = column;
    const { type, list, steps } = branch;
    const x = card.x + column.x;
    const { foot, bottom } = card;
    const fork = foot + stub;
    const head = fork + drop;
    labels.push({ x, y: head, owner: step.key, branch });
    const from = step.key;
    const way = { from, branch: list, type };
    const side = (card.y + foot) / 2;
    line(
      type === "handler"
        ? [
            { x: card.x + card.width / 2, y: side },
            { x, y: side },
            { x, y: head },
          ]
        : [
            { x: card.x, y: foot },
            { x: card.x, y: fork },
            { x, y: fork },
            { x, y: head },
          ],
      way,
    );
    const first = head + labelSize.height / 2 + gap;
    const end = placeList(steps, list, x, first, { ...way, y: head + labelSize.height / 2 });
    const last = steps.at(-1);
    const isOver = endsRun(steps);
    if (last !== undefined && !isOver) {
      const next = { list, index: steps.length, after: last.key, before: undefined };
      places.push({ x, y: end + gap / 2, ...next });
    }
    if (type === "loop") {
      frames.push({
        ...{ owner: from, x: x - column.left, y: head },
        ...{ width: column.left + column.right, height: end + gap - head },
      });
      if (!isOver && last !== undefined) {
        const back = x - column.left + framed / 2;
        line(
          [
            ...[
              { x, y: end },
              { x, y: end + gap - stub / 2 },
              { x: back, y: end + gap - stub / 2 },
            ],
            ...[
              { x: back, y: side },
              { x: card.x - card.width / 2, y: side },
            ],
          ],
          { from: last.key, to: from, type },
        );
      }
      if (end + gap < bottom)
        line(
          [
            { x, y: end + gap },
            { x, y: bottom },
          ],
          { from },
        );
      return;
    }
    if (isOver) return;
    const tail = { from: last?.key ?? from, branch: list, type };
    const begin = last === undefined && !isEdited ? head : end;
    line(
      [
        { x, y: begin },
        { x, y: bottom },
        { x: card.x, y: bottom },
      ],
      tail,
    );
  }
}
