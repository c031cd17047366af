import type { ChaosEnvironment } from "./chaos-environment.ts";
import type { Disturbed, Outage } from "./disturbances.ts";
import type { Call } from "./load.ts";
import { paths } from "./workflows.ts";

/** The runs of a killed worker continue within this time. */
const resumeMsMax = 20_000;

interface RunRow {
  readonly id: string;
  readonly slug: string;
  readonly token: string;
  readonly status: string;
  readonly code: string | null;
  readonly parent: string | null;
  readonly ended: number | null;
  /** The sorted paths of its rows, with repetitions. */
  readonly rows: string[];
  readonly late: number;
}

/**
 * Finds violated guarantees.
 *
 * @returns one sentence for each
 */
export async function findViolations(
  environment: ChaosEnvironment,
  calls: readonly Call[],
  disturbed: Disturbed,
): Promise<string[]> {
  const { database } = environment;
  const runs = await database.query<RunRow>(
    `select r.id, w.slug, r.input #>> '{body,token}' as token, r.status, r.error ->> 'code' as code,
       r.parent_run_id as parent, (extract(epoch from r.finished_at) * 1000)::double precision as ended,
       coalesce(e.rows, '[]'::json) as rows, coalesce(e.late, 0)::integer as late
     from system.workflow_runs r join system.workflows w on w.id = r.workflow_id
     left join lateral (
       select json_agg(path order by path) as rows, count(*) filter (where at > r.finished_at) as late
       from public.effect e where e.token = r.input #>> '{body,token}' and e.workflow = w.slug) e on true`,
  );
  return [
    ...checkRuns(environment, runs),
    ...checkCalls(calls, runs),
    ...checkRequests(environment, runs),
    ...(await checkWitnesses(environment)),
    ...(await checkResults(environment, calls)),
    ...(await checkOrphans(environment, disturbed)),
  ];
}

/** Every run ends, and only in a permitted way; each of its rows exists once. */
function checkRuns({ workflows }: ChaosEnvironment, runs: readonly RunRow[]): string[] {
  return runs.flatMap((run) => {
    const workflow = workflows.find(({ slug }) => slug === run.slug);
    const name = `run ${run.id} of ${run.slug} (${run.token})`;
    const wrong: string[] = [];
    if (run.ended === null) wrong.push(`${name} is still ${run.status}`);
    if (run.late > 0) wrong.push(`${name} wrote ${run.late} rows after its end`);
    if (new Set(run.rows).size !== run.rows.length) {
      wrong.push(`${name} wrote rows twice: ${run.rows.join(" ")}`);
    }
    const expected = (workflow?.rows ?? []).toSorted().join(" ");
    if (run.status === "SUCCEEDED" && run.rows.join(" ") !== expected) {
      wrong.push(`${name} succeeded and wrote "${run.rows.join(" ")}" instead of "${expected}"`);
    }
    if (run.status === "FAILED" && !workflow?.faults.includes(run.code ?? "")) {
      wrong.push(`${name} failed with ${run.code}`);
    }
    if (run.status === "CANCELLED" && workflow?.mayBeCancelled !== true) {
      wrong.push(`${name} was cancelled`);
    }
    return wrong;
  });
}

/** Responses to callers are true, and a call causes one run. */
function checkCalls(calls: readonly Call[], runs: readonly RunRow[]): string[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const called = groupBy(
    runs.filter((run) => run.parent === null),
    (run) => `${run.slug} ${run.token}`,
  );
  return calls.flatMap(({ workflow, token, key, runs: ids, statuses }) => {
    const name = `${workflow.slug} ${token}${key === undefined ? "" : " with a key"}`;
    const wrong: string[] = [];
    const there = called.get(`${workflow.slug} ${token}`) ?? [];
    if (there.length > 1) wrong.push(`${name} caused ${there.length} runs`);
    if (key !== undefined && ids.size !== 1) wrong.push(`${name} received ${ids.size} ids`);
    for (const id of ids) {
      const run = byId.get(id);
      if (run === undefined) wrong.push(`${name} received ${id}, which does not exist`);
      for (const status of statuses) {
        if (run !== undefined && run.status !== status && !isOpen(status)) {
          wrong.push(`${name} received ${status}, and its run is ${run.status}`);
        }
      }
    }
    return wrong;
  });
}

function isOpen(status: string): boolean {
  return status === "QUEUED" || status === "RUNNING";
}

