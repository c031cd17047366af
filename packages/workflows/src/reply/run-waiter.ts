import { arrayLiteral, type Database } from "@rowhouse/db";
import { createSerialTask } from "@rowhouse/limits";
import type { EndedRun } from "../model/run.ts";
import { type Expectation, ExpectedRuns } from "./expected-runs.ts";
import type { ReplyBus } from "./reply-bus.ts";

/**
 * Waits for runs to end. It returns committed results only: a message from another process triggers a read, and this
 * process reports an end after it is written.
 */
export interface RunWaiter {
  /** The channel of this process; accepted runs name it for their worker. */
  readonly channel: string;
  /** Waits for a run. Call it before the run is accepted, so that its end cannot be missed. */
  expect(runId: string): Expectation;
  /** Waits for a run that was accepted before and may have ended. */
  expectAccepted(runId: string): Expectation;
  close(): Promise<void>;
}

const pollMs = 1000;

/**
 * Opens this process' reply channel.
 *
 * @param report receives errors of reads; the poll repeats the read
 */
export async function openRunWaiter(
  database: Database,
  bus: ReplyBus,
  report: (error: unknown) => void,
): Promise<RunWaiter> {
  const expected = new ExpectedRuns();
  let notified = new Set<string>();

  const settle = async (ids: readonly string[]): Promise<void> => {
    for (const ended of await loadEnded(database, ids)) expected.settle(ended);
  };
  // One statement for all notifications that arrived while the last one ran.
  const reading = createSerialTask(async () => {
    const ids = [...notified].filter((id) => expected.has(id));
    notified = new Set();
    if (ids.length > 0) await settle(ids);
  }, report);
  const read = (runId: string): void => {
    if (!expected.has(runId)) return;
    notified.add(runId);
    reading.trigger();
  };
  const channel = await bus.subscribe({
    onNotified: read,
    onEnded: (ended) => expected.settle(ended),
  });
  const polling = createSerialTask(() => settle(expected.ids), report);
  const poll = setInterval(() => {
    if (expected.ids.length > 0) polling.trigger();
  }, pollMs).unref();

  return {
    channel: channel.name,
    expect: (runId) => expected.add(runId),
    expectAccepted: (runId) => {
      const expectation = expected.add(runId);
      read(runId);
      return expectation;
    },
    close: async () => {
      clearInterval(poll);
      await channel.close();
      await Promise.all([reading.idle(), polling.idle()]);
    },
  };
}

// Forces one index lookup for each run. A generic plan that was made while the table was small would scan all of it.
async function loadEnded(database: Database, ids: readonly string[]): Promise<EndedRun[]> {
  return database.query<EndedRun & object>(
    `select k.id, r.status, r.result, r.error
     from pg_catalog.unnest($1::text::uuid[]) as k (id) cross join lateral (
       select status, result::text as result, error::text as error
       from system.workflow_runs
       where id = k.id and finished_at is not null
       limit 1) r`,
    [arrayLiteral(ids)],
    { prepare: true },
  );
}
