import { branchesOf, hasHandler, idsOf, stepAt, walkSteps } from "../model/branches.ts";
import { readCode, writeCode } from "../model/code-text.ts";
import { type Definition, fieldOf, isJsonObject, type KindBranches } from "../model/definition.ts";
import {
  duplicateStep,
  insertStep,
  moveStep,
  newStep,
  type Place,
  removeStep,
  replaceStep,
  withNewIds,
} from "../model/edit-steps.ts";
import { type Direction, placeOfMove } from "../model/keyboard-moves.ts";
import { type OutlineRow, placeAfter } from "../model/outline.ts";
import { keysOf, pointerOf } from "../model/pointer.ts";

/** A changed definition, and the step to choose then; null for none. */
export interface Deed {
  readonly definition: Definition;
  readonly pointer: string | null;
}

/** The changes of a definition that the tree makes. Each returns undefined where it changes nothing. */
export interface StepDeeds {
  add(kind: string, place: Place): Deed;
  duplicate(pointer: string): Deed;
  remove(pointer: string): Deed;
  move(pointer: string, direction: Direction): Deed | undefined;
  moveTo(pointer: string, place: Place): Deed | undefined;
  toggleDisabled(pointer: string): Deed;
  addHandler(pointer: string): Deed | undefined;
  removeHandler(list: string): Deed;
  paste(text: string, place: Place): Deed | undefined;
}

/** Returns the changes of a definition. */
export function stepDeeds(definition: Definition, kinds: readonly KindBranches[]): StepDeeds {
  const moved = (pointer: string, place: Place): Deed | undefined => {
    const edited = moveStep(definition, pointer, place);
    return edited.definition === definition ? undefined : edited;
  };
  return {
    add: (kind, place) => insertStep(definition, place, newStep(kind, definition, kinds)),
    duplicate: (pointer) => duplicateStep(definition, pointer, kinds),
    remove: (pointer) => ({
      definition: removeStep(definition, pointer),
      pointer: neighborOf(definition, kinds, pointer),
    }),
    move: (pointer, direction) => {
      const place = placeOfMove(definition, kinds, pointer, direction);
      return place === undefined ? undefined : moved(pointer, place);
    },
    moveTo: moved,
    toggleDisabled: (pointer) => {
      const { disabled, ...step } = stepAt(definition, keysOf(pointer)) ?? {};
      const next = disabled === true ? step : { ...step, disabled: true };
      return { definition: replaceStep(definition, pointer, next), pointer };
    },
    addHandler: (pointer) => {
      const step = stepAt(definition, keysOf(pointer));
      if (step === undefined || hasHandler(step)) return undefined;
      const next = { ...step, onError: { steps: [] } };
      return { definition: replaceStep(definition, pointer, next), pointer };
    },
    removeHandler: (list) => {
      const pointer = pointerOf(keysOf(list).slice(0, -2));
      const { onError: _, ...step } = stepAt(definition, keysOf(pointer)) ?? {};
      return { definition: replaceStep(definition, pointer, step), pointer };
    },
    paste: (text, place) => {
      const steps = pastedSteps(text);
      let at: Deed | undefined;
      for (const [index, step] of steps.entries()) {
        const present = at?.definition ?? definition;
        const copy = withNewIds(step, idsOf(present, kinds), kinds);
        const edited = insertStep(present, { ...place, index: place.index + index }, copy);
        at = { definition: edited.definition, pointer: at?.pointer ?? edited.pointer };
      }
      return at;
    },
  };
}

/** The text of a step on the clipboard: its JSON. */
export function copiedText(definition: Definition, pointer: string): string {
  return writeCode(stepAt(definition, keysOf(pointer)) ?? null);
}

/** Reads steps from a text: one, a list, or those of a definition. A text without steps has none. */
function pastedSteps(text: string): readonly unknown[] {
  const value = readCode(`{"pasted": ${text}}`)?.pasted;
  const inner = fieldOf(value, "steps");
  const isStep = isJsonObject(value) && typeof value.kind === "string";
  const found = isStep ? [value] : Array.isArray(value) ? value : inner;
  if (!Array.isArray(found)) return [];
  const areSteps = found.every((step) => isJsonObject(step) && typeof step.kind === "string");
  return areSteps ? found : [];
}

/** The place at which a step is added from a row: inside an empty or open list, else behind the row. */
export function placeOfRow(row: OutlineRow): Place {
  switch (row.type) {
    case "trigger":
      return { list: "/steps", index: 0 };
    case "branch":
      return { list: row.list, index: 0 };
    case "add":
      return { list: row.list, index: row.index };
    case "step":
      return placeAfter(row.pointer);
  }
}

/** The step that is chosen once another one is removed: the one behind it, before it or around it. */
function neighborOf(
  definition: Definition,
  kinds: readonly KindBranches[],
  pointer: string,
): string | null {
  const after = removeStep(definition, pointer);
  const pointers = new Set([...walkSteps(after, kinds)].map((one) => one.pointer));
  if (pointers.has(pointer)) return pointer;
  const before = [...walkSteps(definition, kinds)]
    .map((one) => one.pointer)
    .filter((one) => pointers.has(one));
  const keys = keysOf(pointer);
  const previous = pointerOf([...keys.slice(0, -1), String(Number(keys.at(-1)) - 1)]);
  if (pointers.has(previous)) return previous;
  return before.findLast((one) => pointer.startsWith(`${one}/`)) ?? null;
}

/** The lists of a step in which a step can be added. */
export function listsOf(
  definition: Definition,
  kinds: readonly KindBranches[],
  pointer: string,
): readonly {
  readonly list: string;
  readonly keys: readonly string[];
  readonly title: string;
  readonly length: number;
}[] {
  return branchesOf(stepAt(definition, keysOf(pointer)), kinds).map(({ keys, title, steps }) => ({
    ...{ list: pointer + pointerOf(keys), keys, title, length: steps.length },
  }));
}

/** Whether the kind of a step can have steps that run after its failure, and the step has none yet. */
export function mayAddHandler(
  definition: Definition,
  kinds: readonly KindBranches[],
  pointer: string,
): boolean {
  const step = stepAt(definition, keysOf(pointer));
  const kind = kinds.find((one) => one.kind === fieldOf(step, "kind"));
  const may = kind?.branches.some(({ path }) => path[0] === "onError") ?? false;
  return may && !hasHandler(step);
}
