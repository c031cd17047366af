import { arrayLiteral, type Database } from "@rowhouse/db";
import { createSerialTask } from "../base/serial-task.ts";
import type { EndedRun } from "../model/run.ts";
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

export interface Expectation {
  /**
   * The run once it has ended, or undefined after the wait time or when the signal aborts.
   *
   * @param waitMs how long to wait from now
   */
  ended(waitMs: number, signal?: AbortSignal): Promise<EndedRun | undefined>;
  /** Waits no longer. */
  forget(): void;
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
  // Several calls may wait for one run.
  const waiting = new Map<string, Set<(ended: EndedRun) => void>>();
  let told = new Set<string>();

  const tellAll = (ended: EndedRun): void => {
    for (const tell of waiting.get(ended.id) ?? []) tell(ended);
  };
  const settle = async (ids: readonly string[]): Promise<void> => {
    for (const ended of await loadEnded(database, ids)) tellAll(ended);
  };
  // One statement for all that were told while the last one ran.
  const reading = createSerialTask(async () => {
    const ids = [...told].filter((id) => waiting.has(id));
    told = new Set();
    if (ids.length > 0) await settle(ids);
  }, report);
  const read = (runId: string): void => {
    if (!waiting.has(runId)) return;
    told.add(runId);
    reading.trigger();
  };
  const channel = await bus.subscribe({ onTold: read, onEnded: tellAll });
  const polling = createSerialTask(() => settle([...waiting.keys()]), report);
  const poll = setInterval(() => {
    if (waiting.size > 0) polling.trigger();
  }, pollMs);
  poll.unref();

  const expectRun = (runId: string): Expectation => {
    const callers = waiting.get(runId) ?? new Set();
    waiting.set(runId, callers);
    let tell: (ended: EndedRun) => void = () => {};
    const ended = new Promise<EndedRun>((resolve) => {
      tell = resolve;
      callers.add(tell);
    });
    const forget = () => {
      callers.delete(tell);
      if (callers.size === 0 && waiting.get(runId) === callers) waiting.delete(runId);
    };
    return {
      ended: (waitMs, signal) => firstOf(ended, waitMs, signal).finally(forget),
      forget,
    };
  };

  return {
    channel: channel.name,
    expect: expectRun,
    expectAccepted: (runId) => {
      const expectation = expectRun(runId);
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

function firstOf(
  ended: Promise<EndedRun>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<EndedRun | undefined> {
  return new Promise((resolve) => {
    const finish = (result: EndedRun | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(result);
    };
    const abort = () => finish(undefined);
    const timer = setTimeout(abort, waitMs);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    ended.then(finish, abort);
  });
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
