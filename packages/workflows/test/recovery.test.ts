// Tier: long. Starts processes.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@rowhouse/db";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterEach, describe, expect, it } from "vitest";
import { reconcileRuns } from "../src/index.ts";
import { LeaseLost } from "../src/model/run.ts";
import { claimRun } from "../src/run/claim-run.ts";
import { releaseRun } from "../src/run/keep-lease.ts";
import { writeJournal } from "../src/run/write-journal.ts";
import { startWorkerProcess } from "./start-worker-process.ts";
import {
  openTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from "./test-environment.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const environment = await openTestEnvironment(options);
  ends.push(() => environment.close());
  return environment;
}

const twoRows = [
  { id: "first", kind: "createRow", table: "trip", values: { note: "first" } },
  { id: "second", kind: "createRow", table: "trip", values: { note: "held" } },
  { id: "end", kind: "finish", result: "{{steps.second.note}}" },
] as const;
const later = { response: "ASYNCHRONOUS" } as const;

async function accept(
  environment: TestEnvironment,
  steps: Parameters<TestEnvironment["publish"]>[0],
): Promise<string> {
  const { slug } = await environment.publish(steps, later);
  return (await environment.call(slug)).body.data.run;
}

/** Starts a worker in a process of its own; resolves once it listens. */
async function startProcess(environment: TestEnvironment, variables: Record<string, string>) {
  const { queueServer } = environment;
  const child = startWorkerProcess({
    DATABASE_URL: environment.url,
    ...(queueServer.kind === "REDIS" ? { REDIS_URL: queueServer.url } : {}),
    ...variables,
  });
  ends.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const said = (word: string) => expect.poll(() => output, { interval: 20 }).toContain(word);
  await said("ready");
  return { child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

const backends = ["POSTGRES", ...(hasRedis() ? (["REDIS"] as const) : [])] as const;

describe.each(backends)("a worker in a process of its own, with BullMQ on %s", (backend) => {
  async function openOn(options: TestEnvironmentOptions): Promise<TestEnvironment> {
    const redis: RedisServer | undefined = backend === "REDIS" ? await startRedis() : undefined;
    if (redis !== undefined) ends.push(() => redis.stop());
    return open({ ...options, redisUrl: redis?.url });
  }

  it("a run whose worker is killed inside a step continues, and each row is written once", async () => {
    const environment = await openOn({ workers: 0, leaseMs: 1500, reconcileEveryMs: 500 });
    const { child, said } = await startProcess(environment, { HOLD_MS: "60000", LEASE_MS: "1500" });
    const run = await accept(
      environment,
      twoRows.map((step) => ({ ...step })),
    );
    await said("held");
    await kill(child);
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "2", result: "held" });
    expect(await environment.countTrips()).toBe(2);
  });

  it("another worker takes a run whose worker is killed between its job and its claim", async () => {
    const environment = await openOn({ workers: 0, leaseMs: 1500, reconcileEveryMs: 500 });
    const run = await accept(environment, [{ id: "end", kind: "finish", result: 1 }]);
    await environment.database.transaction(async (transaction) => {
      await transaction.query(
        "select 1 from system.workflow_runs where id = $1::text::uuid for update",
        [run],
      );
      const { child } = await startProcess(environment, { LEASE_MS: "1500" });
      const waiting = `from pg_stat_activity where datname = current_database()
        and application_name = 'worker-process' and wait_event_type = 'Lock'`;
      await expect.poll(() => environment.database.query(`select pid ${waiting}`)).toHaveLength(1);
      await kill(child);
      await environment.database.query(`select pg_terminate_backend(pid, 5000) ${waiting}`);
    });
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "1" });
  });

  it("a worker that was frozen past its lease writes nothing when it resumes", async () => {
    const environment = await openOn({ workers: 0, leaseMs: 1000, reconcileEveryMs: 500 });
    const { child, said } = await startProcess(environment, { HOLD_MS: "200", LEASE_MS: "1000" });
    const run = await accept(
      environment,
      twoRows.map((step) => ({ ...step })),
    );
    await said("held");
    child.kill("SIGSTOP");
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "2" });
    child.kill("SIGCONT");
    await said("released");
    await sleep(500);
    expect(await environment.countTrips()).toBe(2);
    expect(await environment.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "2" });
    const steps = await environment.database.query<{ fence: string }>(
      "select fence::text from system.workflow_run_steps where run_id = $1::text::uuid order by position",
      [run],
    );
    expect(steps.map((step) => step.fence)).toEqual(["1", "2", "2"]);
  });

  it("a worker that was frozen past its lease does not record a statement's timeout as a fault", async () => {
    const environment = await openOn({ workers: 0, leaseMs: 1500, reconcileEveryMs: 500 });
    const { child } = await startProcess(environment, { LEASE_MS: "1500", STATEMENT_MS: "1000" });
    const waiting = () =>
      environment.database.query(
        `select 1 from pg_stat_activity where datname = current_database()
           and application_name = 'worker-process' and wait_event_type = 'Lock'`,
      );
    let run = "";
    await environment.database.transaction(async (transaction) => {
      await transaction.query("lock table public.trip in exclusive mode");
      run = await accept(environment, [
        { id: "only", kind: "createRow", table: "trip", values: { note: "once" } },
      ]);
      await expect.poll(waiting).toHaveLength(1);
      child.kill("SIGSTOP");
      await expect.poll(waiting).toHaveLength(0);
    });
    await sleep(1500);
    child.kill("SIGCONT");
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", error: null });
    expect(await environment.countTrips()).toBe(1);
  });
});

