// Tier: long. Starts processes.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { moveClock } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type DefinitionInput,
  deleteWorkflow,
  publishWorkflow,
  requireWorkflow,
  rollBackWorkflow,
  setWorkflowEnabled,
  startRun,
  testWorkflow,
  updateWorkflow,
} from "../src/index.ts";
import { fireSchedules } from "../src/schedule/fire-schedules.ts";
import { startWorkerProcess } from "./start-worker-process.ts";
import {
  actor,
  asTest,
  openTestEnvironment,
  type TestEnvironment,
  vault,
} from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  // No timer runs here: the tests fire schedules themselves.
  environment = await openTestEnvironment({ workers: 0, reconcileEveryMs: 3_600_000 });
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.database.query("delete from system.workflow_runs");
  await environment.database.query("update system.workflow_schedules set next_at = null");
  aheadSeconds = 0;
  await moveClock(environment.database, 0);
});

type Schedule = Partial<Extract<DefinitionInput["trigger"], { kind: "schedule" }>>;
const steps: DefinitionInput["steps"] = [{ id: "end", kind: "finish", result: "{{start.data}}" }];
const schedule = (trigger: Schedule = {}, more: Partial<DefinitionInput> = {}) =>
  environment.publish(
    steps,
    { kind: "schedule", cron: "0 * * * *", executeAs: environment.userId, ...trigger },
    more,
  );

let aheadSeconds = 0;
const hours = 3600;
const move = async (seconds: number) => {
  aheadSeconds += seconds;
  await moveClock(environment.database, aheadSeconds);
};
/** The full hour that is so many hours after the current one, by the moved clock. */
const hour = (offset: number): string => {
  const now = Date.now() + aheadSeconds * 1000;
  return new Date((Math.floor(now / 3_600_000) + offset) * 3_600_000).toISOString();
};
/** Moves to twenty past an hour, so that no test crosses a full or a half hour. */
const moveIntoHour = async () => {
  const now = Date.now() / 1000;
  await move(Math.round(1200 - (now % 3600)) + 3600);
};

const woken = new Map<string, string>();
const failures: unknown[] = [];
const fire = () =>
  fireSchedules({
    database: environment.database,
    wakeRun: (runId, priority) => woken.set(runId, priority),
    report: (error) => failures.push(error),
  });
const runsOf = async (id: string) =>
  environment.database.query<{
    id: string;
    origin: string;
    executeAs: string;
    input: { scheduledAt: string; firedAt: string; previous: string | null };
  }>(
    `select id, origin, execute_as_user_id as "executeAs", input from system.workflow_runs
     where workflow_id = $1::text::uuid order by scheduled_at`,
    [id],
  );
const momentsOf = async (id: string) => (await runsOf(id)).map(({ input }) => input.scheduledAt);
const nextOf = async (id: string) => {
  const { nextRunAt } = await requireWorkflow(environment.database, id);
  return nextRunAt === null ? null : new Date(nextRunAt).toISOString();
};
const changeTrigger = (id: string, trigger: object) =>
  updateWorkflow(environment.database, id, { definition: { trigger, steps } }, actor);

