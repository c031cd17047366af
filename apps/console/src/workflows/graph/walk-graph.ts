import type { FlowBranch, FlowStep } from "../model/flow.ts";
import { addKey } from "../model/outline.ts";

export type Walk = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight" | "Home" | "End";

/** Whether a key leads to another card. */
export function isWalk(key: string): key is Walk {
  return ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"].includes(key);
}

/** Returns the key of the card to which a key leads from another one; undefined if there is none. */
export type WalkGraph = (from: string, key: Walk) => string | undefined;

interface Spot {
  readonly up: string;
  readonly down: string | undefined;
  /** The list, the step around it and the position of the list among its lists; undefined for the first steps. */
  readonly owner: FlowStep | undefined;
  readonly branch: number;
}

interface WalkOptions {
  readonly start: string;
  readonly end: string | undefined;
  /** Whether empty lists have a place for a first step. */
  readonly isEdited: boolean;
}

/**
 * Returns how the arrow keys lead along the lines of a graph: down and up along a line, right and left to the next way
 * of the same step. The steps that run after a failure are to the right of their step.
 */
export function createWalk(flow: readonly FlowStep[], options: WalkOptions): WalkGraph {
  const { start, end, isEdited } = options;
  const spots = new Map<string, Spot>();
  const steps = new Map<string, FlowStep>();
  const order: string[] = [];
  const entry = (list: string, [first]: readonly FlowStep[]) =>
    first?.key ?? (isEdited ? addKey(list) : undefined);
  const last = end ?? (isEdited ? addKey("/steps") : undefined);
  order.push(start);
  addList(flow, "/steps", { up: start, after: last, owner: undefined, branch: 0 });
  if (end !== undefined || (isEdited && flow.length > 0)) {
    const up = flow.at(-1)?.key ?? start;
    if (last !== undefined) addSpot(last, { up, down: undefined, owner: undefined, branch: 0 });
  }
  spots.set(start, { up: start, down: order[1], owner: undefined, branch: 0 });
  return (from, key) => {
    if (key === "Home") return order[0];
    if (key === "End") return order.at(-1);
    const spot = spots.get(from);
    if (spot === undefined) return undefined;
    if (key === "ArrowUp") return spot.up;
    if (key === "ArrowDown") return spot.down;
    const step = steps.get(from);
    const handler = step?.branches.find(({ type }) => type === "handler");
    if (key === "ArrowRight" && handler !== undefined) return entryOf(handler);
    return beside(spot, key === "ArrowRight" ? 1 : -1);
  };

  function addSpot(key: string, spot: Spot): void {
    spots.set(key, spot);
    order.push(key);
  }

  function entryOf({ list, steps: inner }: FlowBranch): string | undefined {
    return entry(list, inner);
  }

  /** The first card of the next or previous list of the innermost step that has one. */
  function beside({ owner, branch }: Spot, by: 1 | -1): string | undefined {
    if (owner === undefined) return undefined;
    for (let at = branch + by; at >= 0 && at < owner.branches.length; at += by) {
      const next = owner.branches[at];
      const found = next === undefined ? undefined : entryOf(next);
      if (found !== undefined) return found;
    }
    if (by === -1 && owner.branches[branch]?.type === "handler") return owner.key;
    const around = spots.get(owner.key);
    return around === undefined ? undefined : beside(around, by);
  }

  function addList(
    list: readonly FlowStep[],
    place: string,
    at: {
      readonly up: string;
      readonly after: string | undefined;
      readonly owner: FlowStep | undefined;
      readonly branch: number;
    },
  ): void {
    const { owner, branch } = at;
    if (list.length === 0 && isEdited) {
      addSpot(addKey(place), { up: at.up, down: at.after, owner, branch });
    }
    for (const [index, step] of list.entries()) {
      const next = list[index + 1]?.key ?? at.after;
      const ways = step.branches.filter(({ type }) => type !== "handler");
      const inner = ways.map(entryOf).find((key) => key !== undefined);
      addSpot(step.key, { up: list[index - 1]?.key ?? at.up, down: inner ?? next, owner, branch });
      steps.set(step.key, step);
      for (const [position, { list: own, steps: innerSteps }] of step.branches.entries()) {
        addList(innerSteps, own, { up: step.key, after: next, owner: step, branch: position });
      }
    }
  }
}
