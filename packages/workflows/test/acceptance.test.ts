// Tier: all. One of the longest files.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acceptRun } from "../src/run/accept-run.ts";
import { readRunResult } from "../src/webhook/read-run-result.ts";
import {
  openTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from "./test-environment.ts";

// A process whose worker has a free slot accepts a run as that worker's own: one statement writes and claims it.

let environment: TestEnvironment;
const open = async (options: TestEnvironmentOptions = {}) => {
  environment = await openTestEnvironment({
    oneProcess: true,
    workers: 0,
    reconcileEveryMs: 200,
    ...options,
  });
  await environment.database.query(`
    create table public.accepted (status text, fence bigint);
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.accepted values (new.status, new.fence); return null; end $$;
    create trigger note after insert on system.workflow_runs for each row execute function public.note()`);
};
beforeEach(() => open());
afterEach(() => environment.close());

const accepted = () =>
  environment.database.query<{ status: string; fence: string }>("select * from public.accepted");
const ended = (status: string, fence: string) => (run: string) =>
  expect.poll(() => environment.readRun(run)).toMatchObject({ status, fence });

it("a run is claimed by the statement that writes it", async () => {
  environment.startWorker();
  const { slug } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
  const { body } = await environment.call(slug);
  expect(body.data).toMatchObject({ status: "SUCCEEDED", result: 1 });
  expect(await accepted()).toEqual([{ status: "RUNNING", fence: "1" }]);
  const [run] = await environment.database.query<{ claims: number; ordered: boolean }>(
    "select claims, accepted_at <= started_at and started_at <= finished_at as ordered from system.workflow_runs",
  );
  expect(run).toEqual({ claims: 1, ordered: true });
});

describe("a run that is accepted without a slot", () => {
  it("a run of a workflow with a limit is queued", async () => {
    environment.startWorker();
    const { slug } = await environment.publish(
      [{ id: "end", kind: "finish", result: 1 }],
      {},
      { concurrency: 1 },
    );
    expect((await environment.call(slug)).body.data.status).toBe("SUCCEEDED");
    expect(await accepted()).toEqual([{ status: "QUEUED", fence: "0" }]);
  });

  it("a run of an inactive user is queued, and its claim fails it", async () => {
    environment.startWorker();
    const { slug } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
    await environment.database.query(
      "update system.users set active = false where id = $1::text::uuid",
      [environment.userId],
    );
    expect((await environment.call(slug)).body.data.error).toMatchObject({
      code: "EXECUTE_AS_INACTIVE",
    });
    expect(await accepted()).toEqual([{ status: "QUEUED", fence: "0" }]);
  });

  it("a run is queued if the worker has no free slot", async () => {
    environment.startWorker({ concurrency: 2 });
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    environment.rows.onCreate = () => opened;
    const { slug } = await environment.publish([
      { id: "trip", kind: "createRow", table: "trip", values: { note: "x" } },
    ]);
    const calls = Array.from({ length: 6 }, () => environment.call(slug));
    await expect.poll(accepted).toHaveLength(6);
    open();
    for (const { body } of await Promise.all(calls)) expect(body.data.status).toBe("SUCCEEDED");
    const statuses = (await accepted()).map(({ status }) => status).sort();
    expect(statuses).toEqual(["QUEUED", "QUEUED", "QUEUED", "QUEUED", "RUNNING", "RUNNING"]);
  });
});

it("a reserved slot is released if no run is accepted", async () => {
  environment.startWorker({ concurrency: 1 });
  const { slug, id } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
  for (let round = 0; round < 3; round += 1) {
    const refused = environment.call(slug, {
      readBody: async () => {
        await environment.database.query(
          "update system.workflows set enabled = false where id = $1::text::uuid",
          [id],
        );
        return new TextEncoder().encode("{}");
      },
    });
    await expect(refused).rejects.toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
    await environment.database.query(
      "update system.workflows set enabled = true where id = $1::text::uuid",
      [id],
    );
  }
  expect((await environment.call(slug)).body.data.status).toBe("SUCCEEDED");
  expect(await accepted()).toEqual([{ status: "RUNNING", fence: "1" }]);
});

it("another worker continues a run whose own worker exits before it starts", async () => {
  const { id } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
  const [version] = await environment.database.query<{ id: string }>(
    "select published_version_id as id from system.workflows where id = $1::text::uuid",
    [id],
  );
  const run = randomUUID();
  const acceptance = await acceptRun(environment.database, {
    run: {
      id: run,
      workflowId: id,
      versionId: version?.id ?? "",
      input: '{"body":{}}',
      callerUserId: null,
      executeAsUserId: environment.userId,
      token: null,
      replyChannel: null,
      requestId: null,
      traceParent: null,
      priority: "NORMAL",
    },
    slot: { owner: "gone", leaseMs: 400 },
  });
  expect(acceptance?.kind).toBe("HELD");
  environment.startWorker();
  await ended("SUCCEEDED", "2")(run);
});

it("a run is handed back, not lost, if the worker stops while the run is written", async () => {
  const worker = environment.startWorker();
  const { slug } = await environment.publish(
    [{ id: "trip", kind: "createRow", table: "trip", values: { note: "x" } }],
    { response: "ASYNCHRONOUS" },
  );
  let closing: Promise<void> | undefined;
  let call: Promise<{ body: { data: { run: string } } }> | undefined;
  await environment.database.transaction(async (transaction) => {
    await transaction.query("lock table system.workflow_runs in share mode");
    call = environment.call(slug);
    await expect
      .poll(() =>
        environment.database.query(
          // The recovery of the worker may wait for the table as well.
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%insert into system.workflow_runs%'`,
        ),
      )
      .toHaveLength(1);
    closing = worker.close();
  });
  await closing;
  environment.workers.delete(worker);
  const run = (await call)?.body.data.run ?? "";
  expect(await accepted()).toEqual([{ status: "RUNNING", fence: "1" }]);
  expect(await environment.readRun(run)).toMatchObject({ status: "RUNNING" });
  environment.startWorker();
  await ended("SUCCEEDED", "2")(run);
  expect(await environment.countTrips()).toBe(1);
});

it("a response is equal, byte for byte, to a later read of the run's result", async () => {
  environment.startWorker();
  const { caller } = environment;
  const results = [
    { result: { b: 1, a: [null, true, 'ü\u2028"\\'], "10": {}, "9": "" } },
    { result: "{{start.data.body}}" },
    { result: null },
    {},
  ];
  for (const finish of results) {
    const { slug, id } = await environment.publish([{ id: "end", kind: "finish", ...finish }], {
      access: "AUTHENTICATED",
      executeAs: null,
    });
    await environment.allow({ id });
    const body = '{"precise":12345678901234567890.10,"z":1e400,"a":"\\u00fc","list":[ 1,2 ]}';
    const { text, body: answer } = await environment.call(slug, { caller, body });
    expect(answer.data.status).toBe("SUCCEEDED");
    expect(await readRunResult(environment.database, answer.data.id, caller)).toBe(text);
  }
  const { slug, id } = await environment.publish(
    [{ id: "trip", kind: "createRow", table: "trip", values: { note: "refused" } }],
    { access: "AUTHENTICATED", executeAs: null },
  );
  await environment.allow({ id });
  const { text, body } = await environment.call(slug, { caller });
  expect(body.data).toMatchObject({ status: "FAILED", result: null });
  expect(await readRunResult(environment.database, body.data.id, caller)).toBe(text);
});