describe("a run whose workers stop", () => {
  const variables = { HOLD_MS: "60000", LEASE_MS: "1000" };
  const openIdle = () => open({ workers: 0, leaseMs: 1000, reconcileEveryMs: 300 });
  const freeze = { id: "freeze", kind: "setValues", values: {} } as const;

  async function leasesOver(environment: TestEnvironment): Promise<void> {
    const held =
      "select id from system.workflow_runs where finished_at is null and lease_until > clock_timestamp()";
    await expect.poll(() => environment.database.query(held), { timeout: 5000 }).toEqual([]);
  }

  it("a run that freezes two workers fails, and other runs of these workers continue", async () => {
    const environment = await openIdle();
    const first = await startProcess(environment, variables);
    const beside = await accept(
      environment,
      twoRows.map((step) => ({ ...step })),
    );
    await first.said("held");
    const frozen = await accept(environment, [freeze]);
    await first.said("frozen");
    await leasesOver(environment);
    await kill(first.child);
    const second = await startProcess(environment, variables);
    await second.said("frozen");
    await leasesOver(environment);
    await kill(second.child);
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(frozen))
      .toMatchObject({ status: "FAILED", error: { code: "RUN_STALLED" } });
    await expect.poll(() => environment.readRun(beside)).toMatchObject({ status: "SUCCEEDED" });
    expect(await environment.countTrips()).toBe(2);
  });

  it("a run that freezes two workers after a step fails, and the step's row is written once", async () => {
    const environment = await openIdle();
    const run = await (async () => {
      const { slug } = await environment.publish(
        [{ id: "row", kind: "createRow", table: "trip", values: { note: "before" } }, freeze],
        later,
      );
      return (await environment.call(slug)).body.data.run;
    })();
    // The second worker writes the row before it reaches the step that froze the first.
    for (const _ of [1, 2]) {
      const { child, said } = await startProcess(environment, variables);
      await said("frozen");
      await leasesOver(environment);
      await kill(child);
    }
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "FAILED", error: { code: "RUN_STALLED" } });
    expect(await environment.countTrips()).toBe(1);
  });

  it("a run continues however often its workers are killed while it waits for a step", async () => {
    const environment = await openIdle();
    const run = await accept(
      environment,
      twoRows.map((step) => ({ ...step })),
    );
    for (const _ of [1, 2, 3]) {
      const { child, said } = await startProcess(environment, variables);
      await said("held");
      await kill(child);
    }
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run), { timeout: 5000 })
      .toMatchObject({ status: "SUCCEEDED", result: "held" });
    expect(await environment.countTrips()).toBe(2);
  });
});

