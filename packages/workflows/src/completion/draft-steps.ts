import { isJsonObject, type JsonObject } from "../base/json.ts";
import { describeStepKinds, type KindBranch } from "../definition/step-kinds.ts";

/** A step of a definition that may have faults. */
export interface DraftStep {
  readonly id: string;
  readonly kind: string;
  readonly fields: JsonObject;
  /** The loops around it, from the outermost. */
  readonly loops: readonly DraftStep[];
  readonly branches: readonly DraftBranch[];
}

export interface DraftBranch {
  /** Whether its steps run after the step has failed. */
  readonly isHandler: boolean;
  readonly steps: readonly DraftStep[];
}

const depthMax = 48;
/** A definition with more steps has a fault; the rest of it is not read. */
const stepsMax = 500;
const branchesByKind: ReadonlyMap<string, readonly KindBranch[]> = new Map(
  describeStepKinds().steps.map(({ kind, branches }) => [kind, branches]),
);

/** Reads the steps of a definition as far as they have an id and a kind. Other parts are left out. */
export function readDraftSteps(definition: unknown): DraftStep[] {
  return isJsonObject(definition) ? new DraftReader().read(definition.steps, [], 0) : [];
}

class DraftReader {
  #left = stepsMax;

  read(list: unknown, loops: readonly DraftStep[], depth: number): DraftStep[] {
    if (!Array.isArray(list) || depth > depthMax) return [];
    const steps: DraftStep[] = [];
    for (const fields of list) {
      if (!isJsonObject(fields)) continue;
      const { id, kind } = fields;
      if (typeof id !== "string" || typeof kind !== "string") continue;
      if (this.#left <= 0) break;
      this.#left -= 1;
      const branches: DraftBranch[] = [];
      const step: DraftStep = { id, kind, fields, loops, branches };
      for (const { path } of branchesByKind.get(kind) ?? []) {
        const isHandler = path[0] === "onError";
        const around = kind === "forEach" && !isHandler ? [...loops, step] : loops;
        for (const inner of listsAt(fields, path)) {
          branches.push({ isHandler, steps: this.read(inner, around, depth + 1) });
        }
      }
      steps.push(step);
    }
    return steps;
  }
}

/** Returns the values at a path, in which `*` stands for every item. */
function listsAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [value];
  if (key === "*") return Array.isArray(value) ? value.flatMap((item) => listsAt(item, rest)) : [];
  return isJsonObject(value) && Object.hasOwn(value, key) ? listsAt(value[key], rest) : [];
}