describe("a schedule", () => {
  it("a schedule starts a run at its moment and not before, as the user it names", async () => {
    await moveIntoHour();
    const { id } = await schedule({}, { priority: "HIGH" });
    const first = hour(1);
    expect(await nextOf(id)).toBe(first);
    const dueInMs = await fire();
    expect(dueInMs).toBeGreaterThan(0);
    expect(dueInMs).toBeLessThan(3_600_000);
    expect(await runsOf(id)).toEqual([]);

    await move(hours);
    await fire();
    const [run] = await runsOf(id);
    expect(run).toMatchObject({
      origin: "SCHEDULE",
      executeAs: environment.userId,
      input: { scheduledAt: first, previous: null },
    });
    expect(Date.parse(run?.input.firedAt ?? "")).toBeGreaterThan(Date.parse(first));
    expect(woken.get(run?.id ?? "")).toBe("HIGH");
    expect(await nextOf(id)).toBe(hour(1));

    await fire();
    await move(hours);
    await fire();
    expect((await runsOf(id)).map(({ input }) => [input.scheduledAt, input.previous])).toEqual([
      [first, null],
      [hour(0), first],
    ]);
  });

  it("a schedule that was missed starts one run for the last moment, unless catchUp differs", async () => {
    await moveIntoHour();
    const latest = await schedule();
    const every = await schedule({ catchUp: "ALL" });
    const none = await schedule({ catchUp: "NONE" });
    await move(3 * hours);
    await fire();
    expect(await momentsOf(latest.id)).toEqual([hour(0)]);
    expect(await momentsOf(every.id)).toEqual([hour(-2), hour(-1), hour(0)]);
    expect(await momentsOf(none.id)).toEqual([]);
    for (const { id } of [latest, every, none]) expect(await nextOf(id)).toBe(hour(1));
  });

  it("overlap decides whether an occurrence starts while the previous run is open", async () => {
    await moveIntoHour();
    const allow = await schedule();
    const skip = await schedule({ overlap: "SKIP" });
    const moments: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await move(hours);
      moments.push(hour(0));
      await fire();
    }
    expect(await momentsOf(allow.id)).toEqual(moments);
    expect(await momentsOf(skip.id)).toEqual(moments.slice(0, 1));
    await environment.database.query(
      "update system.workflow_runs set status = 'SUCCEEDED', finished_at = now()",
    );
    await move(hours);
    await fire();
    const last = (await runsOf(skip.id)).at(-1);
    // An omitted occurrence is not the previous one.
    expect(last?.input).toMatchObject({ scheduledAt: hour(0), previous: moments[0] });
  });

  it("a disabled workflow's schedule pauses and does not catch up that time", async () => {
    await moveIntoHour();
    const { id } = await schedule({ catchUp: "ALL" });
    await setWorkflowEnabled(environment.database, id, false, actor);
    expect(await nextOf(id)).toBeNull();
    await move(2 * hours);
    expect(await fire()).toBeUndefined();
    await setWorkflowEnabled(environment.database, id, true, actor);
    expect(await nextOf(id)).toBe(hour(1));
    await fire();
    expect(await runsOf(id)).toEqual([]);
  });

  it("a newly published schedule applies at once; a due moment is lost only if its expression changes", async () => {
    await moveIntoHour();
    const trigger = { kind: "schedule", cron: "0 * * * *", executeAs: environment.userId };
    const { id } = await schedule();
    await move(hours);
    const due = hour(0);
    await changeTrigger(id, { ...trigger, overlap: "SKIP" });
    await publishWorkflow({ database: environment.database, vault }, id, actor);
    expect(await nextOf(id)).toBe(due);
    await changeTrigger(id, { ...trigger, timeZone: "Asia/Kolkata" });
    await publishWorkflow({ database: environment.database, vault }, id, actor);
    // Half an hour from the full ones.
    expect(await nextOf(id)).toBe(new Date(Date.parse(due) + 1_800_000).toISOString());
    await changeTrigger(id, { kind: "webhook", executeAs: environment.userId });
    await publishWorkflow({ database: environment.database, vault }, id, actor);
    expect(await nextOf(id)).toBeNull();
    await rollBackWorkflow({ database: environment.database, vault }, id, 1, actor);
    expect(await nextOf(id)).toBe(hour(1));
    await deleteWorkflow(environment.database, id, actor);
    expect(await fire()).toBeUndefined();
  });

  it("one of many workers fires a schedule, and the others do not wait for it", async () => {
    await moveIntoHour();
    const flows = await Promise.all(Array.from({ length: 30 }, () => schedule({ catchUp: "ALL" })));
    await move(4 * hours);
    const [first] = flows;
    await environment.database.transaction(async (held) => {
      await held.query(
        "select 1 from system.workflow_schedules where workflow_id = $1::text::uuid for update",
        [first?.id ?? ""],
      );
      await Promise.all(Array.from({ length: 6 }, () => fire()));
      // A locked schedule is retried at the normal interval, not immediately.
      expect(await fire()).toBeGreaterThan(0);
    });
    expect(await momentsOf(first?.id ?? "")).toEqual([]);
    await fire();
    const moments = [hour(-3), hour(-2), hour(-1), hour(0)];
    for (const { id } of flows) expect(await momentsOf(id)).toEqual(moments);
  });

  it("a schedule that fails leaves no trace, blocks no other schedule and is retried", async () => {
    await moveIntoHour();
    const bad = await schedule();
    const good = await schedule();
    await move(hours);
    await environment.database.query(
      `create function public.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse before update on system.workflow_schedules for each row
         when (old.workflow_id = '${bad.id}') execute function public.refuse()`,
    );
    failures.length = 0;
    await fire();
    expect(failures).toHaveLength(1);
    expect([await momentsOf(bad.id), await momentsOf(good.id)]).toEqual([[], [hour(0)]]);
    await environment.database.query("drop function public.refuse() cascade");
    await fire();
    expect(await momentsOf(bad.id)).toEqual([hour(0)]);
  });

  it("a schedule of a deleted user continues, with failed runs", async () => {
    await moveIntoHour();
    const [user] = await environment.database.query<{ id: string }>(
      "insert into system.users (email) values ('gone@example.org') returning id",
    );
    const { id } = await schedule({ executeAs: user?.id ?? "" });
    await environment.database.query("delete from system.users where id = $1::text::uuid", [
      user?.id ?? "",
    ]);
    await move(hours);
    await fire();
    const failed = await environment.database.query(
      `select status, error ->> 'code' as code, finished_at is not null as "hasEnded"
       from system.workflow_runs where workflow_id = $1::text::uuid`,
      [id],
    );
    expect(failed).toEqual([{ status: "FAILED", code: "EXECUTE_AS_GONE", hasEnded: true }]);
    expect(await momentsOf(id)).toEqual([hour(0)]);
    expect(await nextOf(id)).toBe(hour(1));
    const [run] = await runsOf(id);
    expect(woken.has(run?.id ?? "")).toBe(false);
  });

  it("a scheduled workflow can be tested and started by hand with given moments", async () => {
    const { id } = await schedule();
    const given = { scheduledAt: "2026-01-01T00:00:00Z", previous: "2025-12-31T23:00:00+01:00" };
    const runs = [
      await testWorkflow({ database: environment.database, vault }, id, asTest(given), actor),
      await startRun(environment.database, id, {}, actor),
    ];
    const inputs = (await runsOf(id)).map((run) => [run.origin, run.input]);
    expect(runs).toHaveLength(2);
    expect(inputs).toEqual(
      expect.arrayContaining([
        ["TEST", { ...given, firedAt: expect.any(String) }],
        [
          "MANUAL",
          { scheduledAt: expect.any(String), firedAt: expect.any(String), previous: null },
        ],
      ]),
    );
    await expect(
      startRun(environment.database, id, { scheduledAt: "soon" }, actor),
    ).rejects.toThrow();
  });
});

