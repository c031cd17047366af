import { createFault, escapePointer, type Fault, faultsMax, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import type { z } from "zod";
import { isJsonObject } from "../base/json.ts";
import { type Definition, definitionSchema, type Step } from "../definition/definition.ts";

const depthMax = 48;
const stepsMax = 500;

/**
 * Parses a definition and adds its defaults.
 *
 * @param pointer the position of the definition in the body: `/data/definition`
 * @throws AppError BODY_INVALID with every fault at its path
 */
export function parseDefinition(input: unknown, pointer: string): Definition {
  const faults: Fault[] = [];
  findUnsafe(input, pointer, 0, faults);
  throwFaults(faults);
  const parsed = definitionSchema.safeParse(input);
  if (!parsed.success) return refuseIssues(parsed.error.issues, pointer);
  if (countSteps(parsed.data.steps) > stepsMax) {
    throwFaults([
      createFault("BODY_INVALID", {
        path: `${pointer}/steps`,
        message: `A workflow must have at most ${stepsMax} steps`,
      }),
    ]);
  }
  return parsed.data;
}

/**
 * Throws the issues of a schema as faults of a body.
 *
 * @param pointer the position of the checked part in the body
 * @throws AppError BODY_INVALID with every fault at its path
 */
export function refuseIssues(issues: readonly z.core.$ZodIssue[], pointer: string): never {
  throwFaults(
    issues
      .slice(0, faultsMax)
      .flatMap((issue) => innermost(issue))
      .map((issue) =>
        createFault("BODY_INVALID", {
          path: pointer + issue.path.map((key) => `/${escapePointer(String(key))}`).join(""),
          message: issue.message,
        }),
      ),
  );
  throw new Error("a value without faults did not parse");
}

/** Yields every step of a tree in document order, with its pointer segments. */
export function* walkSteps(
  steps: readonly Step[],
  pointer: readonly string[] = ["steps"],
): Generator<{ readonly step: Step; readonly pointer: readonly string[] }> {
  for (const [index, step] of steps.entries()) {
    const own = [...pointer, String(index)];
    yield { step, pointer: own };
    for (const branch of branchesOf(step)) {
      yield* walkSteps(branch.steps, [...own, ...branch.pointer]);
    }
  }
}

/** Yields the steps that runs can reach: all but the disabled ones and those inside of them. */
export function* walkEnabledSteps(
  steps: readonly Step[],
): Generator<{ readonly step: Step; readonly pointer: readonly string[] }> {
  let passed: readonly string[] | undefined;
  for (const located of walkSteps(steps)) {
    const { step, pointer } = located;
    if (passed?.every((key, at) => pointer[at] === key) === true) continue;
    passed = step.disabled === true ? pointer : undefined;
    if (passed === undefined) yield located;
  }
}

export interface StepBranch {
  /** From the step to the list. */
  readonly pointer: readonly string[];
  readonly steps: readonly Step[];
}

export function branchesOf(step: Step): StepBranch[] {
  const inside = innerBranchesOf(step);
  if (!("onError" in step) || typeof step.onError === "string") return inside;
  return [...inside, { pointer: ["onError", "steps"], steps: step.onError.steps }];
}

function innerBranchesOf(step: Step): StepBranch[] {
  switch (step.kind) {
    case "condition":
      return [
        { pointer: ["then"], steps: step.then },
        { pointer: ["else"], steps: step.else },
      ];
    case "switch":
      return [
        ...step.cases.map(({ steps }, index) => ({
          pointer: ["cases", String(index), "steps"],
          steps,
        })),
        { pointer: ["default"], steps: step.default },
      ];
    case "forEach":
      return [{ pointer: ["steps"], steps: step.steps }];
    default:
      return [];
  }
}

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

/** Returns the faults of a union: those inside the alternative that the author meant, if it is recognizable. */
function innermost(issue: z.core.$ZodIssue, path: readonly PropertyKey[] = []): Issue[] {
  const own = [...path, ...issue.path];
  if (issue.code === "invalid_union") {
    const meant = issue.errors.find((faults) => faults.some((fault) => fault.path.length > 0));
    if (meant !== undefined) return meant.flatMap((fault) => innermost(fault, own));
  }
  return [{ path: own, message: issue.message }];
}

function countSteps(steps: readonly Step[]): number {
  return [...walkSteps(steps)].length;
}

/**
 * Finds texts that PostgreSQL cannot store, and excessive nesting, before other code recurses into the
 * value.
 */
function findUnsafe(value: unknown, pointer: string, depth: number, faults: Fault[]): void {
  if (faults.length >= faultsMax) return;
  const fault = (message: string) =>
    faults.push(createFault("BODY_INVALID", { path: pointer, message }));
  if (depth > depthMax) {
    fault(`The value must be nested at most ${depthMax} levels deep`);
    return;
  }
  if (typeof value === "string") {
    if (!isStorableText(value)) {
      fault("The text contains a character that cannot be stored");
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      findUnsafe(item, `${pointer}/${index}`, depth + 1, faults);
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      findUnsafe(item, `${pointer}/${escapePointer(key)}`, depth + 1, faults);
    }
  }
}
