import { type FlowStep, walkFlow } from "./flow.ts";

/**
 * Returns the steps of a definition together with those that an earlier one had besides, each behind the step that it
 * followed then. Steps are the same if they have the same id.
 */
export function mergeFlows(before: readonly FlowStep[], after: readonly FlowStep[]): FlowStep[] {
  const old = new Map([...walkFlow(before)].map((step) => [step.key, step] as const));
  const kept = new Set([...walkFlow(after)].map(({ key }) => key));
  return mergeList(before, after);

  function mergeList(from: readonly FlowStep[], to: readonly FlowStep[]): FlowStep[] {
    const here = new Set(to.map(({ key }) => key));
    const goneBehind = new Map<string, FlowStep[]>();
    let anchor = "";
    for (const step of from) {
      if (here.has(step.key)) anchor = step.key;
      if (kept.has(step.key)) continue;
      goneBehind.set(anchor, [...(goneBehind.get(anchor) ?? []), goneStep(step)]);
    }
    return [
      ...(goneBehind.get("") ?? []),
      ...to.flatMap((step) => [mergeStep(step), ...(goneBehind.get(step.key) ?? [])]),
    ];
  }

  function mergeStep(step: FlowStep): FlowStep {
    const former = old.get(step.key)?.branches ?? [];
    const nameOf = (keys: readonly string[]) => keys.join("/");
    const known = new Map(former.map((branch) => [nameOf(branch.keys), branch]));
    const branches = step.branches.map((branch) => {
      const steps = mergeList(known.get(nameOf(branch.keys))?.steps ?? [], branch.steps);
      known.delete(nameOf(branch.keys));
      return { ...branch, steps };
    });
    const gone = [...known.values()].map((branch) => goneBranch(branch));
    return { ...step, branches: [...branches, ...gone.filter(({ steps }) => steps.length > 0)] };
  }

  /** A step that is gone, with those of its inner steps that are gone too. */
  function goneStep(step: FlowStep): FlowStep {
    return { ...step, branches: step.branches.map(goneBranch), isEnd: false };
  }

  function goneBranch(branch: FlowStep["branches"][number]): FlowStep["branches"][number] {
    const steps = branch.steps.filter(({ key }) => !kept.has(key)).map(goneStep);
    // A list of the other definition can have the same pointer.
    return { ...branch, list: `gone ${branch.list}`, steps };
  }
}
