// Tier: long. Fills a history of 200,000 runs.
import { randomUUID } from "node:crypto";
import { type Database, openDatabase } from "@rowhouse/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptEventRuns } from "../src/event/accept-event-runs.ts";
import { hasEvents, takeEvents } from "../src/event/take-events.ts";
import type { JournalEntry } from "../src/model/run.ts";
import { openRunWaiter } from "../src/reply/run-waiter.ts";
import { acceptRun } from "../src/run/accept-run.ts";
import { requestCancellation } from "../src/run/cancel-run.ts";
import { claimRun, createClaimRun } from "../src/run/claim-run.ts";
import { keepLeases, parkRun, releaseRun } from "../src/run/keep-lease.ts";
import { loadJournal } from "../src/run/load-journal.ts";
import { createJournalWriter } from "../src/run/write-journal.ts";
import { fireSchedules } from "../src/schedule/fire-schedules.ts";
import { countOpenRuns } from "../src/worker/count-open-runs.ts";
import { endOverdueRuns, reconcileRuns } from "../src/worker/reconcile.ts";
import { createPlanRenewal } from "../src/worker/start-timers.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A burst of events on a database whose statistics are of a quiet moment: no statement may read more rows for one run
// because others wait. PostgreSQL counts the rows; plans are made before the burst, as those of a running process are.

const waiting = 20_000;
/** Rows of the system schema that a statement may read: for one run, and once, of tables that are small in all. */
const rowsPerRun = 40;
const rowsOnce = 200;

let environment: TestEnvironment;
/** One session, whose plans last. */
let one: Database;
let workflow: string;
let limited: string;
let version: string;

async function prepareBurst(history: number): Promise<void> {
  environment = await openTestEnvironment({ workers: 0, reconcileEveryMs: 600_000 });
  one = openDatabase({
    url: environment.url,
    applicationName: "burst",
    connectionsMax: 1,
    statementTimeoutMs: 120_000,
  });
  const steps = [{ id: "end", kind: "finish" as const, result: 1 }];
  ({ id: workflow } = await environment.publish(steps));
  ({ id: limited } = await environment.publish(steps, {}, { concurrency: 5 }));
  const { database, userId } = environment;
  const [published] = await database.query<{ id: string }>(
    "select published_version_id as id from system.workflows where id = $1::text::uuid",
    [workflow],
  );
  version = published?.id ?? "";
  for (const table of [
    "workflow_runs",
    "workflow_run_steps",
    "workflow_events",
    "workflow_places",
  ]) {
    await database.query(`alter table system.${table} set (autovacuum_enabled = off)`);
  }
  await one.query(
    `insert into system.workflow_runs (workflow_id, version_id, status, input, execute_as_user_id, result, accepted_at,
       started_at, finished_at, fence, claims, event_id)
     select $1::text::uuid, $2::text::uuid, 'RUNNING', '{}', $3::text::uuid, null, m, m, null, 1, 1, n
     from generate_series(1, ${history}) n, lateral (select clock_timestamp() - n * interval '1 second') as at (m)`,
    [workflow, version, userId],
  );
  // Each run was open once: the index of open runs has its dead entry.
  await one.query(
    "update system.workflow_runs set status = 'SUCCEEDED', result = '1', finished_at = accepted_at",
  );
  await one.query(
    `insert into system.workflow_run_steps (run_id, path, position, kind, status, fence, started_at, finished_at)
     select id, 'end', 0, 'finish', 'SUCCEEDED', 1, accepted_at, finished_at from system.workflow_runs`,
  );
  await database.query("vacuum analyze");
  const renewPlans = createPlanRenewal(one);
  await renewPlans();
  // Generic plans are made after five executions.
  for (let turn = 0; turn < 12; turn += 1) {
    await insertRuns(256, workflow);
    await insertRuns(16, limited);
    await insertEvents(4);
    for (const { work } of Object.values(operations)) await work();
    await one.query("delete from system.workflow_runs where finished_at is null");
    await one.query("delete from system.workflow_events");
  }
  await insertRuns(waiting, workflow);
  await insertRuns(waiting, limited);
  await one.query(
    `insert into system.workflow_places (run_id, workflow_id, taken, accepted_at)
     select id, workflow_id, false, accepted_at from system.workflow_runs
     where workflow_id = $1::text::uuid and finished_at is null`,
    [limited],
  );
  await insertEvents(waiting);
  await renewPlans();
}

