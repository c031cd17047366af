/** In the order in which statements about several runs lock their rows, so that none waits for one that waits for it. */
export function inOrder<Run extends { readonly runId: string }>(runs: readonly Run[]): Run[] {
  return runs.toSorted((one, other) => (one.runId < other.runId ? -1 : 1));
}

/**
 * Joins to each of the rows `asked`, which have an `id`, where the run is, as `found.tid`, to be compared with `ctid`. The key
 * is searched whatever the planner takes the table to hold: a plan that was made while the table was small, and reads all of
 * it, would be kept.
 */
export function foundSql(asked: string): string {
  return `cross join lateral (select ctid as tid from system.workflow_runs where id = ${asked}.id limit 1) found`;
}
