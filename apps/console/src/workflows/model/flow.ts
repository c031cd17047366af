import { type Branch, branchesOf, isHandler, stepKey } from "./branches.ts";
import { type Definition, fieldOf, isDisabled, type KindBranches, kindOf } from "./definition.ts";
import { caseOf } from "./outline.ts";
import { pointerOf } from "./pointer.ts";

/** A step with the lists of its inner steps, as a graph draws it. */
export interface FlowStep {
  /** Names the step in an address. */
  readonly key: string;
  readonly pointer: string;
  readonly step: unknown;
  readonly branches: readonly FlowBranch[];
  /** Whether no run continues behind it. */
  readonly isEnd: boolean;
}

/** A list of inner steps: one of several ways, the body of a loop, or the steps that run after a failure. */
export interface FlowBranch extends Omit<Branch, "steps"> {
  readonly type: "way" | "loop" | "handler";
  /** The pointer of the list. */
  readonly list: string;
  /** The value of a case; undefined for other lists. */
  readonly equals: { readonly value: unknown } | undefined;
  readonly steps: readonly FlowStep[];
}

/** Returns the steps of a definition with their inner steps. */
export function flowOf(definition: Definition, kinds: readonly KindBranches[]): FlowStep[] {
  const counts = new Map<string, number>();
  const steps = fieldOf(definition, "steps");
  return Array.isArray(steps) ? flowOfList(steps, "/steps") : [];

  function flowOfList(list: readonly unknown[], place: string): FlowStep[] {
    return list.map((step, index) => {
      const pointer = `${place}/${index}`;
      const key = stepKey(step, pointer, counts);
      const branches = branchesOf(step, kinds).map((branch): FlowBranch => {
        const own = pointer + pointerOf(branch.keys);
        const type = isHandler(branch.keys) ? "handler" : loops(step, branch) ? "loop" : "way";
        const { keys, title } = branch;
        const equals = caseOf(step, keys);
        return { type, list: own, keys, title, equals, steps: flowOfList(branch.steps, own) };
      });
      return { key, pointer, step, branches, isEnd: isEndOf(step, branches) };
    });
  }
}

/** Whether no run continues behind a list of steps. */
export function endsRun(steps: readonly FlowStep[]): boolean {
  return steps.some(({ isEnd }) => isEnd);
}

/** Yields steps and their inner steps in document order. */
export function* walkFlow(steps: readonly FlowStep[]): Generator<FlowStep> {
  for (const step of steps) {
    yield step;
    for (const branch of step.branches) yield* walkFlow(branch.steps);
  }
}

const endKinds: ReadonlySet<string> = new Set(["finish", "fail"]);

function isEndOf(step: unknown, branches: readonly FlowBranch[]): boolean {
  if (isDisabled(step)) return false;
  if (endKinds.has(kindOf(step))) return true;
  const ways = branches.filter(({ type }) => type === "way");
  return ways.length > 0 && branches.every(({ type, steps }) => type !== "loop" && endsRun(steps));
}

function loops(step: unknown, { keys }: Branch): boolean {
  return kindOf(step) === "forEach" && keys[0] === "steps";
}
