import { arrayLiteral, type Database } from "@rowhouse/db";
import { createSerialTask } from "../base/serial-task.ts";
import type { EndedRun } from "../model/run.ts";
import { type Expectation, ExpectedRuns } from "./expected-runs.ts";
import type { ReplyBus } from "./reply-bus.ts";

/**
 * Waits for runs to end. What it answers is what has been committed: a message of another process only says when to read it,
 * and what ended in this one is told as it was written.
 */
export interface RunWaiter {
  /** The channel that accepted runs name, so that their worker can tell this process. */
  readonly channel: string;
  /** Begins to wait; called before the run is accepted, so that its end cannot be missed. */
  expect(runId: string): Expectation;
  /** Begins to wait for a run that was accepted before, and may have ended already. */
  expectAccepted(runId: string): Expectation;
  close(): Promise<void>;
}

const pollMs = 1000;

/**
 * Opens this process' reply channel.
 *
 * @param report hears of reads that failed; the poll repeats them
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

// One search of the key for each run, whatever the planner takes the table to hold: a plan that was made while it was small, and
// reads all of it, would be kept.
async function loadEnded(database: Database, ids: readonly string[]): Promise<EndedRun[]> {
  return database.query<EndedRun & object>(
    `select k.id, r.status, r.result, r.error
     from unnest($1::text::uuid[]) as k (id) cross join lateral (
       select status, result::text as result, error::text as error
       from system.workflow_runs
       where id = k.id and finished_at is not null
       limit 1) r`,
    [arrayLiteral(ids)],
    { prepare: true },
  );
}
