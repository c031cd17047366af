import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@rowhouse/db";
import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterEach, describe, expect, it } from "vitest";
import { reconcileRuns } from "../src/index.ts";
import { LeaseLost } from "../src/model/run.ts";
import { claimRun } from "../src/run/claim-run.ts";
import { releaseRun } from "../src/run/keep-lease.ts";
import { writeJournal } from "../src/run/write-journal.ts";
import { type House, type HouseOptions, openHouse } from "./house.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(options: HouseOptions = {}): Promise<House> {
  const house = await openHouse(options);
  ends.push(() => house.close());
  return house;
}

const twoRows = [
  { id: "first", kind: "createRow", table: "trip", values: { note: "first" } },
  { id: "second", kind: "createRow", table: "trip", values: { note: "held" } },
  { id: "end", kind: "finish", result: "{{steps.second.note}}" },
] as const;
const later = { response: "ASYNCHRONOUS" } as const;

async function accept(house: House, steps: Parameters<House["publish"]>[0]): Promise<string> {
  const { slug } = await house.publish(steps, later);
  return (await house.call(slug)).body.data.run;
}

/** A worker in a process of its own; resolves when it has begun to listen. */
async function startProcess(house: House, environment: Record<string, string>) {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const child = spawn(
    process.execPath,
    [
      "--conditions",
      "rowhouse-source",
      "--import",
      "tsx",
      fileURLToPath(new URL("worker-process.ts", import.meta.url)),
    ],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: house.url,
        ...(house.queueServer.kind === "REDIS" ? { REDIS_URL: house.queueServer.url } : {}),
        ...environment,
      },
    },
  );
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
  async function openOn(options: HouseOptions): Promise<House> {
    const redis: RedisServer | undefined = backend === "REDIS" ? await startRedis() : undefined;
    if (redis !== undefined) ends.push(() => redis.stop());
    return open({ ...options, redisUrl: redis?.url });
  }

  it("that is killed inside a step leaves a run that goes on, each row written once", async () => {
    const house = await openOn({ workers: 0, leaseMs: 1500, reconcileEveryMs: 500 });
    const { child, said } = await startProcess(house, { HOLD_MS: "60000", LEASE_MS: "1500" });
    const run = await accept(
      house,
      twoRows.map((step) => ({ ...step })),
    );
    await said("held");
    await kill(child);
    house.startWorker();
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({ status: "SUCCEEDED", fence: "2", result: "held" });
    expect(await house.countTrips()).toBe(2);
  });

  it("that is killed between its job and its claim leaves the run to another one", async () => {
    const house = await openOn({ workers: 0, leaseMs: 1500, reconcileEveryMs: 500 });
    const run = await accept(house, [{ id: "end", kind: "finish", result: 1 }]);
    await house.database.transaction(async (transaction) => {
      await transaction.query(
        "select 1 from system.workflow_runs where id = $1::text::uuid for update",
        [run],
      );
      const { child } = await startProcess(house, { LEASE_MS: "1500" });
      const waiting = `from pg_stat_activity where datname = current_database()
        and application_name = 'worker-process' and wait_event_type = 'Lock'`;
      await expect.poll(() => house.database.query(`select pid ${waiting}`)).toHaveLength(1);
      await kill(child);
      await house.database.query(`select pg_terminate_backend(pid, 5000) ${waiting}`);
    });
    house.startWorker();
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "1" });
  });

  it("that is frozen past its lease writes nothing when it wakes", async () => {
    const house = await openOn({ workers: 0, leaseMs: 1000, reconcileEveryMs: 500 });
    const { child, said } = await startProcess(house, { HOLD_MS: "200", LEASE_MS: "1000" });
    const run = await accept(
      house,
      twoRows.map((step) => ({ ...step })),
    );
    await said("held");
    child.kill("SIGSTOP");
    house.startWorker();
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "2" });
    child.kill("SIGCONT");
    await said("released");
    await sleep(500);
    expect(await house.countTrips()).toBe(2);
    expect(await house.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "2" });
    const steps = await house.database.query<{ fence: string }>(
      "select fence::text from system.workflow_run_steps where run_id = $1::text::uuid order by position",
      [run],
    );
    expect(steps.map((step) => step.fence)).toEqual(["1", "2", "2"]);
  });

  it("that is frozen past its lease takes no time limit for a fault that passed meanwhile", async () => {
    const house = await openOn({ workers: 0, leaseMs: 1500, reconcileEveryMs: 500 });
    const { child } = await startProcess(house, { LEASE_MS: "1500", STATEMENT_MS: "1000" });
    const waiting = () =>
      house.database.query(
        `select 1 from pg_stat_activity where datname = current_database()
           and application_name = 'worker-process' and wait_event_type = 'Lock'`,
      );
    let run = "";
    await house.database.transaction(async (transaction) => {
      await transaction.query("lock table public.trip in exclusive mode");
      run = await accept(house, [
        { id: "only", kind: "createRow", table: "trip", values: { note: "once" } },
      ]);
      await expect.poll(waiting).toHaveLength(1);
      child.kill("SIGSTOP");
      await expect.poll(waiting).toHaveLength(0);
    });
    await sleep(1500);
    child.kill("SIGCONT");
    house.startWorker();
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", error: null });
    expect(await house.countTrips()).toBe(1);
  });
});