async function insertRuns(count: number, workflowId: string): Promise<void> {
  await one.query(
    `insert into system.workflow_runs (workflow_id, version_id, input, execute_as_user_id)
     select w.id, w.published_version_id, '{}', $2::text::uuid
     from system.workflows w, generate_series(1, ${count}) where w.id = $1::text::uuid`,
    [workflowId, environment.userId],
  );
}

async function insertEvents(count: number): Promise<void> {
  await one.query(
    `insert into system.workflow_events (resource_id, schema_name, table_name, operation, new_row, changed, omitted, bytes,
       workflow_ids, depth)
     select gen_random_uuid(), 'public', 'trip', 'INSERT', '{}', '{}', '{}', 10, array[$1::text::uuid], 0
     from generate_series(1, ${count})`,
    [workflow],
  );
}

/** Queued runs of a workflow, the newest first: those behind all others. */
async function queued(count: number, workflowId = workflow): Promise<string[]> {
  const rows = await environment.database.query<{ id: string }>(
    `select id from system.workflow_runs where workflow_id = $1::text::uuid and status = 'QUEUED'
     order by accepted_at desc limit ${count}`,
    [workflowId],
  );
  return rows.map(({ id }) => id);
}

async function held(count: number) {
  const ids = await queued(count);
  await environment.database.query(
    `update system.workflow_runs set status = 'RUNNING', fence = 1, lease_until = now() + interval '1 hour', started_at = now()
     where id = any ($1::text::uuid[])`,
    [`{${ids.join(",")}}`],
  );
  return ids.map((runId) => ({ runId, fence: "1" }));
}

const outcome = { status: "SUCCEEDED", result: 1, error: null } as const;
const entry: JournalEntry = {
  ...{ path: "a", position: 0, kind: "setValues", status: "SUCCEEDED", output: null, error: null },
  ...{ attempt: 1, resumeInMs: null, childRunId: null, startedAt: 0, finishedAt: 0 },
};

interface Operation {
  /** The runs that it concerns. */
  readonly runs: number;
  /** Prepares, and returns what is measured. */
  readonly prepare: () => Promise<() => Promise<unknown>>;
}

const claimTogether = () => createClaimRun(one, "a worker", 10_000);
const writer = () => createJournalWriter(one);

