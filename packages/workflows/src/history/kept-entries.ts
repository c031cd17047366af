import { createFault, type Fault } from "@rowhouse/errors";
import {
  type Ancestor,
  ancestorsOf,
  handlesFailure,
  isHandlerBranch,
  type StepPlace,
  stepIdOf,
} from "../compile/step-places.ts";
import type { StepStatus } from "../model/run.ts";

/** An entry of a journal, without its output. */
export interface EntryOutline {
  readonly path: string;
  readonly position: number;
  readonly kind: string;
  readonly status: StepStatus;
}

type Places = ReadonlyMap<string, StepPlace>;

/**
 * Returns the entries that a run keeps which continues an earlier run from a step: those of steps that were reached
 * before it, and that have ended. Loops around it are open again, and a failure that nothing handles is repeated.
 *
 * @param from the path of the step
 * @returns undefined if the earlier run has not reached the step
 */
export function keptEntries<Entry extends EntryOutline>(
  places: Places,
  entries: readonly Entry[],
  from: string,
): readonly Entry[] | undefined {
  const around = ancestorsOf(places, from);
  const reached = entries.filter(({ path }) => path === from || path.startsWith(`${from}.`));
  if (around === undefined || reached.length === 0) return undefined;
  const position = Math.min(...reached.map((entry) => entry.position));
  const open = new Set(
    around.flatMap(({ path, step, branch }) =>
      step.kind === "forEach" && branch === "steps" ? [path] : [],
    ),
  );
  return entries.filter(
    (entry) =>
      entry.position < position &&
      (entry.status === "SUCCEEDED" || entry.status === "FAILED") &&
      !open.has(entry.path) &&
      (entry.status === "SUCCEEDED" || isHandled(places, entry.path, around)),
  );
}

/** Whether a run that continues at `from` passes the failure of a step before it. */
function isHandled(places: Places, path: string, from: readonly Ancestor[]): boolean {
  const branches = new Map(from.map((one) => [one.path, one.branch]));
  return (ancestorsOf(places, path) ?? []).some(
    (one) =>
      handlesFailure(one.step) &&
      !isHandlerBranch(one.branch) &&
      // A failure that ends the step around both never reaches `from`, unless `from` handles it.
      (!branches.has(one.path) || isHandlerBranch(branches.get(one.path) ?? null)),
  );
}

/** Returns why entries of one version do not fit another one, with a fault for each step. */
export function misfits(
  before: Places,
  now: Places,
  kept: readonly EntryOutline[],
  from: string,
): Fault[] {
  const around = ancestorsOf(now, from);
  const target = placeFault(before, now, stepIdOf(from));
  if (target !== undefined) return [fault(stepIdOf(from), target)];
  if (around === undefined) return [fault(stepIdOf(from), "is at another place")];
  const faults = new Map<string, Fault>();
  for (const entry of kept) {
    const id = stepIdOf(entry.path);
    if (faults.has(id)) continue;
    const reason =
      placeFault(before, now, id) ??
      kindFault(now, id, entry.kind) ??
      orderFault(before, now, id, stepIdOf(from)) ??
      (entry.status === "FAILED" && !isHandled(now, entry.path, around)
        ? "has failed, and the newest version does not continue after its failure"
        : undefined);
    if (reason !== undefined) faults.set(id, fault(id, reason));
  }
  return [...faults.values()];
}

function fault(id: string, reason: string): Fault {
  return createFault("CONFLICT", { path: "/from", message: `The step "${id}" ${reason}` });
}

function placeFault(before: Places, now: Places, id: string): string | undefined {
  const place = now.get(id);
  if (place === undefined) return "does not exist in the newest version";
  const isSame = chainOf(place) === chainOf(before.get(id));
  return isSame ? undefined : "is at another place in the newest version";
}

function chainOf(place: StepPlace | undefined): string | undefined {
  return place?.around.map(({ step, branch }) => `${step.kind} ${step.id} ${branch}`).join("\n");
}

function kindFault(now: Places, id: string, kind: string): string | undefined {
  const found = now.get(id)?.step.kind;
  return found === kind ? undefined : `is of the kind ${found} in the newest version, not ${kind}`;
}

function orderFault(before: Places, now: Places, id: string, from: string): string | undefined {
  const isBefore = (places: Places) =>
    (places.get(id)?.index ?? 0) < (places.get(from)?.index ?? 0);
  if (!isBefore(before) || isBefore(now)) return undefined;
  return `comes after the step "${from}" in the newest version`;
}