describe("a run whose workers stop", () => {
  const environment = { HOLD_MS: "60000", LEASE_MS: "1000" };
  const openIdle = () => open({ workers: 0, leaseMs: 1000, reconcileEveryMs: 300 });
  const freeze = { id: "freeze", kind: "setValues", values: {} } as const;

  async function leasesOver(house: House): Promise<void> {
    const held =
      "select id from system.workflow_runs where finished_at is null and lease_until > clock_timestamp()";
    await expect.poll(() => house.database.query(held), { timeout: 5000 }).toEqual([]);
  }

  it("is failed where it froze them twice, and the runs beside it go on", async () => {
    const house = await openIdle();
    const first = await startProcess(house, environment);
    const beside = await accept(
      house,
      twoRows.map((step) => ({ ...step })),
    );
    await first.said("held");
    const frozen = await accept(house, [freeze]);
    await first.said("frozen");
    await leasesOver(house);
    await kill(first.child);
    const second = await startProcess(house, environment);
    await second.said("frozen");
    await leasesOver(house);
    await kill(second.child);
    house.startWorker();
    await expect
      .poll(() => house.readRun(frozen))
      .toMatchObject({ status: "FAILED", error: { code: "RUN_STALLED" } });
    await expect.poll(() => house.readRun(beside)).toMatchObject({ status: "SUCCEEDED" });
    expect(await house.countTrips()).toBe(2);
  });

  it("is failed where it freezes them after a step, whose row is written once", async () => {
    const house = await openIdle();
    const run = await (async () => {
      const { slug } = await house.publish(
        [{ id: "row", kind: "createRow", table: "trip", values: { note: "before" } }, freeze],
        later,
      );
      return (await house.call(slug)).body.data.run;
    })();
    // The second one writes the row, and only then goes on to what froze the first.
    for (const _ of [1, 2]) {
      const { child, said } = await startProcess(house, environment);
      await said("frozen");
      await leasesOver(house);
      await kill(child);
    }
    house.startWorker();
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({ status: "FAILED", error: { code: "RUN_STALLED" } });
    expect(await house.countTrips()).toBe(1);
  });

  it("goes on however often they are killed while it waits for a step", async () => {
    const house = await openIdle();
    const run = await accept(
      house,
      twoRows.map((step) => ({ ...step })),
    );
    for (const _ of [1, 2, 3]) {
      const { child, said } = await startProcess(house, environment);
      await said("held");
      await kill(child);
    }
    house.startWorker();
    await expect
      .poll(() => house.readRun(run), { timeout: 5000 })
      .toMatchObject({ status: "SUCCEEDED", result: "held" });
    expect(await house.countTrips()).toBe(2);
  });
});

