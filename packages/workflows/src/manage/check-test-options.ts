import { createFault, escapePointer, throwFaults } from "@rowhouse/errors";
import type { Definition } from "../definition/definition.ts";
import { walkSteps } from "../definition/parse-definition.ts";
import type { TestOptions } from "../model/test-options.ts";

/** Steps without effects outside the run: their outputs follow from the definition, and cannot be mocked. */
const computed: ReadonlySet<string> = new Set([
  ...["setValues", "condition", "switch", "forEach", "delay", "fail", "finish"],
]);

/**
 * Checks that a definition has the steps that the options of a test name.
 *
 * @throws AppError BODY_INVALID with a fault for each mock and for `until`
 */
export function checkTestOptions(
  { steps }: Definition,
  { mocks, until }: Pick<TestOptions, "mocks" | "until">,
): void {
  const kinds = new Map(Array.from(walkSteps(steps), ({ step }) => [step.id, step.kind]));
  const faults = Object.keys(mocks).flatMap((id) => {
    const kind = kinds.get(id);
    const path = `/mocks/${escapePointer(id)}`;
    if (kind === undefined) return [fault(path, "The draft has no step with this id")];
    if (!computed.has(kind)) return [];
    return [fault(path, `A mock needs a step with effects; a step of kind ${kind} only computes`)];
  });
  if (until !== null && !kinds.has(until)) {
    faults.push(fault("/until", "The draft has no step with this id"));
  }
  throwFaults(faults);
}

function fault(path: string, message: string) {
  return createFault("BODY_INVALID", { path, message });
}
