import { isJsonObject } from "../model/definition.ts";
import type { FlowStep } from "../model/flow.ts";
import { pointerOf } from "../model/pointer.ts";
import type { RunStep } from "./run-queries.ts";
import { factsOf, type RunRow, takenBranches } from "./run-rows.ts";
import type { StepIndex } from "./step-index.ts";

type StepRow = Extract<RunRow, { type: "step" }>;

/** What a run has done with the steps of a graph, which shows one item of each loop. */
export interface RunFlow {
  /** By the key of the step in the graph. */
  readonly rows: ReadonlyMap<string, StepRow>;
  /** The keys of the steps that the run has passed by or not reached. */
  readonly unreached: ReadonlySet<string>;
  /** The pointers of the lists that the run has not entered. */
  readonly untaken: ReadonlySet<string>;
  /** The position of the item that is shown, by the path of its loop. */
  readonly items: ReadonlyMap<string, number>;
}

interface Around {
  readonly prefix: string;
  /** Whether the steps are in a list that the run has passed by. */
  readonly isPassed: boolean;
}

/**
 * Follows a run through the steps of its definition.
 *
 * @param wanted the item to show of a loop, by its path; by default the first one that has failed, else the first
 * @param isOver whether the run has ended, so that what it has not reached stays so
 */
export function followRun(
  flow: readonly FlowStep[],
  index: StepIndex,
  wanted: (loop: string) => number | undefined,
  isOver: boolean,
): RunFlow {
  const rows = new Map<string, StepRow>();
  const [unreached, untaken] = [new Set<string>(), new Set<string>()];
  const items = new Map<string, number>();
  followList(flow, { prefix: "", isPassed: false });
  return { rows, unreached, untaken, items };

  function followList(steps: readonly FlowStep[], around: Around): void {
    for (const step of steps) followStep(step, around);
  }

  function followStep({ key, step, branches, pointer }: FlowStep, { prefix, isPassed }: Around) {
    if (!isJsonObject(step)) return;
    const facts = factsOf(step, prefix, index);
    rows.set(key, { ...facts, level: 1, parent: undefined, isOpen: undefined });
    const { record } = facts;
    const isMissing = isPassed || (record === undefined && isOver);
    if (isMissing) unreached.add(key);
    const entered = new Set(
      takenBranches(step, prefix, index).map(({ keys }) => pointer + pointerOf(keys)),
    );
    const isEnded = record !== undefined && record.finishedAt !== null;
    const hasWay = branches.some(({ list, type }) => type === "way" && entered.has(list));
    for (const { type, list, steps } of branches) {
      const [first] = facts.items;
      const item = wanted(facts.key) ?? first?.index;
      const isTaken = {
        loop: item !== undefined,
        handler: steps.length > 0 ? entered.has(list) : record?.status === "FAILED",
        // A run that enters none of the other lists has passed through the empty one.
        way: steps.length > 0 ? entered.has(list) : isEnded && !hasWay,
      }[type];
      const isLeft = isMissing || (!isTaken && (isEnded || isOver));
      if (isLeft) untaken.add(list);
      const inner = type === "loop" ? `${facts.key}.${item ?? 0}.` : prefix;
      if (type === "loop" && item !== undefined) items.set(facts.key, item);
      followList(steps, { prefix: inner, isPassed: isLeft });
    }
  }
}

/** Returns how many rows the steps of a run have read, changed or deleted, by path; steps of other kinds have none. */
export function rowsOf(steps: readonly RunStep[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path, kind, output } of steps) {
    if (kind === "deleteRows" && typeof output === "number") counts.set(path, output);
    if (rowKinds.has(kind) && Array.isArray(output)) counts.set(path, output.length);
  }
  return counts;
}

const rowKinds: ReadonlySet<string> = new Set(["listRows", "updateRows"]);
