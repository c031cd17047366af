/** Sorts runs into the order in which statements lock their rows, which prevents deadlocks. */
export function inOrder<Run extends { readonly runId: string }>(runs: readonly Run[]): Run[] {
  return runs.toSorted((one, other) => (one.runId < other.runId ? -1 : 1));
}

/**
 * Returns a join that finds the run of each row of `asked` by its `id`, as `found.tid`, to compare with `ctid`. It
 * forces an index lookup: a generic plan that was made while the table was small would scan all of it.
 */
export function foundSql(asked: string): string {
  return `cross join lateral (select ctid as tid from system.workflow_runs where id = ${asked}.id limit 1) found`;
}

/**
 * SQL for a run that has not ended, where the run is found by its id. `finished_at is null` means the same, but admits the
 * index of open runs: by the statistics of a quiet moment it is empty, and the planner reads all of it for each run.
 */
export const isOpenSql = "r.status in ('QUEUED', 'RUNNING')";