/** Requests that may not be repeated arrived once, before the end of their run, each with the key of its run. */
function checkRequests({ counting }: ChaosEnvironment, runs: readonly RunRow[]): string[] {
  const arrived = groupBy(counting.arrivals, ({ path, token }) => `${path} ${token}`);
  return runs.flatMap((run) => {
    const wrong: string[] = [];
    const posts = arrived.get(`${paths.post} ${run.token}`) ?? [];
    const puts = arrived.get(`${paths.flaky} ${run.token}`) ?? [];
    if (run.slug === "posts") {
      if (posts.length > 1) wrong.push(`${run.id} sent its POST ${posts.length} times`);
      if (run.status === "SUCCEEDED" && posts.length === 0) wrong.push(`${run.id} sent no POST`);
    }
    if (run.slug === "repeats" && run.status === "SUCCEEDED" && puts.length < 2) {
      wrong.push(`${run.id} succeeded after a rejection`);
    }
    for (const own of [
      ...(run.slug === "posts" ? posts : []),
      ...(run.slug === "repeats" ? puts : []),
    ]) {
      if (!own.key.startsWith(`${run.id}:`)) wrong.push(`${run.id} sent the key ${own.key}`);
      const isLate = run.ended !== null && own.at.getTime() > run.ended + 1;
      if (isLate && own.path === paths.post) {
        wrong.push(`${run.id} sent ${own.path} after its end`);
      }
    }
    return wrong;
  });
}

/** Records of the database: fencing numbers only grow; each step and each run ends once. */
async function checkWitnesses({ database }: ChaosEnvironment): Promise<string[]> {
  const rows = await database.query<{ wrong: string }>(
    `select 'run ' || run_id || ' was claimed with ' || fence || ' after ' || before as wrong from (
       select run_id, fence, lag(fence, 1, 0) over (partition by run_id order by serial) as before from witness.claims) c
     where fence <> before + 1
     union all
     select 'step ' || path || ' of ' || run_id || ' ended ' || count(*) || ' times' from witness.step_ends
     group by run_id, path having count(*) > 1
     union all
     select 'run ' || run_id || ' ended ' || count(*) || ' times' from witness.ends group by run_id having count(*) > 1
     union all
     select 'step ' || s.path || ' of ' || s.run_id || ' ended under ' || s.fence || ' after the claim ' || c.fence
     from witness.step_ends s join witness.claims c on c.run_id = s.run_id and c.fence > s.fence and c.at < s.at`,
  );
  return rows.map((row) => row.wrong);
}

/** Each gateway returns the run of every id that a caller received. */
async function checkResults(
  environment: ChaosEnvironment,
  calls: readonly Call[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, { workflow, runs }] of calls.entries()) {
    const gateway = environment.gateways[index % environment.gateways.length];
    for (const id of runs) {
      const answer = await fetch(`${gateway?.url()}/api/workflows/runs/${id}/result`, {
        headers: { authorization: `Bearer ${environment.caller.secret}` },
      });
      await answer.text();
      // Runs of a public webhook have no caller.
      const expected = workflow.isPublic ? 404 : 200;
      if (answer.status !== expected) wrong.push(`the result of ${id} has status ${answer.status}`);
    }
  }
  return wrong;
}

/** Another worker claimed the runs of a killed worker in time, or they ended in time. */
async function checkOrphans(
  { database }: ChaosEnvironment,
  { orphans, outages }: Disturbed,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { runId, fence, worker, killedAt } of orphans) {
    const [row] = await database.query<{ killed: number; resumed: number | null }>(
      `select (extract(epoch from $3::text::timestamptz) * 1000)::double precision as killed,
         (extract(epoch from least(
           (select min(at) from witness.claims where run_id = $1::text::uuid and fence > $2::text::bigint),
           (select min(at) from witness.ends where run_id = $1::text::uuid))) * 1000)::double precision as resumed`,
      [runId, fence, killedAt],
    );
    const resumed = row?.resumed ?? Number.POSITIVE_INFINITY;
    const killed = row?.killed ?? 0;
    const lost = lostMs(outages, killed, resumed);
    if (resumed - killed - lost > resumeMsMax) {
      const tookMs = Math.round(resumed - killed);
      wrong.push(`run ${runId} of ${worker} waited ${tookMs} ms, of which outages took ${lost} ms`);
    }
  }
  return wrong;
}

/** Returns the part of a period that outages cover, overlaps counted once. */
function lostMs(outages: readonly Outage[], from: number, to: number): number {
  let lost = 0;
  let covered = from;
  for (const outage of outages.toSorted((one, other) => one.from - other.from)) {
    const begin = Math.max(outage.from, covered);
    const end = Math.min(outage.to, to);
    if (end <= begin) continue;
    lost += end - begin;
    covered = end;
  }
  return Math.round(lost);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