const measured: Readonly<Record<string, Operation>> = {
  "one claim": {
    runs: 1,
    prepare: async () => {
      const [id = ""] = await queued(1);
      return () => claimRun(one, id, "a worker");
    },
  },
  "a claim of eight": {
    runs: 8,
    prepare: async () => {
      const ids = await queued(8);
      return () => Promise.all(ids.map(claimTogether()));
    },
  },
  // A larger batch makes a scan of the table look cheaper.
  "a claim of sixty-four": {
    runs: 64,
    prepare: async () => {
      const ids = await queued(64);
      return () => Promise.all(ids.map(claimTogether()));
    },
  },
  "the ends of sixty-four runs": {
    runs: 64,
    prepare: async () => {
      const holdings = await held(64);
      const ended = { entries: [entry], outcome, cancellableAfter: undefined };
      const journal = writer();
      return () =>
        Promise.all(holdings.map((holding) => journal.write(one, { ...holding, ...ended })));
    },
  },
  "a claim under the limit of its workflow": {
    runs: 1,
    prepare: async () => {
      const [id = ""] = await queued(1, limited);
      return () => claimRun(one, id, "a worker");
    },
  },
  "the renewal of eight leases": {
    runs: 8,
    prepare: async () => {
      const holdings = await held(8);
      return () => keepLeases(one, holdings, 10_000);
    },
  },
  "a released run": {
    runs: 1,
    prepare: async () => {
      const [holding = { runId: "", fence: "" }] = await held(1);
      return () => releaseRun(one, holding);
    },
  },
  "a parked run": {
    runs: 1,
    prepare: async () => {
      const [holding = { runId: "", fence: "" }] = await held(1);
      return () => parkRun(one, holding, 1000);
    },
  },
  "a journal entry": {
    runs: 1,
    prepare: async () => {
      const [holding = { runId: "", fence: "" }] = await held(1);
      const write = { ...holding, entries: [entry], outcome: undefined, cancellableAfter: 1 };
      return () => writer().write(one, write);
    },
  },
  "the ends of eight runs": {
    runs: 8,
    prepare: async () => {
      const holdings = await held(8);
      const ended = { entries: [entry], outcome, cancellableAfter: undefined };
      const journal = writer();
      return () =>
        Promise.all(holdings.map((holding) => journal.write(one, { ...holding, ...ended })));
    },
  },
  "the end of a run that another one waits for": {
    runs: 2,
    prepare: async () => {
      const [holding = { runId: "", fence: "" }] = await held(1);
      const [parent = ""] = await queued(1);
      await environment.database.query(
        "update system.workflow_runs set parent_run_id = $2::text::uuid where id = $1::text::uuid",
        [holding.runId, parent],
      );
      const ended = { entries: [], outcome, cancellableAfter: undefined };
      return () => writer().write(one, { ...holding, ...ended });
    },
  },
  "the journal of a run": {
    runs: 1,
    prepare: async () => {
      const [id = ""] = await queued(1);
      return () => loadJournal(one, id);
    },
  },
  "a request to cancel": {
    runs: 1,
    prepare: async () => {
      const [id = ""] = await queued(1);
      return () => requestCancellation(one, id);
    },
  },
  "the next runs under a limit": {
    runs: 5,
    prepare: async () => () =>
      one.query("select run_id, fence from system.next_in_line($1::text::uuid)", [limited], {
        prepare: true,
      }),
  },
  "an accepted run": {
    runs: 1,
    prepare: async () => () =>
      acceptRun(one, {
        run: {
          ...{ id: randomUUID(), workflowId: workflow, versionId: version, input: "{}" },
          ...{ callerUserId: null, executeAsUserId: environment.userId, token: null },
          ...{ replyChannel: null, requestId: null, traceParent: null, priority: "NORMAL" },
        },
      }),
  },
  "a look at the outbox": { runs: 1, prepare: async () => () => hasEvents(one) },
  "a batch of the outbox": {
    runs: 200,
    prepare: async () => () =>
      one.transaction(async (transaction) => {
        const { events } = await takeEvents(transaction);
        return acceptEventRuns(transaction, events, environment.versions.load);
      }),
  },
  "the causes of a write": {
    runs: 1,
    prepare: async () => {
      const [id = ""] = await queued(1);
      return () =>
        one.transaction(async (transaction) => {
          await transaction.query("select set_config('rowhouse.run', $1::text, true)", [id]);
          await transaction.query("select depth from system.writing_run()", [], { prepare: true });
        });
    },
  },
  "a turn of the recovery": {
    runs: 3 * waiting,
    prepare: async () => () =>
      reconcileRuns({ database: one, queue: { wakeAll: async () => {} } }, 0),
  },
  "the search for runs over their time limit": {
    runs: 2 * waiting,
    prepare: async () => () => endOverdueRuns({ database: one, endOverdue: async () => {} }),
  },
  "a count of open runs": {
    runs: 2 * waiting,
    prepare: async () => () => countOpenRuns(one),
  },
  "a turn of the schedules": {
    runs: 1,
    prepare: async () => () =>
      fireSchedules({ database: one, wakeRun: () => {}, report: () => {} }),
  },
  "the results that callers wait for": {
    runs: 8,
    prepare: async () => {
      const ids = await queued(8);
      return async () => {
        let ask: (id: string) => void = () => {};
        const bus = {
          publish: () => {},
          subscribe: async (listener: { onNotified: (id: string) => void }) => {
            ask = listener.onNotified;
            return { name: "none", close: async () => {} };
          },
          close: async () => {},
        };
        const waiter = await openRunWaiter(one, bus, () => {});
        const expected = ids.map((id) => waiter.expect(id));
        for (const id of ids) ask(id);
        await waiter.close();
        for (const expectation of expected) expectation.forget();
      };
    },
  },
};

const operations = Object.fromEntries(
  Object.entries(measured).map(([name, { prepare }]) => [
    name,
    { work: async () => (await prepare())() },
  ]),
);

/** Rows and index entries of the system schema that the session has read since it began. */
async function rowsRead(): Promise<number> {
  await environment.database.query("select pg_stat_force_next_flush()");
  await one.query("select pg_stat_force_next_flush()");
  await one.query("select 1");
  const [read] = await environment.database.query<{ count: number }>(
    `select (select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables where schemaname = 'system')::float8
       + (select sum(idx_tup_read) from pg_stat_user_indexes where schemaname = 'system')::float8 as count`,
  );
  return read?.count ?? Number.NaN;
}

describe.each([200_000, 0])("with a history of %d runs", (history) => {
  beforeAll(() => prepareBurst(history), 300_000);
  afterAll(async () => {
    await one.close();
    await environment.close();
  });

  it.each(Object.entries(measured))(
    "%s reads the same rows, whatever else waits",
    async (_name, { runs, prepare }) => {
      const work = await prepare();
      const before = await rowsRead();
      await work();
      const read = (await rowsRead()) - before;
      expect(read).toBeLessThan(rowsOnce + runs * rowsPerRun);
    },
  );
});
