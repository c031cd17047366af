// Tiers: long, topologies. One of the slowest.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let trips: string;
let quiet: string;

async function createWorkflow(slug: string, trigger: object, more: object = {}): Promise<string> {
  const definition = {
    trigger: { executeAs: api.admin.id, ...trigger },
    steps: [{ id: "end", kind: "finish", result: 1 }],
    ...more,
  };
  const created = await api.ask("POST", "/workflows", {
    slug,
    name: slug.toUpperCase(),
    definition,
  });
  const { id } = created.body.data;
  expect((await api.ask("POST", `/workflows/${id}/publish`)).status).toBe(200);
  return id;
}

/** Adds runs as a worker leaves them. */
const addRuns = (workflow: string, count: number, columns: string) =>
  api.test.database.query(
    `insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, accepted_at, started_at,
       status, error, finished_at, lease_owner, lease_until, origin)
     select w.id, w.published_version_id, $1::text::uuid, '{}', r.*
     from system.workflows w, generate_series(1, $3::text::integer) n, lateral (select ${columns}) r
     where w.id = $2::text::uuid`,
    [api.admin.id, workflow, String(count)],
  );
const ended = (status: string, ago: string, ms: string, origin = "WEBHOOK") =>
  `now() - interval '${ago}', now() - interval '${ago}', '${status}',
   case when '${status}' = 'FAILED' then '{"code":"HTTP_STATUS","message":"No","step":"a"}'::json end,
   now() - interval '${ago}' + (${ms}) * interval '1 millisecond', null::text, null::timestamptz, '${origin}'`;

beforeAll(async () => {
  api = await openTestEnvironment();
  trips = await createWorkflow("trips", { kind: "webhook" }, { concurrency: 3 });
  quiet = await createWorkflow("quiet", { kind: "schedule", cron: "0 5 * * *", timeZone: "UTC" });
  await addRuns(trips, 20, ended("SUCCEEDED", "5 minutes", "n * 100"));
  await addRuns(trips, 2, ended("FAILED", "100 minutes", "50"));
  await addRuns(trips, 1, ended("CANCELLED", "100 minutes", "9000"));
  await addRuns(trips, 1, ended("FAILED", "40 hours", "50"));
  await addRuns(trips, 5, ended("FAILED", "1 minute", "1", "TEST"));
  const open = (owner: string, until: string) =>
    `now() - interval '1 minute', now(), 'RUNNING', null::json, null::timestamptz, ${owner}, ${until}, 'MANUAL'`;
  await addRuns(trips, 2, open("'one'", "now() + interval '1 hour'"));
  await addRuns(trips, 1, open("null::text", "null::timestamptz"));
});
afterAll(() => api.test.drop());

const read = async (query = "") => {
  const { status, body } = await api.ask("GET", `/workflow-overview${query}`);
  expect(status).toBe(200);
  return body.data;
};
const sum = (buckets: readonly Record<string, number>[], name: string) =>
  buckets.reduce((total, bucket) => total + (bucket[name] ?? 0), 0);

describe("the overview of the workflows", () => {
  it("counts runs by workflow and by interval, without tests of drafts", async () => {
    const { workflows, workflowCount, buckets, since, until } = await read();
    expect(workflowCount).toBe(2);
    expect(workflows.map(({ slug }: { slug: string }) => slug)).toEqual(["trips", "quiet"]);
    expect(workflows[0]).toMatchObject({
      ...{ id: trips, name: "TRIPS", enabled: false, problem: null, concurrency: 3 },
      runs: { total: 26, succeeded: 20, failed: 2, cancelled: 1 },
      ...{ open: 3, running: 2, medianMs: 900, p95Ms: 1900 },
      lastFailure: { code: "HTTP_STATUS" },
    });
    expect(buckets).toHaveLength(48);
    expect(["succeeded", "failed", "cancelled"].map((name) => sum(buckets, name))).toEqual([
      20, 2, 1,
    ]);
    expect(buckets[0].at).toBe(since);
    expect(Date.parse(until) - Date.parse(since)).toBe(24 * 3_600_000);
    expect(Date.parse(until)).toBeGreaterThan(Date.now() - 1000);
  });

  it("reports a failed run that can be opened", async () => {
    const { workflows } = await read();
    const { runId } = workflows[0].lastFailure;
    expect((await api.ask("GET", `/workflows/${trips}/runs/${runId}`)).body.data.status).toBe(
      "FAILED",
    );
  });

  it("covers 1 to 720 hours in at most 60 intervals", async () => {
    for (const [hours, count] of [
      [1, 60],
      [2, 60],
      [7, 42],
      [48, 48],
      [720, 60],
    ] as const) {
      expect((await read(`?hours=${hours}`)).buckets).toHaveLength(count);
    }
    expect((await read("?hours=48")).workflows[0].runs.failed).toBe(3);
    expect((await read("?hours=1")).workflows[0].lastFailure).toBeNull();
    for (const hours of ["0", "721", "-1", "1.5", "a", ""]) {
      const { faults } = await api.ask("GET", `/workflow-overview?hours=${hours}`);
      expect([hours, faults]).toEqual([hours, ["QUERY_INVALID hours"]]);
    }
  });

  it("lists the next times of schedules", async () => {
    expect((await read()).schedules).toEqual([]);
    await api.ask("POST", `/workflows/${quiet}/enable`);
    expect((await read()).schedules).toMatchObject([{ workflowId: quiet, slug: "quiet" }]);
    expect((await read()).workflows[1]).toMatchObject({
      ...{ enabled: true, concurrency: null, medianMs: null, p95Ms: null, lastFailure: null },
      runs: { total: 0, succeeded: 0, failed: 0, cancelled: 0 },
    });
  });

  it("counts 200,000 runs", async () => {
    const spread = ended("SUCCEEDED", "1 hour", "n % 5000").replaceAll(
      "interval '1 hour'",
      "n * interval '400 milliseconds'",
    );
    // Each statement has the time limit of a connection.
    for (let part = 0; part < 10; part++) await addRuns(quiet, 20_000, spread);
    await api.test.database.query("analyze system.workflow_runs");
    expect((await read()).workflows[1].runs.total).toBe(200_000);
  });
});