describe("the journal", () => {
  it("takes nothing under an older fencing number, and nothing after the end", async () => {
    const house = await open({ workers: 0 });
    const run = await accept(house, [{ id: "end", kind: "finish", result: 1 }]);
    const first = await claimRun(house.database, run, "first", 10_000);
    expect(first?.fence).toBe("1");
    expect(await claimRun(house.database, run, "second", 10_000)).toBeUndefined();
    await releaseRun(house.database, { runId: run, fence: "1" });
    const second = await claimRun(house.database, run, "second", 10_000);
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
      writeJournal(house.database, {
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
    expect(await claimRun(house.database, run, "third", 10_000)).toBeUndefined();
    await expect(
      house.database.query(
        "update system.workflow_runs set status = 'FAILED' where id = $1::text::uuid",
        [run],
      ),
    ).rejects.toThrow("A finished run does not change");
    await expect(
      house.database.query(
        "update system.workflow_run_steps set output = '2' where run_id = $1::text::uuid",
        [run],
      ),
    ).rejects.toThrow("The outcome of a step does not change");
  });

  it("undoes a row whose worker lost the run before it could be journaled", async () => {
    const house = await open({ leaseMs: 400, workers: 0 });
    let claims = 0;
    house.rows.onCreate = async () => {
      claims += 1;
      // The first holder is taken over while it is inside its step.
      if (claims === 1) {
        await house.database.query("update system.workflow_runs set lease_until = '-infinity'");
        await reconcileRuns(house, 0);
        await sleep(400);
      }
    };
    house.startWorker({ leaseMs: 60_000 });
    const run = await accept(house, [
      { id: "only", kind: "createRow", table: "trip", values: { note: "once" } },
    ]);
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "2" });
    await expect.poll(() => claims).toBe(2);
    await sleep(600);
    expect(await house.countTrips()).toBe(1);
  });
});

describe("the reconciler", () => {
  it("wakes a worker for a run whose wake-up was lost", async () => {
    const house = await open({ workers: 0, reconcileEveryMs: 60_000 });
    const run = await accept(house, [{ id: "end", kind: "finish", result: 1 }]);
    await expect.poll(() => house.queue.countWaiting()).toBe(1);
    await house.database.query("delete from rowhouse_queue.job");
    house.startWorker();
    await sleep(300);
    expect((await house.readRun(run)).status).toBe("QUEUED");
    expect(await reconcileRuns(house, 0)).toBe(1);
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED" });
  });

  it("adds no second wake-up for one that waits", async () => {
    const house = await open({ workers: 0, reconcileEveryMs: 60_000 });
    await accept(house, [{ id: "end", kind: "finish", result: 1 }]);
    await expect.poll(() => house.queue.countWaiting()).toBe(1);
    await reconcileRuns(house, 0);
    await reconcileRuns(house, 0);
    expect(await house.queue.countWaiting()).toBe(1);
  });

  it("leaves the work to one process at a time", async () => {
    const house = await open({ workers: 0, reconcileEveryMs: 60_000 });
    await sleep(200);
    await house.database.transaction(async (transaction) => {
      await transaction.query("select pg_advisory_xact_lock(7723118203)");
      expect(await reconcileRuns(house, 0)).toBeUndefined();
    });
    expect(await reconcileRuns(house, 0)).toBe(0);
  });
});

describe("a worker that is asked to stop", () => {
  it("hands its run back after the step in progress, and another goes on at once", async () => {
    const house = await open({ workers: 0, reconcileEveryMs: 60_000 });
    const first = house.startWorker();
    let endStep = () => {};
    const stepBegan = new Promise<void>((resolve) => {
      house.rows.onCreate = () => {
        resolve();
        return new Promise((end) => {
          endStep = end;
        });
      };
    });
    const run = await accept(
      house,
      twoRows.map((step) => ({ ...step })),
    );
    await stepBegan;
    house.rows.onCreate = async () => {};
    const closed = first.close();
    endStep();
    await closed;
    house.workers.delete(first);
    expect(await house.readRun(run)).toMatchObject({ status: "RUNNING", fence: "1" });
    expect(await house.countTrips()).toBe(1);
    house.startWorker();
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({
        status: "SUCCEEDED",
        fence: "2",
      });
    expect(await house.countTrips()).toBe(2);
  });
});

