// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let id: string;
beforeAll(async () => {
  api = await openTestEnvironment();
  const definition = {
    trigger: { kind: "webhook", executeAs: api.admin.id },
    steps: [
      { id: "trip", kind: "createRow", table: "trip", values: { km: "{{start.data.body.km}}" } },
      { id: "end", kind: "finish", result: "{{steps.trip}}" },
    ],
  };
  const created = await api.ask("POST", "/workflows", { slug: "trips", name: "Trips", definition });
  id = created.body.data.id;
  await api.ask("POST", `/workflows/${id}/publish`);
  // What a worker leaves behind.
  await api.test.database.query(
    `with run as (
       insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, status, result, error, request_id,
         accepted_at, started_at, finished_at)
       select w.id, w.published_version_id, $1::text::uuid, '{"body":{"km":9007199254740993.10}}', one.status, one.result::json,
         one.error::json, 'request-' || one.n, timestamptz '2026-01-01T00:00:00Z' + one.n * interval '1 hour',
         timestamptz '2026-01-01T00:00:01Z', timestamptz '2026-01-01T00:00:02Z'
       from system.workflows w, (values (1, 'SUCCEEDED', '{"km":1.50}', null),
         (2, 'FAILED', null, '{"code":"CHECK_VIOLATION","message":"Too far","step":"trip"}')) as one (n, status, result, error)
       where w.slug = 'trips' returning id)
     insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at, finished_at)
     select id, 'trip', 0, 'createRow', 'SUCCEEDED', '{"km":1.50}', 1, now(), now() from run`,
    [api.admin.id],
  );
});
afterAll(() => api.test.drop());

const list = async (query = "") => {
  const { status, body } = await api.ask("GET", `/workflow-runs${query}`);
  expect(status).toBe(200);
  return body.data.map((run: { requestId: string }) => run.requestId);
};

