// Tiers: all, topologies. Starts processes.
import {
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// The metrics of each process, as Prometheus scrapes them.
describe.each(topologyNames("one", "four"))("the metrics of %s", (kind) => {
  let environment: TestEnvironment;
  let client: Client;
  let admin: string;

  const appOf = (app: string) => (kind === "one" ? "standalone" : app);
  const processesOf = (app: string): string[] =>
    Object.entries(environment.metrics)
      .filter(([name]) => name.replace(/ 2$/, "") === appOf(app))
      .map(([, url]) => url);
  const scrape = async (app: string): Promise<Series> =>
    readSeries(await Promise.all(processesOf(app).map(async (url) => (await fetch(url)).text())));
  const administer = (method: string, path: string, data?: unknown) =>
    client.ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    });
  const answered = (service: string, method: string, route: string, status: number) =>
    `rowhouse_http_request_duration_seconds_count{service="${service}",method="${method}",route="${route}",status="${status}"}`;

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind, ownProcess: true });
    client = createClient(environment);
    admin = await client.signIn(signIn);
    await administer("POST", "/schema/public/tables", {
      name: "ledger_of_secrets",
      columns: [{ name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true }],
    });
    const { body } = await administer("GET", "/resources?search=ledger_of_secrets");
    await administer("PATCH", `/resources/${body.data[0].id}`, { exposedMethods: ["GET"] });
  });
  afterAll(() => environment.stop());

  test("count responses by route, method and status, and their durations by bucket", async () => {
    const route = "/api/:schema/table/:table";
    const before = await scrape("data-api");
    for (let round = 0; round < 6; round += 1) {
      const { status } = await client.ask("GET", "/api/public/table/ledger_of_secrets", {
        as: admin,
      });
      expect(status).toBe(200);
    }
    expect((await client.ask("GET", "/api/public/table/ledger_of_secrets")).status).toBe(401);
    expect((await client.ask("GET", "/api/nothing", { as: admin })).status).toBe(404);
    const series = await scrape("data-api");
    const added = (name: string) => (series.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(added(answered("data-api", "GET", route, 200))).toBe(6);
    expect(added(answered("data-api", "GET", route, 401))).toBe(1);
    expect(added(answered("data-api", "GET", "none", 404))).toBe(1);
    const atGateway = await scrape("gateway");
    expect(atGateway.get(answered("gateway", "GET", "/api/*", 200))).toBeGreaterThanOrEqual(6);
    const buckets = [...series.keys()].filter(
      (name) => name.includes("_bucket{") && name.includes(route) && name.includes('le="+Inf"'),
    );
    expect(buckets.length).toBeGreaterThan(0);
  });

  test("include stages, caches, loads of the snapshot, the pool and Node", async () => {
    const series = await scrape("data-api");
    for (const stage of ["prepare", "execute", "render"]) {
      expect(
        series.get(`rowhouse_data_stage_duration_seconds_count{stage="${stage}"}`),
      ).toBeGreaterThanOrEqual(3);
    }
    for (const cache of ["statement", "principal"]) {
      const hits = `rowhouse_cache_lookups_total{cache="${cache}",result="hit"}`;
      expect(series.get(hits)).toBeGreaterThanOrEqual(2);
    }
    expect(series.get("rowhouse_snapshot_load_duration_seconds_count")).toBeGreaterThanOrEqual(1);
    const pool = appOf("data-api");
    expect(series.get(`rowhouse_database_connections_max{pool="${pool}"}`)).toBeGreaterThan(1);
    expect(series.get(`rowhouse_database_work_in_progress{pool="${pool}"}`)).toBeGreaterThanOrEqual(
      0,
    );
    expect(series.get("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
    expect(series.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });

  test("count a new load of the snapshot after a change of permissions, and only then", async () => {
    const loads = async () =>
      (await scrape("data-api")).get("rowhouse_snapshot_load_duration_seconds_count") ?? 0;
    const processes = processesOf("data-api").length;
    /** Sends a request to each process at least once. */
    const list = async () => {
      for (let call = 0; call < 2 * processes; call += 1) {
        await client.ask("GET", "/api/public/table/ledger_of_secrets", { as: admin });
      }
    };
    await list();
    const before = await loads();
    await list();
    expect(await loads()).toBe(before);
    await administer("POST", "/roles", { name: "Counted" });
    await list();
    expect(await loads()).toBe(before + processes);
  });

  test("count runs by final status, and report the waiting ones", async () => {
    const { body } = await administer("POST", "/workflows", {
      slug: "counted",
      name: "Counted",
      definition: {
        trigger: { kind: "webhook", access: "AUTHENTICATED" },
        steps: [{ id: "end", kind: "finish", result: 1 }],
      },
    });
    await administer("POST", `/workflows/${body.data.id}/publish`);
    await administer("POST", `/workflows/${body.data.id}/enable`);
    const roles = await administer("GET", "/roles?search=Administrators");
    const roleId = roles.body.data[0].id;
    await administer("POST", `/workflows/${body.data.id}/invoke-grants`, { roleId });
    const ended = async (): Promise<number> =>
      (await scrape("workflow-worker")).get(
        'rowhouse_run_duration_seconds_count{status="SUCCEEDED",test="no"}',
      ) ?? 0;
    const before = await ended();
    for (let call = 0; call < 2; call += 1) {
      const answer = await client.ask("POST", "/api/workflows/counted/webhook", {
        as: admin,
        body: {},
      });
      expect(answer.status).toBe(200);
    }
    await expect.poll(ended).toBe(before + 2);
    const series = await scrape("workflow-worker");
    const workers = processesOf("workflow-worker").length;
    expect(series.get("rowhouse_worker_concurrency")).toBe(16 * workers);
    for (const state of ["queued", "limited", "running", "waiting"]) {
      expect(series.get(`rowhouse_runs_open{state="${state}"}`)).toBe(0);
    }
    for (const name of [
      "runs_oldest_queued_seconds",
      "events_pending",
      "events_oldest_pending_seconds",
      "wake_ups_waiting",
      "mails_waiting",
    ]) {
      expect(series.get(`rowhouse_${name}`)).toBeGreaterThanOrEqual(0);
    }
  });

  test("count refused sign-ins, and show whether Redis is connected where there is one", async () => {
    const name = 'rowhouse_sign_ins_failed_total{means="password"}';
    const before = (await scrape("data-api")).get(name) ?? 0;
    const wrong = await client.ask("POST", "/api/auth/login", {
      body: { ...signIn, password: "wrong" },
    });
    expect(wrong.status).toBe(401);
    await client.signIn(signIn);
    expect((await scrape("data-api")).get(name)).toBe(before + 1);
    for (const [app, uses] of [
      ["gateway", ["limits"]],
      ["data-api", ["limits", "queue"]],
      ["admin-api", ["limits", "queue"]],
      ["workflow-worker", ["queue"]],
    ] as const) {
      const series = await scrape(app);
      for (const use of kind === "one" ? [] : uses) {
        const connected = series.get(`rowhouse_redis_connected{use="${use}"}`);
        expect([app, use, connected]).toEqual([app, use, processesOf(app).length]);
      }
      const all = [...series.keys()].filter((one) => one.startsWith("rowhouse_redis_connected"));
      if (kind === "one") expect(all).toEqual([]);
    }
  });

  test("have no name of a table, no address and no id in their labels", async () => {
    await client.ask("GET", "/api/public/table/ledger_of_secrets/1", { as: admin });
    for (const url of Object.values(environment.metrics)) {
      const text = await (await fetch(url)).text();
      expect(text).not.toMatch(/ledger_of_secrets|admin@example|127\.0\.0\.1/);
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/);
    }
  });

  test("are served on their own port only, which serves nothing else", async () => {
    for (const url of Object.values(environment.metrics)) {
      expect((await fetch(url, { method: "POST" })).status).toBe(405);
      expect((await fetch(new URL("/readyz", url))).status).toBe(404);
    }
    expect((await fetch(`${environment.url}/metrics`)).status).toBe(404);
  });

  test("an administrator can request the duration of each stage, and no other user can", async () => {
    const timed = { "X-Service-Timing": "true" };
    const path = "/api/public/table/ledger_of_secrets";
    const answer = await client.ask("GET", path, { as: admin, headers: timed });
    expect(answer.headers.get("server-timing")).toMatch(
      /^prepare;dur=[0-9.]+, execute;dur=[0-9.]+, render;dur=[0-9.]+$/,
    );
    const silent = await client.ask("GET", path, { as: admin });
    expect(silent.headers.get("server-timing")).toBeNull();
    const { body: role } = await administer("GET", "/roles?search=Counted");
    const { body: grant } = await administer("GET", "/resources?search=ledger_of_secrets");
    await administer("PATCH", `/roles/${role.data[0].id}`, { apiAccess: true });
    await administer("POST", "/grants", {
      roleId: role.data[0].id,
      resourceId: grant.data[0].id,
      action: "READ",
      fields: null,
    });
    const person = { email: "eve@example.com", password: "a long enough password" };
    const { body: user } = await administer("POST", "/users", { ...person, name: "Eve" });
    await administer("POST", `/roles/${role.data[0].id}/members`, { userId: user.data.id });
    const eve = await client.signIn(person);
    const other = await client.ask("GET", path, { as: eve, headers: timed });
    expect([other.status, other.headers.get("server-timing")]).toEqual([200, null]);
  });
});

type Series = ReadonlyMap<string, number>;

/** Returns the sum of the samples of several scrapes, by name with labels. */
function readSeries(texts: readonly string[]): Series {
  const series = new Map<string, number>();
  for (const line of texts.join("\n").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const end = line.lastIndexOf(" ");
    const name = line.slice(0, end);
    series.set(name, (series.get(name) ?? 0) + Number(line.slice(end + 1)));
  }
  return series;
}