describe("a run", () => {
  it("keeps its lease as long as its step takes", async () => {
    const house = await open({ leaseMs: 1500, reconcileEveryMs: 400 });
    house.rows.onCreate = () => sleep(4000);
    const run = await accept(house, [
      { id: "only", kind: "createRow", table: "trip", values: { note: "slow" } },
    ]);
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", fence: "1" });
  });

  it("goes on from its journal when the database was too slow to write it", async () => {
    const house = await open({ workers: 0, leaseMs: 2000, reconcileEveryMs: 300 });
    const impatient = openDatabase({
      url: house.url,
      applicationName: "impatient",
      connectionsMax: 20,
      statementTimeoutMs: 400,
    });
    ends.push(() => impatient.close());
    let attempts = 0;
    let locked: Promise<unknown> = Promise.resolve();
    house.rows.onCreate = async () => {
      attempts += 1;
      if (attempts > 1) return;
      // The run's row is in someone's hands until a statement has waited too long for it.
      await new Promise<void>((resolve) => {
        locked = house.database.transaction(async (transaction) => {
          await transaction.query("select 1 from system.workflow_runs for update");
          resolve();
          await expect.poll(() => house.failures.length).toBeGreaterThan(0);
        });
      });
    };
    house.startWorker({ database: impatient });
    const run = await accept(house, [
      { id: "only", kind: "createRow", table: "trip", values: { note: "once" } },
    ]);
    await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", error: null });
    await locked;
    expect(attempts).toBeGreaterThan(1);
    expect(await house.countTrips()).toBe(1);
  });

  it("fails when the user it executes as was deactivated meanwhile", async () => {
    const house = await open({ workers: 0 });
    const run = await accept(house, [{ id: "end", kind: "finish", result: 1 }]);
    await house.database.query("update system.users set active = false where id = $1::text::uuid", [
      house.userId,
    ]);
    house.startWorker();
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({ status: "FAILED", error: { code: "EXECUTE_AS_INACTIVE" } });
  });
});

it("a request is not sent by a worker that was frozen between its intent and the sending", async () => {
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
  const house = await open({ workers: 0, leaseMs: 1500, reconcileEveryMs: 300 });
  const { child, said } = await startProcess(house, { LEASE_MS: "1500", HOLD_HOSTS_MS: "1000" });
  const run = await accept(house, [
    { id: "call", kind: "httpRequest", method: "POST", url: `http://127.0.0.1:${port}/` },
  ]);
  await said("asked");
  await house.database.transaction(async (transaction) => {
    await transaction.query("select 1 from system.workflow_runs for update");
    await expect
      .poll(() =>
        house.database.query(
          `select pid from pg_stat_activity where datname = current_database()
             and wait_event_type = 'Lock' and query like '%workflow_run_steps%'`,
        ),
      )
      .toHaveLength(1);
    // The intent is written, and the worker does not hear of it before others have taken its run.
    child.kill("SIGSTOP");
  });
  house.startWorker();
  await expect
    .poll(() => house.readRun(run))
    .toMatchObject({ status: "FAILED", error: { code: "STEP_OUTCOME_UNKNOWN" } });
  child.kill("SIGCONT");
  await sleep(1000);
  expect(count).toBe(0);
});

describe("an HTTP step whose worker stopped before it knew the answer", () => {
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
    const house = await open({ workers: 0, allowedHosts: ["127.0.0.1"] });
    const id = await accept(house, [
      { id: "call", kind: "httpRequest", method, url: `http://127.0.0.1:${port}/` },
    ]);
    // What a worker leaves behind that was killed after it had recorded its intent.
    const claim = await claimRun(house.database, id, "killed", 10_000);
    await writeJournal(house.database, {
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
    await house.database.query("update system.workflow_runs set lease_until = '-infinity'");
    house.startWorker();
    await reconcileRuns(house, 0);
    await expect.poll(async () => (await house.readRun(id)).status).toMatch(/SUCCEEDED|FAILED/);
    return { seen, id, run: await house.readRun(id) };
  }

  it.each(["GET", "PUT", "DELETE"] as const)(
    "sends a %s again with the same key",
    async (method) => {
      const { seen, id, run: ended } = await run(method);
      expect(seen).toEqual([`${id}:call`]);
      expect(ended.status).toBe("SUCCEEDED");
    },
  );

  it("fails a POST as unknown instead of sending it twice", async () => {
    const { seen, run: ended } = await run("POST");
    expect(seen).toEqual([]);
    expect(ended).toMatchObject({
      status: "FAILED",
      error: { code: "STEP_OUTCOME_UNKNOWN", step: "call" },
    });
  });
});