describe("the history of runs", () => {
  it("can be listed for all workflows or one, with filters, search and order", async () => {
    expect(await list()).toEqual(["request-2", "request-1"]);
    expect(await list(`?workflowId=${id}&orderBy=acceptedAt`)).toEqual(["request-1", "request-2"]);
    expect(await list("?status=FAILED,CANCELLED")).toEqual(["request-2"]);
    expect(await list("?origin=TEST")).toEqual([]);
    expect(await list("?errorCode=CHECK_VIOLATION")).toEqual(["request-2"]);
    expect(await list("?acceptedUntil=2026-01-01T01:30:00Z")).toEqual(["request-1"]);
    expect(await list("?durationMinMs=1000")).toEqual(["request-2", "request-1"]);
    expect(await list("?search=too%20FAR")).toEqual(["request-2"]);
    expect(await list(`?executeAsUserId=${nobody}`)).toEqual([]);
    const own = await api.ask("GET", `/workflows/${id}/runs?limit=1`);
    expect(own.body.data).toHaveLength(1);
    const cursor = encodeURIComponent(own.body.meta.nextCursor);
    const next = await api.ask("GET", `/workflows/${id}/runs?limit=1&cursor=${cursor}`);
    expect(next.body.data[0].requestId).toBe("request-1");
    expect(next.body.meta.nextCursor).toBeNull();
  });

  it("refuses an invalid parameter, and returns 404 for an unknown workflow", async () => {
    for (const query of [
      "status=DONE",
      "status=FAILED,",
      "origin=webhook",
      "callerUserId=me",
      "acceptedSince=yesterday",
      "acceptedSince=0000-01-01T00:00:00Z",
      `cursor=${Buffer.from('["-acceptedAt","0000-01-01T00:00:00.000000Z","00000000-0000-4000-8000-000000000000"]').toString("base64url")}`,
      "durationMinMs=-1",
      "orderBy=result",
      "cursor=x",
      "limit=0",
      "nope=1",
      `cursor=${Buffer.from('["-acceptedAt","2026-99-01T00:00:00.000000Z","00000000-0000-4000-8000-000000000000"]').toString("base64url")}`,
    ]) {
      const refused = await api.ask("GET", `/workflow-runs?${query}`);
      expect([query, refused.status, refused.body.errors[0].code]).toEqual([
        query,
        400,
        "QUERY_INVALID",
      ]);
    }
    expect((await api.ask("GET", `/workflow-runs?workflowId=${nobody}`)).status).toBe(404);
    expect((await api.ask("GET", `/workflows/${nobody}/runs`)).status).toBe(404);
  });

  it("shows a run and its steps with every digit of their inputs and outputs", async () => {
    const [run] = (await api.ask("GET", "/workflow-runs?status=SUCCEEDED")).body.data;
    const path = `/workflows/${id}/runs/${run.id}`;
    const read = await (await api.raw("GET", path, undefined)).text();
    expect(read).toContain('"input":{"body":{"km":9007199254740993.10}}');
    expect(read).toContain('"result":{"km":1.50}');
    expect(read).toContain('"input":{"values":{"km":9007199254740993.10}},"output":{"km":1.50}');
    expect((await api.ask("GET", path)).body.data).toMatchObject({
      stepCount: 1,
      versionNumber: 1,
    });
    const steps = await api.ask("GET", `${path}/steps?kind=createRow&status=SUCCEEDED,FAILED`);
    expect(steps.body).toMatchObject({ data: [{ path: "trip" }], meta: { nextCursor: null } });
    const outline = await api.ask("GET", `${path}/steps?view=outline&limit=1000`);
    expect(outline.body.data).toEqual([{ ...steps.body.data[0], input: null, output: null }]);
    expect(outline.body.data[0].position).toBe(0);
    expect((await api.ask("GET", `${path}/steps?view=none`)).faults).toEqual([
      "QUERY_INVALID view",
    ]);
    expect((await api.ask("GET", `${path}/steps?kind=finish`)).body.data).toEqual([]);
    expect((await api.ask("GET", `${path}/steps?status=DONE`)).status).toBe(400);
    expect((await api.ask("GET", `/workflows/${nobody}/runs/${run.id}/steps`)).status).toBe(404);
    expect((await api.ask("GET", `${path}/steps?path=trip`)).body.data).toEqual(steps.body.data);
    // Not a part of a path, as a search.
    expect((await api.ask("GET", `${path}/steps?path=tri`)).body.data).toEqual([]);
  });

  it("has its definition, also that of a test of the draft", async () => {
    const [run] = (await api.ask("GET", "/workflow-runs?status=SUCCEEDED")).body.data;
    const definition = (of: string, runId: string) =>
      api.ask("GET", `/workflows/${of}/runs/${runId}/definition`);
    const published = (await definition(id, run.id)).body.data;
    expect(published.steps).toMatchObject([{ id: "trip", kind: "createRow" }, { id: "end" }]);
    const { slug } = (await api.ask("GET", `/workflows/${id}`)).body.data;
    const draft = { trigger: { kind: "manual", executeAs: api.admin.id }, steps: [] };
    const steps = [{ id: "only-tested", kind: "finish", result: 1 }];
    const created = await api.ask("POST", "/workflows", {
      slug: `${slug}-2`,
      name: "Tested",
      definition: { ...draft, steps },
    });
    const tested = created.body.data.id;
    const test = await api.ask("POST", `/workflows/${tested}/test`, null);
    await api.ask("PATCH", `/workflows/${tested}`, {
      definition: { ...draft, steps: [{ id: "later", kind: "finish", result: 2 }] },
    });
    const executed = (await definition(tested, test.body.data.run)).body.data;
    expect(executed.steps).toMatchObject([{ id: "only-tested" }]);
    expect((await definition(id, test.body.data.run)).status).toBe(404);
    expect((await definition(id, nobody)).status).toBe(404);
    await api.ask("DELETE", `/workflows/${tested}`);
  });

  it("is visible only to administrators", async () => {
    const answers = [
      await api.ask("GET", "/workflow-runs", undefined, null),
      await api.ask("GET", "/workflow-runs", undefined, api.user.secret),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403]);
  });
});

describe("versions of a workflow", () => {
  it("can be compared with one another and with the draft", async () => {
    const diff = (query: string) => api.ask("GET", `/workflows/${id}/versions/1/diff${query}`);
    expect((await diff("")).body.data).toEqual([]);
    await api.ask("PATCH", `/workflows/${id}`, {
      definition: {
        trigger: { kind: "webhook", executeAs: api.admin.id },
        steps: [{ id: "end", kind: "finish", result: 1 }],
      },
    });
    expect((await diff("?to=draft")).body.data).toMatchObject([
      { kind: "CHANGED", step: "end", from: "/steps/1/result", to: "/steps/0/result", after: 1 },
      { kind: "STEP_REMOVED", step: "trip", from: "/steps/0", to: null },
    ]);
    expect((await diff("?to=1")).body.data).toEqual([]);
    expect((await diff("?to=2")).status).toBe(404);
    expect((await diff("?to=latest")).status).toBe(400);
    expect((await api.ask("GET", `/workflows/${id}/versions/7/diff`)).status).toBe(404);
  });
});
