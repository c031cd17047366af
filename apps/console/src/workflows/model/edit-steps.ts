import { branchesOf, idsOf, walkSteps } from "./branches.ts";
import {
  type Definition,
  idOf,
  isJsonObject,
  type KindBranches,
  type StepNode,
} from "./definition.ts";
import { isWithin, keysOf, pointerOf, splitPointer, valueAt, withValueAt } from "./pointer.ts";
import { renameReferences } from "./references.ts";

/** A place between the steps of a list. */
export interface Place {
  /** The pointer of the list; a missing list is created. */
  readonly list: string;
  /** The position that the step gets, before anything is moved away. */
  readonly index: number;
}

/** A changed definition, and where the step of the change is now. */
interface Edited {
  readonly definition: Definition;
  readonly pointer: string;
}

/** Inserts a step. A place that is no list changes nothing. */
export function insertStep(definition: Definition, place: Place, step: unknown): Edited {
  const pointer = `${place.list}/${place.index}`;
  return {
    pointer,
    definition: changeList(definition, place.list, (steps) =>
      steps.toSpliced(place.index, 0, step),
    ),
  };
}

/** Removes a step with its inner steps. */
export function removeStep(definition: Definition, pointer: string): Definition {
  const { list, index } = splitPointer(pointer);
  return changeList(definition, list, (steps) => steps.toSpliced(index, 1));
}

/** Replaces a step. */
export function replaceStep(definition: Definition, pointer: string, step: unknown): Definition {
  return asDefinition(
    withValueAt(definition, keysOf(pointer), () => step),
    definition,
  );
}

/** Moves a step with its inner steps. A place within the step itself changes nothing. */
export function moveStep(definition: Definition, from: string, to: Place): Edited {
  const unmoved = { definition, pointer: from };
  const step = valueAt(definition, keysOf(from));
  if (step === undefined || isWithin(to.list, from)) return unmoved;
  const place = afterRemoval(from, to);
  const moved = insertStep(removeStep(definition, from), place, step);
  return valueAt(moved.definition, keysOf(moved.pointer)) === step ? moved : unmoved;
}

/** Returns a place as it is once a step is removed. */
function afterRemoval(removed: string, { list, index }: Place): Place {
  const own = splitPointer(removed);
  if (list === own.list) return { list, index: index > own.index ? index - 1 : index };
  if (!isWithin(list, own.list)) return { list, index };
  const [position = "", ...rest] = keysOf(list.slice(own.list.length));
  const moved = Number(position) > own.index ? Number(position) - 1 : Number(position);
  return { list: own.list + pointerOf([String(moved), ...rest]), index };
}

/** Inserts a copy behind a step. The copy and its inner steps have ids of their own and refer to each other by them. */
export function duplicateStep(
  definition: Definition,
  pointer: string,
  kinds: readonly KindBranches[],
): Edited {
  const step = valueAt(definition, keysOf(pointer));
  const { list, index } = splitPointer(pointer);
  const copy = withNewIds(step, idsOf(definition, kinds), kinds);
  return insertStep(definition, { list, index: index + 1 }, copy);
}

/** Returns a copy of a step whose ids are not in use. */
export function withNewIds(
  step: unknown,
  taken: ReadonlySet<string>,
  kinds: readonly KindBranches[],
): unknown {
  let copy: Definition = { steps: [step] };
  const located = [...walkSteps(copy, kinds)];
  // An id of the copy itself is not free either.
  const used = new Set([...taken, ...located.map((one) => idOf(one.step))]);
  const seen = new Set<string>();
  for (const { step: inner, pointer } of located) {
    const id = idOf(inner);
    if (id === "") continue;
    if (!taken.has(id) && !seen.has(id)) {
      seen.add(id);
      continue;
    }
    const next = freeId(id, used);
    used.add(next);
    // Of two steps of the copy with one id, references mean the first.
    if (!seen.has(id)) copy = renameReferences(copy, id, next);
    seen.add(id);
    copy = asDefinition(
      withValueAt(copy, [...keysOf(pointer), "id"], () => next),
      copy,
    );
  }
  return valueAt(copy, ["steps", "0"]);
}

/** Returns an id that is not in use: the wanted one, or that with a number. */
function freeId(wanted: string, used: ReadonlySet<string>): string {
  if (!used.has(wanted)) return wanted;
  const base = wanted.replace(/_?(?<![0-9])[0-9]+$/, "").slice(0, 55) || "step";
  for (let number = 2; ; number += 1) {
    const id = `${base}_${number}`;
    if (!used.has(id)) return id;
  }
}

/** Returns a step of a kind, with an id of its own and the lists that the kind requires. */
export function newStep(
  kind: string,
  definition: Definition,
  kinds: readonly KindBranches[],
): StepNode {
  const id = freeId(firstIdOf(kind), idsOf(definition, kinds));
  return { id, kind, ...firstFields[kind] };
}

/** A short name, as an author would write one: `create_row`. */
function firstIdOf(kind: string): string {
  return kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a step of a kind has besides id and kind before its author fills it in. */
const firstFields: Readonly<Record<string, JsonFields>> = {
  // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
  condition: { expression: "", then: [], else: [] },
  switch: { value: "", cases: [{ equals: "", steps: [] }], default: [] },
  forEach: { items: "", steps: [] },
  setValues: { values: {} },
  createRow: { values: {} },
  updateRows: { values: {} },
};
type JsonFields = { readonly [name: string]: unknown };

/** Returns the pointer of the list where a step inside another one is added first; undefined if it has no list. */
export function firstListOf(
  definition: Definition,
  pointer: string,
  kinds: readonly KindBranches[],
): string | undefined {
  const step = valueAt(definition, keysOf(pointer));
  const [branch] = branchesOf(step, kinds);
  return branch === undefined ? undefined : pointer + pointerOf(branch.keys);
}

function changeList(
  definition: Definition,
  list: string,
  change: (steps: readonly unknown[]) => readonly unknown[],
): Definition {
  const changed = withValueAt(definition, keysOf(list), (steps) =>
    steps === undefined ? change([]) : Array.isArray(steps) ? change(steps) : steps,
  );
  return asDefinition(changed, definition);
}

function asDefinition(value: unknown, otherwise: Definition): Definition {
  return isJsonObject(value) ? value : otherwise;
}
