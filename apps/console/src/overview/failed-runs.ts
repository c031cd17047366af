/** A run, as far as its failure concerns. */
interface EndedRun {
  readonly id: string;
  readonly workflowId: string;
  readonly workflowSlug: string;
  readonly status: string;
  readonly acceptedAt: string;
  readonly error: { readonly message: string; readonly step: string | null } | null;
}

/** Runs of a workflow that failed at the same step with the same message. */
export interface FailedRuns {
  readonly key: string;
  readonly workflow: string;
  readonly step: string | null;
  /** Cut if it is long. */
  readonly message: string;
  readonly count: number;
  /** Of the last of them. */
  readonly at: string;
  /** The page of the run, or of the failed runs of the workflow. */
  readonly href: string;
}

const messageMax = 140;

/**
 * Groups the failed runs by workflow, step and message, with the last failure first.
 *
 * @param runs the newest first
 * @param names of the workflows by their ids
 */
export function groupFailedRuns(
  runs: readonly EndedRun[],
  names: ReadonlyMap<string, string>,
): readonly FailedRuns[] {
  const groups = new Map<string, FailedRuns>();
  for (const { id, workflowId, workflowSlug, status, acceptedAt, error } of runs) {
    if (status !== "FAILED") continue;
    const message = cut(error?.message ?? "");
    const step = error?.step ?? null;
    const key = JSON.stringify([workflowId, step, message]);
    const last = groups.get(key);
    groups.set(
      key,
      last === undefined
        ? {
            key,
            workflow: names.get(workflowId) ?? workflowSlug,
            step,
            message,
            count: 1,
            at: acceptedAt,
            href: `/admin/workflows/${workflowId}/runs/${id}`,
          }
        : {
            ...last,
            count: last.count + 1,
            href: `/admin/workflows/${workflowId}/runs?status=FAILED`,
          },
    );
  }
  return [...groups.values()];
}

function cut(message: string): string {
  const line = message
    .slice(0, messageMax + 1)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > messageMax ? `${line.slice(0, messageMax - 1).trimEnd()}…` : line;
}
