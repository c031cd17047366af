// Tiers: usual, topologies.
import { addRun, addSteps, endRun, endStep, type Watched, watchEvents } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let workflow: string;
let run: string;
const open: Watched[] = [];
beforeAll(async () => {
  api = await openTestEnvironment();
  const definition = {
    trigger: { kind: "manual", executeAs: api.admin.id },
    steps: [{ id: "end", kind: "finish", result: 1 }],
  };
  const created = await api.ask("POST", "/workflows", { slug: "long", name: "Long", definition });
  workflow = created.body.data.id;
  await api.ask("POST", `/workflows/${workflow}/publish`);
});
afterAll(() => api.test.drop());
beforeEach(async () => {
  for (const stream of open.splice(0)) await stream.leave();
  run = await addRun(api.test.database, workflow, api.admin.id);
});

async function watch(
  headers: Record<string, string> = {},
  secret = api.admin.secret,
): Promise<Watched> {
  const path = `/admin/api/workflows/${workflow}/runs/${run}`;
  const stream = await watchEvents((init) => api.fetchRaw(path, init), {
    Authorization: `Bearer ${secret}`,
    Accept: "text/event-stream",
    ...headers,
  });
  open.push(stream);
  return stream;
}

const paths = (events: Awaited<ReturnType<Watched["until"]>>) =>
  events.flatMap(({ event, data }) =>
    event === "steps" ? (data as { path: string }[]).map(({ path }) => path) : [],
  );

