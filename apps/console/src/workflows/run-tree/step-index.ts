import type { RunStep } from "./run-queries.ts";

/** An item of a loop, as far as the run has reached it. */
export interface LoopItem {
  /** From 0. */
  readonly index: number;
  readonly status: "FAILED" | "OPEN" | "SUCCEEDED";
  readonly from: string;
  /** Null while a step of it is open. */
  readonly to: string | null;
}

/** The steps of a run by their place. */
export interface StepIndex {
  readonly byPath: ReadonlyMap<string, RunStep>;
  /** The items of each loop by its path: failed ones first, then open ones, then the others in order. */
  readonly items: ReadonlyMap<string, readonly LoopItem[]>;
}

interface Gathered {
  index: number;
  isFailed: boolean;
  isOpen: boolean;
  from: string;
  to: string;
}

/** Sorts the steps of a run by their place. */
export function indexSteps(steps: Iterable<RunStep>): StepIndex {
  const byPath = new Map<string, RunStep>();
  const loops = new Map<string, Map<number, Gathered>>();
  for (const step of steps) {
    byPath.set(step.path, step);
    // A path alternates between steps and positions: loop.3.inner.0.call
    for (let dot = step.path.indexOf("."); dot >= 0; ) {
      const end = step.path.indexOf(".", dot + 1);
      if (end < 0) break;
      gather(loops, step.path.slice(0, dot), Number(step.path.slice(dot + 1, end)), step);
      dot = step.path.indexOf(".", end + 1);
    }
  }
  const items = new Map<string, readonly LoopItem[]>();
  for (const [path, byIndex] of loops) {
    items.set(path, [...byIndex.values()].map(itemOf).sort(inOrder));
  }
  return { byPath, items };
}

function gather(
  loops: Map<string, Map<number, Gathered>>,
  loop: string,
  index: number,
  step: RunStep,
): void {
  let items = loops.get(loop);
  if (items === undefined) {
    items = new Map();
    loops.set(loop, items);
  }
  const { startedAt, finishedAt, status } = step;
  const isFailed = status === "FAILED";
  const isOpen = finishedAt === null;
  const last = items.get(index);
  if (last === undefined) {
    items.set(index, { index, isFailed, isOpen, from: startedAt, to: finishedAt ?? startedAt });
    return;
  }
  last.isFailed ||= isFailed;
  last.isOpen ||= isOpen;
  // Moments of one form, so their texts have the order of time.
  if (startedAt < last.from) last.from = startedAt;
  if (finishedAt !== null && finishedAt > last.to) last.to = finishedAt;
}

function itemOf({ index, isFailed, isOpen, from, to }: Gathered): LoopItem {
  const status = isFailed ? "FAILED" : isOpen ? "OPEN" : "SUCCEEDED";
  return { index, status, from, to: isOpen ? null : to };
}

const ranks = { FAILED: 0, OPEN: 1, SUCCEEDED: 2 } as const;

function inOrder(one: LoopItem, other: LoopItem): number {
  return ranks[one.status] - ranks[other.status] || one.index - other.index;
}

/** The step that ended a failed run; undefined if none did. */
export function failedStep(
  steps: readonly RunStep[],
  error: { readonly step: string | null } | null,
): RunStep | undefined {
  let found: RunStep | undefined;
  for (const step of steps) {
    if (step.status !== "FAILED" || step.path.split(".").at(-1) !== error?.step) continue;
    if (found === undefined || step.position >= found.position) found = step;
  }
  return found;
}
