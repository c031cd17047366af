import type { ComputeBudget } from "../base/compute-budget.ts";
import type { BranchContext, ExpressionContext } from "../base/expression-context.ts";
import { RunFault } from "../base/run-fault.ts";
import type { CompiledForEach } from "../definition/compiled.ts";
import { renderTree } from "../template/render-template.ts";
import type { RunJournal } from "./run-journal.ts";
import type { Branch, Part } from "./wait.ts";

const itemsMax = 10_000;

/**
 * Runs a loop's steps for each item, at most `concurrency` items at once.
 *
 * @param branch runs the steps of one item; their paths begin with the prefix
 * @returns the output of each item's last step, or the end of the run if an item finished it
 */
export function* runForEach(
  journal: RunJournal,
  step: CompiledForEach,
  path: string,
  context: ExpressionContext,
  branch: (context: BranchContext, prefix: string) => Branch,
): Part<{ readonly kind: "DONE"; readonly output: unknown }> {
  const { budget } = journal;
  journal.reach(path, () => ({ items: renderTree(step.items, context, { budget }) }));
  const steps = (index: number, item: unknown) =>
    branch(contextOf(context, item, index), `${path}.${index}.`);
  if (journal.isObserved) visitItems(step, context, budget, journal.recordedItems(path), steps);
  const ended = journal.replay(path);
  if (ended !== undefined) return { kind: "DONE", output: ended.output };
  // A reader stops at an open loop: no step after it has been reached, and a reader gets no answers.
  if (journal.isObserved) yield { kind: "SLEEP", path, dueInMs: 0 };
  const subject = journal.begin(path, "forEach");
  let items: readonly unknown[];
  try {
    items = listOf(renderTree(step.items, context, { budget }));
  } catch (error) {
    throw journal.fail(subject, error);
  }
  const joined = yield {
    kind: "FORK",
    count: items.length,
    concurrency: journal.isTrial ? 1 : step.concurrency,
    branch: (index) => steps(index, items[index]),
  };
  if (joined.kind === "STOPPED") {
    if (joined.end.kind === "FINISHED") return joined.end;
    if (joined.end.kind === "FAILED") throw journal.failWith(subject, joined.end.error);
  }
  if (joined.kind !== "JOINED") throw new Error("a fork was not joined");
  const output = [...joined.outputs];
  journal.succeed(subject, output);
  return { kind: "DONE", output };
}

/**
 * Visits the steps of the recorded items, also of a loop that has ended. A branch stops where the journal ends. Loops in
 * a loop can have millions of items, and a run that has ended early has recorded few of them.
 */
function visitItems(
  step: CompiledForEach,
  context: ExpressionContext,
  budget: ComputeBudget,
  recorded: ReadonlySet<number>,
  branch: (index: number, item: unknown) => Branch,
): void {
  let items: readonly unknown[];
  try {
    items = listOf(renderTree(step.items, context, { budget }));
  } catch {
    return;
  }
  for (const index of recorded) {
    if (index < items.length) branch(index, items[index]).next();
  }
}

/**
 * Creates the context of one item. Its variables and outputs stay its own, so results do not depend on the order of
 * items.
 */
function contextOf(
  { start, steps, vars, errors }: ExpressionContext,
  item: unknown,
  index: number,
): BranchContext {
  return { start, steps: { ...steps }, vars: { ...vars }, errors: { ...errors }, item, index };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RunFault("TEMPLATE_ERROR", "items must be a list");
  if (value.length > itemsMax) {
    throw new RunFault("TOO_MANY_ITEMS", `items must have at most ${itemsMax} entries`);
  }
  return value;
}
