import type { Database } from "@rowhouse/db";
import { createSerialTask } from "@rowhouse/limits";
import { type HandOff, wakeForRun } from "../queue/hand-off.ts";
import type { WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { VersionCache } from "../run/version-cache.ts";
import { acceptEventRuns } from "./accept-event-runs.ts";
import { hasEvents, takeEvents } from "./take-events.ts";

export interface DispatcherDeps {
  readonly database: Pick<Database, "query" | "transaction" | "listen">;
  readonly versions: VersionCache;
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "offer">;
  readonly report: (error: unknown) => void;
  /** How often the outbox is polled, in milliseconds. */
  readonly pollEveryMs?: number;
}

export interface EventDispatcher {
  /** Takes no more events and waits for those in progress. */
  close(): Promise<void>;
}

/** The channel that the triggers of watched tables notify. */
const channel = "rowhouse_events";

/**
 * Creates runs for the events in the outbox. Several workers may do so at once: each skips events that another one has
 * locked. NOTIFY reports new events within milliseconds; a poll finds those whose notification was lost.
 */
export function startEventDispatcher(deps: DispatcherDeps): EventDispatcher {
  let stopping = false;
  const task = createSerialTask(async () => {
    while (!stopping && (await dispatchEvents(deps)));
  }, deps.report);
  // One statement; an attempt to take events is a transaction of several.
  const polling = createSerialTask(async () => {
    if (await hasEvents(deps.database)) task.trigger();
  }, deps.report);
  const poll = setInterval(() => polling.trigger(), deps.pollEveryMs ?? 1000).unref();
  const listening = deps.database
    .listen(channel, () => {
      if (!stopping) task.trigger();
    })
    .catch((error: unknown) => deps.report(error));
  task.trigger();
  return {
    close: async () => {
      stopping = true;
      clearInterval(poll);
      const stop = await listening;
      await stop?.();
      await polling.idle();
      await task.idle();
    },
  };
}

/**
 * Takes a batch of events and accepts their runs in one transaction: a crash loses neither.
 *
 * @returns whether the outbox may hold more events
 */
async function dispatchEvents(
  deps: Pick<DispatcherDeps, "database" | "versions" | "queue" | "handOff">,
): Promise<boolean> {
  const { accepted, more } = await deps.database.transaction(async (transaction) => {
    const taken = await takeEvents(transaction);
    const load = (versionId: string) => deps.versions.load(versionId);
    return { accepted: await acceptEventRuns(transaction, taken.events, load), more: taken.more };
  });
  for (const { id, priority } of accepted) wakeForRun(deps, id, priority);
  return more;
}
