import { branchesOf, isHandler, type LocatedStep, walkSteps } from "./branches.ts";
import { type Definition, fieldOf, type KindBranches, kindOf } from "./definition.ts";
import { pointerOf, splitPointer, valueAt } from "./pointer.ts";

interface RowBase {
  /** Unique among the rows; that of a step is its key. */
  readonly key: string;
  /** The trigger and the first steps have level 1. */
  readonly level: number;
  /** Position among the rows of the same parent from 1, and their number. */
  readonly position: number;
  readonly siblings: number;
  /** The key of the row around it. */
  readonly parent: string | undefined;
  /** Undefined for a row without inner rows. */
  readonly isOpen: boolean | undefined;
}

/** A line of the tree of a definition. */
export type OutlineRow =
  | (RowBase & { readonly type: "trigger"; readonly kind: string })
  | (RowBase & {
      readonly type: "step";
      readonly pointer: string;
      readonly step: unknown;
      /** Number of inner steps at any depth, for a closed row. */
      readonly inside: number;
    })
  /** A list of inner steps. */
  | (RowBase & {
      readonly type: "branch";
      /** The pointer of the list. */
      readonly list: string;
      /** From the step to the list. */
      readonly keys: readonly string[];
      readonly title: string;
      readonly isHandler: boolean;
      /** The value of a case; undefined for other lists. */
      readonly equals: { readonly value: unknown } | undefined;
      readonly isEmpty: boolean;
    })
  /** The place of a new step at the end of the definition, and in an empty list. */
  | (RowBase & { readonly type: "add"; readonly list: string; readonly index: number });

export const triggerKey = "#trigger";

/**
 * Returns the rows of a definition in document order.
 *
 * @param closed keys of the rows whose inner rows are hidden
 */
export function outlineOf(
  definition: Definition,
  kinds: readonly KindBranches[],
  closed: ReadonlySet<string>,
): OutlineRow[] {
  const located = new Map<string, LocatedStep>();
  const ends = new Map<string, number>();
  for (const one of walkSteps(definition, kinds)) located.set(one.pointer, one);
  const rows: OutlineRow[] = [];
  const steps = fieldOf(definition, "steps");
  const list = Array.isArray(steps) ? steps : [];
  const top = { level: 1, siblings: list.length + 2, parent: undefined };
  rows.push({
    ...{ type: "trigger", key: triggerKey, ...top, position: 1, isOpen: undefined },
    kind: kindOf(fieldOf(definition, "trigger")),
  });
  addSteps(list, "/steps", { level: 1, parent: undefined, before: 1, after: 1 });
  rows.push({
    ...{ type: "add", key: addKey("/steps"), ...top, position: list.length + 2, isOpen: undefined },
    ...{ list: "/steps", index: list.length },
  });
  return rows;

  function addSteps(
    steps: readonly unknown[],
    list: string,
    around: {
      readonly level: number;
      readonly parent: string | undefined;
      readonly before: number;
      readonly after: number;
    },
  ): void {
    const siblings = steps.length + around.before + around.after;
    for (const [index, step] of steps.entries()) {
      const pointer = `${list}/${index}`;
      const key = located.get(pointer)?.key ?? pointer;
      const branches = branchesOf(step, kinds);
      const isOpen = branches.length === 0 ? undefined : !closed.has(key);
      const { level, parent } = around;
      const position = index + 1 + around.before;
      const inside = isOpen === false ? countInside(pointer) : 0;
      rows.push({
        ...{ type: "step", key, level, position, siblings, parent, isOpen },
        ...{ pointer, step, inside },
      });
      if (isOpen !== true) continue;
      for (const [at, branch] of branches.entries()) {
        const inner = pointer + pointerOf(branch.keys);
        const branchKey = branchKeyOf(key, branch.keys);
        const isBranchOpen = !closed.has(branchKey);
        const isEmpty = branch.steps.length === 0;
        rows.push({
          ...{ type: "branch", key: branchKey, level: level + 1, position: at + 1 },
          ...{ siblings: branches.length, parent: key, isOpen: isBranchOpen, list: inner },
          ...{ keys: branch.keys, title: branch.title, isHandler: isHandler(branch.keys), isEmpty },
          equals: caseOf(step, branch.keys),
        });
        if (!isBranchOpen) continue;
        if (isEmpty) {
          rows.push({
            ...{ type: "add", key: addKey(inner), level: level + 2, position: 1, siblings: 1 },
            ...{ parent: branchKey, isOpen: undefined, list: inner, index: 0 },
          });
        } else {
          const inBranch = { level: level + 2, parent: branchKey, before: 0, after: 0 };
          addSteps(branch.steps, inner, inBranch);
        }
      }
    }
  }

  function countInside(pointer: string): number {
    const known = ends.get(pointer);
    if (known !== undefined) return known;
    let count = 0;
    for (const other of located.keys()) if (other.startsWith(`${pointer}/`)) count += 1;
    ends.set(pointer, count);
    return count;
  }
}

/** The key of the row of a list. It stays when the step around it moves. */
function branchKeyOf(step: string, keys: readonly string[]): string {
  return `#in ${step}${pointerOf(keys)}`;
}

/** The key of the row at which a step is added to a list. */
export function addKey(list: string): string {
  return `#add ${list}`;
}

/** Returns the keys of the rows around a step, from the outermost one. */
export function rowsAround(
  definition: Definition,
  kinds: readonly KindBranches[],
  pointer: string,
): string[] {
  const around: string[] = [];
  for (const { pointer: outer, key } of walkSteps(definition, kinds)) {
    if (!pointer.startsWith(`${outer}/`)) continue;
    around.push(key);
    for (const branch of branchesOf(valueAt(definition, outer.split("/").slice(1)), kinds)) {
      const list = outer + pointerOf(branch.keys);
      if (pointer.startsWith(`${list}/`)) around.push(branchKeyOf(key, branch.keys));
    }
  }
  return around;
}

export function caseOf(
  step: unknown,
  keys: readonly string[],
): { readonly value: unknown } | undefined {
  const [name, position, last] = keys;
  if (name !== "cases" || position === undefined || last !== "steps") return undefined;
  return { value: valueAt(step, [name, position, "equals"]) };
}

/** The place behind a step. */
export function placeAfter(pointer: string): { readonly list: string; readonly index: number } {
  const { list, index } = splitPointer(pointer);
  return { list, index: index + 1 };
}
