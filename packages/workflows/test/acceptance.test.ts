import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acceptRun } from "../src/run/accept-run.ts";
import { readRunResult } from "../src/webhook/read-run-result.ts";
import { type House, type HouseOptions, openHouse } from "./house.ts";

// A process whose worker has a free place accepts a run as that worker's own: one statement writes and claims it.

let house: House;
const open = async (options: HouseOptions = {}) => {
  house = await openHouse({ oneProcess: true, workers: 0, reconcileEveryMs: 200, ...options });
  await house.database.query(`
    create table public.accepted (status text, fence bigint);
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.accepted values (new.status, new.fence); return null; end $$;
    create trigger note after insert on system.workflow_runs for each row execute function public.note()`);
};
beforeEach(() => open());
afterEach(() => house.close());

const accepted = () =>
  house.database.query<{ status: string; fence: string }>("select * from public.accepted");
const ended = (status: string, fence: string) => (run: string) =>
  expect.poll(() => house.readRun(run)).toMatchObject({ status, fence });

it("is claimed as it is written", async () => {
  house.startWorker();
  const { slug } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
  const { body } = await house.call(slug);
  expect(body.data).toMatchObject({ status: "SUCCEEDED", result: 1 });
  expect(await accepted()).toEqual([{ status: "RUNNING", fence: "1" }]);
  const [run] = await house.database.query<{ claims: number; ordered: boolean }>(
    "select claims, accepted_at <= started_at and started_at <= finished_at as ordered from system.workflow_runs",
  );
  expect(run).toEqual({ claims: 1, ordered: true });
});

describe("is left to be claimed", () => {
  it("where the workflow limits how many of its runs are in progress", async () => {
    house.startWorker();
    const { slug } = await house.publish(
      [{ id: "end", kind: "finish", result: 1 }],
      {},
      { concurrency: 1 },
    );
    expect((await house.call(slug)).body.data.status).toBe("SUCCEEDED");
    expect(await accepted()).toEqual([{ status: "QUEUED", fence: "0" }]);
  });

  it("where the user that it executes as is not active; the claim says so", async () => {
    house.startWorker();
    const { slug } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
    await house.database.query("update system.users set active = false where id = $1::text::uuid", [
      house.userId,
    ]);
    expect((await house.call(slug)).body.data.error).toMatchObject({ code: "EXECUTE_AS_INACTIVE" });
    expect(await accepted()).toEqual([{ status: "QUEUED", fence: "0" }]);
  });

  it("where the worker has no free place", async () => {
    house.startWorker({ concurrency: 2 });
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    house.rows.onCreate = () => opened;
    const { slug } = await house.publish([
      { id: "trip", kind: "createRow", table: "trip", values: { note: "x" } },
    ]);
    const calls = Array.from({ length: 6 }, () => house.call(slug));
    await expect.poll(accepted).toHaveLength(6);
    open();
    for (const { body } of await Promise.all(calls)) expect(body.data.status).toBe("SUCCEEDED");
    const statuses = (await accepted()).map(({ status }) => status).sort();
    expect(statuses).toEqual(["QUEUED", "QUEUED", "QUEUED", "QUEUED", "RUNNING", "RUNNING"]);
  });
});

it("gives the place back where nothing was accepted", async () => {
  house.startWorker({ concurrency: 1 });
  const { slug, id } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
  for (let round = 0; round < 3; round += 1) {
    const refused = house.call(slug, {
      readBody: async () => {
        await house.database.query(
          "update system.workflows set enabled = false where id = $1::text::uuid",
          [id],
        );
        return new TextEncoder().encode("{}");
      },
    });
    await expect(refused).rejects.toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
    await house.database.query(
      "update system.workflows set enabled = true where id = $1::text::uuid",
      [id],
    );
  }
  expect((await house.call(slug)).body.data.status).toBe("SUCCEEDED");
  expect(await accepted()).toEqual([{ status: "RUNNING", fence: "1" }]);
});

it("goes on with another worker where its own is gone before it has begun", async () => {
  const { id } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
  const [version] = await house.database.query<{ id: string }>(
    "select published_version_id as id from system.workflows where id = $1::text::uuid",
    [id],
  );
  const run = randomUUID();
  const acceptance = await acceptRun(house.database, {
    run: {
      id: run,
      workflowId: id,
      versionId: version?.id ?? "",
      input: '{"body":{}}',
      callerUserId: null,
      executeAsUserId: house.userId,
      token: null,
      replyChannel: null,
      requestId: null,
      traceParent: null,
      priority: "NORMAL",
    },
    slot: { owner: "gone", leaseMs: 400 },
  });
  expect(acceptance?.kind).toBe("HELD");
  house.startWorker();
  await ended("SUCCEEDED", "2")(run);
});

it("is handed back, not lost, where the worker is told to stop while the run is written", async () => {
  const worker = house.startWorker();
  const { slug } = await house.publish(
    [{ id: "trip", kind: "createRow", table: "trip", values: { note: "x" } }],
    { response: "ASYNCHRONOUS" },
  );
  let closing: Promise<void> | undefined;
  let call: Promise<{ body: { data: { run: string } } }> | undefined;
  await house.database.transaction(async (transaction) => {
    await transaction.query("lock table system.workflow_runs in share mode");
    call = house.call(slug);
    await expect
      .poll(() =>
        transaction.query(
          `select 1 from pg_locks where relation = 'system.workflow_runs'::regclass and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        ),
      )
      .toHaveLength(1);
    closing = worker.close();
  });
  await closing;
  house.workers.delete(worker);
  const run = (await call)?.body.data.run ?? "";
  expect(await accepted()).toEqual([{ status: "RUNNING", fence: "1" }]);
  expect(await house.readRun(run)).toMatchObject({ status: "RUNNING" });
  house.startWorker();
  await ended("SUCCEEDED", "2")(run);
  expect(await house.countTrips()).toBe(1);
});

it("is answered with what anyone reads of it afterwards, byte for byte", async () => {
  house.startWorker();
  const { caller } = house;
  const results = [
    { result: { b: 1, a: [null, true, 'ü\u2028"\\'], "10": {}, "9": "" } },
    { result: "{{start.data.body}}" },
    { result: null },
    {},
  ];
  for (const finish of results) {
    const { slug, id } = await house.publish([{ id: "end", kind: "finish", ...finish }], {
      access: "AUTHENTICATED",
      executeAs: null,
    });
    await house.allow({ id });
    const body = '{"precise":12345678901234567890.10,"z":1e400,"a":"\\u00fc","list":[ 1,2 ]}';
    const { text, body: answer } = await house.call(slug, { caller, body });
    expect(answer.data.status).toBe("SUCCEEDED");
    expect(await readRunResult(house.database, answer.data.id, caller)).toBe(text);
  }
  const { slug, id } = await house.publish(
    [{ id: "trip", kind: "createRow", table: "trip", values: { note: "refused" } }],
    { access: "AUTHENTICATED", executeAs: null },
  );
  await house.allow({ id });
  const { text, body } = await house.call(slug, { caller });
  expect(body.data).toMatchObject({ status: "FAILED", result: null });
  expect(await readRunResult(house.database, body.data.id, caller)).toBe(text);
});