describe("the journal", () => {
  it("nothing is written under an older fencing number, or after the end", async () => {
    const environment = await open({ workers: 0 });
    const run = await accept(environment, [{ id: "end", kind: "finish", result: 1 }]);
    const first = await claimRun(environment.database, run, "first", 10_000);
    expect(first?.fence).toBe("1");
    expect(await claimRun(environment.database, run, "second", 10_000)).toBeUndefined();
    await releaseRun(environment.database, { runId: run, fence: "1" });
    const second = await claimRun(environment.database, run, "second", 10_000);
    expect(second?.fence).toBe("2");
    const entry = {
      path: "end",
      position: 0,
      kind: "finish",
      status: "SUCCEEDED",
      output: 1,
      error: null,
      attempt: 1,
      resumeInMs: null,
      childRunId: null,
      startedAt: 0,
      finishedAt: 0,
    } as const;
    const outcome = { status: "SUCCEEDED", result: 1, error: null } as const;
    const write = (fence: string, status: "SUCCEEDED" | "FAILED" = "SUCCEEDED") =>
      writeJournal(environment.database, {
        runId: run,
        fence,
        entries: [entry],
        outcome: { ...outcome, status },
        cancellableAfter: undefined,
      });
    await expect(write("1")).rejects.toBeInstanceOf(LeaseLost);
    expect(await write("2")).toEqual({
      ended: { id: run, status: "SUCCEEDED", result: "1", error: null },
      cancelling: false,
    });
    await expect(write("2", "FAILED")).rejects.toBeInstanceOf(LeaseLost);
    expect(await claimRun(environment.database, run, "third", 10_000)).toBeUndefined();
    await expect(
      environment.database.query(
        "update system.workflow_runs set status = 'FAILED' where id = $1::text::uuid",
        [run],
      ),
    ).rejects.toThrow("A finished run does not change");
    await expect(
      environment.database.query(
        "update system.workflow_run_steps set output = '2' where run_id = $1::text::uuid",
        [run],
      ),
    ).rejects.toThrow("The outcome of a step does not change");
  });

  it("a row is rolled back if its worker loses the run before the row is journaled", async () => {
    const environment = await open({ leaseMs: 400, workers: 0 });
    let claims = 0;
    environment.rows.onCreate = async () => {
      claims += 1;
      // Another worker claims the run while the first holder is inside its step.
      if (claims === 1) {
        await environment.database.query(
          "update system.workflow_runs set lease_until = '-infinity'",
        );
        await reconcileRuns(environment, 0);
        await sleep(400);
      }
    };
    environment.startWorker({ leaseMs: 60_000 });
    const run = await accept(environment, [
      { id: "only", kind: "createRow", table: "trip", values: { note: "once" } },
    ]);
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "2" });
    await expect.poll(() => claims).toBe(2);
    await sleep(600);
    expect(await environment.countTrips()).toBe(1);
  });
});

describe("the reconciler", () => {
  it("the reconciler wakes a worker for a run whose wake-up was lost", async () => {
    const environment = await open({ workers: 0, reconcileEveryMs: 60_000 });
    const run = await accept(environment, [{ id: "end", kind: "finish", result: 1 }]);
    await expect.poll(() => environment.queue.countWaiting()).toBe(1);
    await environment.database.query("delete from rowhouse_queue.job");
    environment.startWorker();
    await sleep(300);
    expect((await environment.readRun(run)).status).toBe("QUEUED");
    expect(await reconcileRuns(environment, 0)).toBe(1);
    await expect.poll(() => environment.readRun(run)).toMatchObject({ status: "SUCCEEDED" });
  });

  it("the reconciler adds no second wake-up for a run that has one", async () => {
    const environment = await open({ workers: 0, reconcileEveryMs: 60_000 });
    await accept(environment, [{ id: "end", kind: "finish", result: 1 }]);
    await expect.poll(() => environment.queue.countWaiting()).toBe(1);
    await reconcileRuns(environment, 0);
    await reconcileRuns(environment, 0);
    expect(await environment.queue.countWaiting()).toBe(1);
  });

  it("one process at a time reconciles", async () => {
    const environment = await open({ workers: 0, reconcileEveryMs: 60_000 });
    await sleep(200);
    await environment.database.transaction(async (transaction) => {
      await transaction.query("select pg_advisory_xact_lock(7723118203)");
      expect(await reconcileRuns(environment, 0)).toBeUndefined();
    });
    expect(await reconcileRuns(environment, 0)).toBe(0);
  });
});

describe("a worker that stops", () => {
  it("a stopping worker hands its run back after the step in progress, and another worker continues at once", async () => {
    const environment = await open({ workers: 0, reconcileEveryMs: 60_000 });
    const first = environment.startWorker();
    let endStep = () => {};
    const stepBegan = new Promise<void>((resolve) => {
      environment.rows.onCreate = () => {
        resolve();
        return new Promise((end) => {
          endStep = end;
        });
      };
    });
    const run = await accept(
      environment,
      twoRows.map((step) => ({ ...step })),
    );
    await stepBegan;
    environment.rows.onCreate = async () => {};
    const closed = first.close();
    endStep();
    await closed;
    environment.workers.delete(first);
    expect(await environment.readRun(run)).toMatchObject({ status: "RUNNING", fence: "1" });
    expect(await environment.countTrips()).toBe(1);
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({
        status: "SUCCEEDED",
        fence: "2",
      });
    expect(await environment.countTrips()).toBe(2);
  });
});