/** A worker's process that is ready. */
async function startProcess(databaseUrl: string): Promise<ChildProcess> {
  const child = startWorkerProcess({
    DATABASE_URL: databaseUrl,
    LEASE_MS: "2000",
    TIMERS_MS: "50",
  });
  await once(createInterface({ input: child.stdout }), "line");
  return child;
}

describe("the workers of several processes", () => {
  it("several processes run each of hundreds of moments once and lose none when one is killed", async () => {
    const crowd = await openTestEnvironment({ workers: 0, reconcileEveryMs: 100 });
    const children = await Promise.all([1, 2, 3].map(() => startProcess(crowd.url)));
    const flows = await Promise.all(
      Array.from({ length: 5 }, () =>
        crowd.publish(
          [
            {
              id: "trip",
              kind: "createRow",
              table: "trip",
              values: { note: "{{start.data.scheduledAt}}" },
            },
          ],
          { kind: "schedule", cron: "* * * * *", catchUp: "ALL", executeAs: crowd.userId },
        ),
      ),
    );
    const pending = async () => {
      const [row] = await crowd.database.query<{ count: number }>(
        `select (select count(*) from system.workflow_schedules where next_at <= system.clock())::integer
           + (select count(*) from system.workflow_runs where finished_at is null)::integer as count`,
      );
      return row?.count;
    };
    for (let step = 1; step <= 3; step += 1) {
      await moveClock(crowd.database, step * 1800);
      if (step === 2) {
        // In the middle: some moments are fired, others are not.
        await expect.poll(pending).toBeGreaterThan(0);
        children[0]?.kill("SIGKILL");
        children.push(await startProcess(crowd.url));
      }
      await expect.poll(pending, { timeout: 90_000, interval: 100 }).toBe(0);
    }
    for (const { id } of flows) {
      const [row] = await crowd.database.query<Record<string, number>>(
        `select count(*)::integer as runs, count(distinct scheduled_at)::integer as moments,
           (extract(epoch from max(scheduled_at) - min(scheduled_at)) / 60)::integer + 1 as minutes,
           (count(*) filter (where status <> 'SUCCEEDED'))::integer as others
         from system.workflow_runs where workflow_id = $1::text::uuid`,
        [id],
      );
      expect(row).toEqual({
        runs: row?.minutes,
        moments: row?.minutes,
        minutes: row?.minutes,
        others: 0,
      });
      expect(row?.minutes).toBeGreaterThanOrEqual(90);
    }
    const [rows] = await crowd.database.query<{ rows: number; runs: number; most: number }>(
      `select count(*)::integer as rows, (select count(*) from system.workflow_runs)::integer as runs,
         (select max(c) from (select count(*) as c from public.trip group by note) g)::integer as most
       from public.trip`,
    );
    // One row for each run; the moments of the five schedules coincide.
    expect(rows).toEqual({ rows: rows?.runs, runs: rows?.runs, most: 5 });
    for (const child of children) child.kill("SIGKILL");
    await crowd.close();
  }, 240_000);
});
