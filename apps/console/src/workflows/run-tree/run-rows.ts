import { type Branch, branchesOf, isHandler } from "../model/branches.ts";
import {
  type Definition,
  fieldOf,
  idOf,
  isJsonObject,
  kindOf,
  type StepNode,
} from "../model/definition.ts";
import { valueAt } from "../model/pointer.ts";
import type { RunStep } from "./run-queries.ts";
import type { LoopItem, StepIndex } from "./step-index.ts";

/** The rows of the input and of the result; no step has such a path. */
export const startKey = "@start";
export const endKey = "@end";

/** The steps that a branching step has chosen. */
export type Taken =
  | { readonly kind: "ifTrue" | "ifFalse" | "otherwise" | "handler" }
  | { readonly kind: "case"; readonly value: unknown };

interface RowBase {
  /** A path of a step, a path of a loop's item, or one of the two keys above. */
  readonly key: string;
  /** From 1. */
  readonly level: number;
  readonly parent: string | undefined;
  /** Undefined for a row without inner rows. */
  readonly isOpen: boolean | undefined;
}

/** A line of the tree of a run. */
export type RunRow =
  | (RowBase & { readonly type: "start" })
  | (RowBase & { readonly type: "end" })
  | (RowBase & {
      readonly type: "step";
      readonly step: StepNode;
      /** Undefined while the run has not reached it. */
      readonly record: RunStep | undefined;
      readonly taken: readonly Taken[];
      /** Of a loop. */
      readonly items: readonly LoopItem[];
    })
  | (RowBase & { readonly type: "item"; readonly item: LoopItem });

/**
 * Returns the rows of a run: its input, the steps of its definition as far as a branch was taken, and its result.
 *
 * @param isOpen whether the inner rows of a row are shown
 */
export function runRows(
  definition: Definition,
  index: StepIndex,
  isOpen: (key: string, type: "branches" | "loop" | "item") => boolean,
): RunRow[] {
  const rows: RunRow[] = [];
  const edge = { level: 1, parent: undefined, isOpen: undefined };
  rows.push({ type: "start", key: startKey, ...edge });
  addSteps(stepsOf(fieldOf(definition, "steps")), "", 1, undefined);
  rows.push({ type: "end", key: endKey, ...edge });
  return rows;

  function addSteps(
    steps: readonly StepNode[],
    prefix: string,
    level: number,
    parent: string | undefined,
  ): void {
    for (const step of steps) {
      const facts = factsOf(step, prefix, index);
      const { key, items } = facts;
      const branches = takenBranches(step, prefix, index);
      const hasInner = items.length + branches.length > 0;
      const type = items.length > 0 ? "loop" : "branches";
      const isShown = hasInner ? isOpen(key, type) : undefined;
      rows.push({ ...facts, level, parent, isOpen: isShown });
      if (isShown !== true) continue;
      addItems(step, key, items, level + 1);
      for (const branch of branches) {
        addSteps(stepsOf(branch.steps), prefix, level + 1, key);
      }
    }
  }

  function addItems(loop: StepNode, path: string, items: readonly LoopItem[], level: number): void {
    const inner = stepsOf(fieldOf(loop, "steps"));
    for (const item of items) {
      const key = `${path}.${item.index}`;
      const isShown = isOpen(key, "item");
      rows.push({ type: "item", key, level, parent: path, isOpen: isShown, item });
      if (isShown) addSteps(inner, `${key}.`, level + 1, key);
    }
  }
}

/** Returns what a run has done with a step, whose path begins with a prefix. */
export function factsOf(
  step: StepNode,
  prefix: string,
  index: StepIndex,
): Omit<Extract<RunRow, { type: "step" }>, "level" | "parent" | "isOpen"> {
  const key = prefix + idOf(step);
  const taken = takenBranches(step, prefix, index).map((branch) => takenOf(step, branch));
  const items = kindOf(step) === "forEach" ? (index.items.get(key) ?? []) : [];
  return { type: "step", key, step, record: index.byPath.get(key), taken, items };
}

/** The keys of the rows around a step: the loops and items of its path. */
export function loopsAround(path: string): string[] {
  const parts = path.split(".");
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join("."));
}

function stepsOf(list: unknown): readonly StepNode[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** The lists of inner steps that the run has entered; those of a loop are its items. */
export function takenBranches(step: StepNode, prefix: string, index: StepIndex): readonly Branch[] {
  return branchesOf(step, []).filter(
    ({ keys, steps }) =>
      !(kindOf(step) === "forEach" && keys[0] === "steps") && isReached(steps, prefix, index),
  );
}

function isReached(steps: readonly unknown[], prefix: string, index: StepIndex): boolean {
  return stepsOf(steps).some(
    (step) =>
      index.byPath.has(prefix + idOf(step)) || takenBranches(step, prefix, index).length > 0,
  );
}

function takenOf(step: StepNode, { keys }: Branch): Taken {
  const [first, position] = keys;
  if (isHandler(keys)) return { kind: "handler" };
  if (first === "cases" && position !== undefined) {
    return { kind: "case", value: valueAt(step, ["cases", position, "equals"]) };
  }
  if (first === "then") return { kind: "ifTrue" };
  return { kind: first === "else" ? "ifFalse" : "otherwise" };
}