describe("the events of a run", () => {
  it("report the run, its steps as they come, and its end", async () => {
    await addSteps(api.test.database, run, "a", "b");
    const stream = await watch();
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.response.headers.get("cache-control")).toBe("no-store");
    expect(stream.response.headers.get("x-accel-buffering")).toBe("no");
    const first = await stream.until(({ event }) => event === "steps");
    expect(first.map(({ event }) => event)).toEqual(["run", "steps"]);
    expect(first[0]?.data).toMatchObject({ id: run, status: "RUNNING", result: null });
    expect(first[0]?.data).not.toHaveProperty("input");
    expect(first[1]?.data).toMatchObject([
      { path: "a", position: 0, status: "SUCCEEDED", input: null, output: null },
      { path: "b", position: 1 },
    ]);
    await addSteps(api.test.database, run, "c");
    expect(paths(await stream.until(({ event }) => event === "steps"))).toEqual(["c"]);
    await endRun(api.test.database, run, '{"km":9007199254740993.10}');
    const rest = await stream.rest();
    expect(rest.map(({ event }) => event)).toEqual(["run", "end"]);
    expect(rest[0]?.text).toContain('"result":{"km":9007199254740993.10}');
    expect(rest[0]?.data).toMatchObject({ status: "SUCCEEDED" });
  });

  it("report a step again when it ends, and no other step", async () => {
    await addSteps(api.test.database, run, "a", "b");
    await api.test.database.query(
      `insert into system.workflow_run_steps (run_id, path, position, kind, status, fence, started_at)
       values ($1::uuid, 'call', 9, 'httpRequest', 'STARTED', 1, now())`,
      [run],
    );
    const stream = await watch();
    const first = await stream.until(({ event }) => event === "steps");
    expect(paths(first)).toEqual(["a", "b", "call"]);
    await endStep(api.test.database, run, "call");
    const [next] = await stream.until(({ event }) => event === "steps");
    expect(next?.data).toMatchObject([{ path: "call", status: "SUCCEEDED" }]);
  });

  it("are complete and not repeated while another transaction has not committed", async () => {
    const { database } = api.test;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const stream = await watch();
    await stream.until(({ event }) => event === "run");
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    // A step that is written before the polls of its neighbors, and committed after them.
    const slow = database.transaction(async (transaction) => {
      await addSteps(transaction, run, "slow");
      isWritten();
      await finished;
    });
    await written;
    await addSteps(database, run, "quick");
    expect(paths(await stream.until(({ event }) => event === "steps"))).toEqual(["quick"]);
    await addSteps(database, run, "last");
    expect(paths(await stream.until(({ event }) => event === "steps"))).toEqual(["last"]);
    finish();
    await slow;
    expect(paths(await stream.until(({ event }) => event === "steps"))).toEqual(["slow"]);
  });

  it("continue after the last received event, in another connection", async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `step-${index}`);
    await addSteps(api.test.database, run, ...names);
    const whole = await watch();
    const [, ...pages] = await whole.until((_, count) => count === 4);
    expect(pages.map(({ data }) => (data as unknown[]).length)).toEqual([500, 500, 200]);
    await whole.leave();
    for (const [seen, page] of pages.entries()) {
      const next = await watch({ "Last-Event-ID": page.id });
      await addSteps(api.test.database, run, `new-${seen}`);
      const received = await next.until(({ text }) => text.includes(`"new-${seen}"`));
      const known = new Set([
        ...names.slice(0, 500 * (seen + 1)),
        ...paths(pages.slice(0, seen + 1)),
      ]);
      const got = new Set(paths(received));
      expect(names.filter((name) => !known.has(name) && !got.has(name))).toEqual([]);
      // A step that other transactions were concurrent with may be repeated, as it was.
      const before = pages.flatMap(({ data }) => data as { path: string }[]);
      for (const step of received.flatMap(({ event, data }) =>
        event === "steps" ? (data as { path: string }[]) : [],
      )) {
        if (known.has(step.path)) expect(before).toContainEqual(step);
      }
      await next.leave();
    }
  });

  it("end at once for a run that has ended", async () => {
    await addSteps(api.test.database, run, "a");
    await endRun(api.test.database, run, "1");
    const stream = await watch();
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["run", "steps", "end"]);
    const last = (await (await watch()).rest()).at(-1)?.id ?? "";
    const again = await (await watch({ "Last-Event-ID": last })).rest();
    expect(again[0]?.event).toBe("run");
    expect(again.at(-1)?.event).toBe("end");
  });

  it("end without `end` when the run is deleted", async () => {
    const stream = await watch();
    await stream.until(({ event }) => event === "run");
    await api.test.database.query("delete from system.workflow_runs where id = $1::uuid", [run]);
    expect(await stream.rest()).toEqual([]);
  });

  it("are sent only if the caller prefers them to JSON", async () => {
    const path = `/workflows/${workflow}/runs/${run}`;
    for (const accept of ["*/*", "application/json, text/event-stream;q=0.5", "text/html"]) {
      const { headers } = await api.ask("GET", path, undefined, undefined, { Accept: accept });
      expect(headers.get("content-type")).toBe("application/json");
    }
    const head = await api.fetchRaw(`/admin/api${path}`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${api.admin.secret}`, Accept: "text/event-stream" },
    });
    expect(head.status).toBe(200);
  });

  it("are refused for an unknown run and for a cursor of another run", async () => {
    const events = { Accept: "text/event-stream" };
    const ask = (path: string, headers: Record<string, string>) =>
      api.ask("GET", `/workflows/${path}`, undefined, undefined, { ...events, ...headers });
    expect((await ask(`${workflow}/runs/${nobody}`, {})).status).toBe(404);
    expect((await ask(`${nobody}/runs/${run}`, {})).status).toBe(404);
    const prefix = run.slice(0, 8);
    for (const id of [
      "1",
      "00000000-1",
      `${prefix}-`,
      `${prefix}--1`,
      `${prefix}-4294967296`,
      `${prefix}-1-4294967296-0`,
      `${prefix}-1-1`,
      `${prefix}-1;drop`,
    ]) {
      const { faults } = await ask(`${workflow}/runs/${run}`, { "Last-Event-ID": id });
      expect([id, faults]).toEqual([id, ["QUERY_INVALID Last-Event-ID"]]);
    }
  });
});