describe("a run", () => {
  it("a worker keeps its lease during a long step", async () => {
    const environment = await open({ leaseMs: 1500, reconcileEveryMs: 400 });
    environment.rows.onCreate = () => sleep(4000);
    const run = await accept(environment, [
      { id: "only", kind: "createRow", table: "trip", values: { note: "slow" } },
    ]);
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "1" });
  });

  it("a run continues from its journal after the database was too slow to write it", async () => {
    const environment = await open({ workers: 0, leaseMs: 2000, reconcileEveryMs: 300 });
    const impatient = openDatabase({
      url: environment.url,
      applicationName: "impatient",
      connectionsMax: 20,
      statementTimeoutMs: 400,
    });
    ends.push(() => impatient.close());
    let attempts = 0;
    let locked: Promise<unknown> = Promise.resolve();
    environment.rows.onCreate = async () => {
      attempts += 1;
      if (attempts > 1) return;
      // Another session locks the run's row until a statement has timed out.
      await new Promise<void>((resolve) => {
        locked = environment.database.transaction(async (transaction) => {
          await transaction.query("select 1 from system.workflow_runs for update");
          resolve();
          await expect.poll(() => environment.failures.length).toBeGreaterThan(0);
        });
      });
    };
    environment.startWorker({ database: impatient });
    const run = await accept(environment, [
      { id: "only", kind: "createRow", table: "trip", values: { note: "once" } },
    ]);
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", error: null });
    await locked;
    expect(attempts).toBeGreaterThan(1);
    expect(await environment.countTrips()).toBe(1);
  });

  it("a run fails if the user it executes as was deactivated meanwhile", async () => {
    const environment = await open({ workers: 0 });
    const run = await accept(environment, [{ id: "end", kind: "finish", result: 1 }]);
    await environment.database.query(
      "update system.users set active = false where id = $1::text::uuid",
      [environment.userId],
    );
    environment.startWorker();
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "FAILED", error: { code: "EXECUTE_AS_INACTIVE" } });
  });
});

it("a worker that was frozen between intent and sending does not send the request", async () => {
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => {
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const environment = await open({ workers: 0, leaseMs: 1500, reconcileEveryMs: 300 });
  const { child, said } = await startProcess(environment, {
    LEASE_MS: "1500",
    HOLD_HOSTS_MS: "1000",
  });
  const run = await accept(environment, [
    { id: "call", kind: "httpRequest", method: "POST", url: `http://127.0.0.1:${port}/` },
  ]);
  await said("asked");
  await environment.database.transaction(async (transaction) => {
    await transaction.query("select 1 from system.workflow_runs for update");
    await expect
      .poll(() =>
        environment.database.query(
          `select pid from pg_stat_activity where datname = current_database()
             and wait_event_type = 'Lock' and query like '%workflow_run_steps%'`,
        ),
      )
      .toHaveLength(1);
    // The intent is written, and the worker resumes after others have taken its run.
    child.kill("SIGSTOP");
  });
  environment.startWorker();
  await expect
    .poll(() => environment.readRun(run))
    .toMatchObject({ status: "FAILED", error: { code: "STEP_OUTCOME_UNKNOWN" } });
  child.kill("SIGCONT");
  await sleep(1000);
  expect(count).toBe(0);
});

describe("an HTTP step whose worker stopped before it recorded the response", () => {
  async function run(method: "GET" | "POST" | "PUT" | "DELETE") {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(String(request.headers["idempotency-key"]));
      response.end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    ends.push(async () => {
      server.close();
    });
    const environment = await open({ workers: 0, allowedHosts: ["127.0.0.1"] });
    const id = await accept(environment, [
      { id: "call", kind: "httpRequest", method, url: `http://127.0.0.1:${port}/` },
    ]);
    // The state that a worker leaves if it is killed after it has recorded its intent.
    const claim = await claimRun(environment.database, id, "killed", 10_000);
    await writeJournal(environment.database, {
      runId: id,
      fence: claim?.fence ?? "",
      entries: [
        {
          path: "call",
          position: 0,
          kind: "httpRequest",
          status: "STARTED",
          output: null,
          error: null,
          attempt: 1,
          resumeInMs: null,
          childRunId: null,
          startedAt: Date.now(),
          finishedAt: null,
        },
      ],
      outcome: undefined,
      cancellableAfter: undefined,
    });
    await environment.database.query("update system.workflow_runs set lease_until = '-infinity'");
    environment.startWorker();
    await reconcileRuns(environment, 0);
    await expect
      .poll(async () => (await environment.readRun(id)).status)
      .toMatch(/SUCCEEDED|FAILED/);
    return { seen, id, run: await environment.readRun(id) };
  }

  it.each(["GET", "PUT", "DELETE"] as const)(
    "%s is sent again with the same key",
    async (method) => {
      const { seen, id, run: ended } = await run(method);
      expect(seen).toEqual([`${id}:call`]);
      expect(ended.status).toBe("SUCCEEDED");
    },
  );

  it("POST fails with an unknown outcome and is not sent twice", async () => {
    const { seen, run: ended } = await run("POST");
    expect(seen).toEqual([]);
    expect(ended).toMatchObject({
      status: "FAILED",
      error: { code: "STEP_OUTCOME_UNKNOWN", step: "call" },
    });
  });
});
