import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { toAppError } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createMutex } from "../base/mutex.ts";
import { isTransient } from "../base/run-fault.ts";
import type { Priority } from "../definition/definition.ts";
import { type Claim, type EndedRun, LeaseLost, type TerminalStatus } from "../model/run.ts";
import { type HandOff, type ReservedSlot, wakeForRun } from "../queue/hand-off.ts";
import { listenForWakeUps } from "../queue/open-queue.ts";
import type { QueueServer, WakeUpListener, WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { ReplyBus } from "../reply/reply-bus.ts";
import { createClaimRun, leaseMs } from "../run/claim-run.ts";
import { type ExecuteRunDeps, executeRun } from "../run/execute-run.ts";
import type { Executed } from "../run/execution.ts";
import { keepLeases, parkRun, releaseRun } from "../run/keep-lease.ts";
import { loadNextWaiting } from "../run/next-waiting.ts";
import { runFailed } from "../run/run-end.ts";
import { createJournalWriter } from "../run/write-journal.ts";
import { createSlots } from "./slots.ts";

export interface RunWorkerDeps extends Omit<ExecuteRunDeps, "wakeRun" | "journal" | "watched"> {
  readonly queueServer: QueueServer;
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "serve" | "offer">;
  readonly replies: Pick<ReplyBus, "publish">;
  /** Hears of what went wrong; a run id where one is known, never a secret. */
  readonly report: (error: unknown, runId?: string) => void;
  /** Hears of each run that ended here, and how long after its acceptance. */
  readonly onEnded?: ((status: TerminalStatus, seconds: number) => void) | undefined;
  /** Runs at once, at most. */
  readonly concurrency?: number;
  readonly leaseMs?: number;
}

export interface RunWorker {
  /** Runs in progress. */
  readonly activeCount: () => number;
  /** Stops taking runs; each one in progress ends or is handed back after its step. */
  close(): Promise<void>;
}

/** One claim in progress. */
interface Holding {
  readonly runId: string;
  readonly fence: string;
  readonly priority: Priority;
  readonly controller: AbortController;
  /** On the clock of `performance`. */
  readonly claimedAt: number;
  /** When the lease was last asked for, on the clock of `performance`. */
  prolongedAt: number;
}

const concurrencyDefault = 16;
/** What is due later than this is left to the reconciler. */
const timerMaxMs = 60_000;
/** Runs of this process that may wait for a place here; those beyond go to the queue, for any worker to take. */
const linePerPlace = 4;

/** Takes runs off the queue, and from the process' own callers, and executes them. */
export function startRunWorker(deps: RunWorkerDeps): RunWorker {
  const owner = randomUUID();
  const concurrency = deps.concurrency ?? concurrencyDefault;
  const slots = createSlots(concurrency);
  const handedOff = new Set<Promise<void>>();
  const lease = deps.leaseMs ?? leaseMs;
  const journal = createJournalWriter(deps.database);
  const claimRun = createClaimRun(deps.database, owner, lease);
  const holdings = new Set<Holding>();
  /** By the run that each will wake. */
  const timers = new Map<string, NodeJS.Timeout>();
  let stopping = false;

  const effects: ExecuteRunDeps = {
    ...deps,
    journal,
    watched: createMutex(),
    wakeRun: (runId, priority) => wakeForRun(deps, runId, priority),
  };
  const heartbeat = setInterval(() => {
    const due = [...holdings].filter((held) => performance.now() - held.prolongedAt >= lease / 4);
    if (due.length > 0) prolong(due).catch((error: unknown) => deps.report(error));
  }, lease / 4);
  heartbeat.unref();

  const prolong = async (due: readonly Holding[]): Promise<void> => {
    const askedAt = performance.now();
    const kept = await keepLeases(deps.database, due, lease);
    for (const held of due) {
      if (kept.has(held.runId)) held.prolongedAt = askedAt;
      else if (holdings.has(held)) held.controller.abort();
    }
  };

  const execute = async (runId: string, priority: Priority): Promise<void> => {
    if (stopping) return deps.queue.wake({ runId, fence: "handed-back", priority });
    const askedAt = performance.now();
    const claim = await claimRun(runId);
    if (claim !== undefined) await carryOut(claim, askedAt);
  };

  /** @param askedAt when its lease was asked for, on the clock of `performance` */
  const carryOut = async (claim: Claim, askedAt: number): Promise<void> => {
    const { runId } = claim;
    const held: Holding = {
      runId,
      fence: claim.fence,
      priority: claim.priority,
      controller: new AbortController(),
      claimedAt: performance.now(),
      prolongedAt: askedAt,
    };
    holdings.add(held);
    try {
      const end = await executeOrExplain(claim, held);
      if (end.kind === "HAND_BACK") await handBack(held);
      else if (end.kind === "PARK") await park(held, end.dueInMs);
      else {
        tell(claim, end.ended);
        const sinceClaimed = performance.now() - held.claimedAt;
        deps.onEnded?.(end.ended.status, (claim.sinceAcceptedMs + sinceClaimed) / 1000);
      }
    } catch (error) {
      if (error instanceof LeaseLost) return;
      deps.report(error, runId);
      await giveUp(held);
    } finally {
      holdings.delete(held);
      if (claim.isLimited) await callNext(claim);
    }
  };

  /**
   * Hands a run back that cannot go on here; the reconciler wakes a worker for it. Tries again while the database is out of
   * reach: a lease that runs out would count against the run.
   */
  const giveUp = async (held: Holding): Promise<void> => {
    for (const end = performance.now() + 2 * lease; performance.now() < end && !stopping; ) {
      try {
        return await releaseRun(deps.database, held);
      } catch (error) {
        if (!isTransient(toAppError(error))) return;
      }
      await sleep(Math.min(500, lease / 4));
    }
  };

  /** Wakes whom the place of a run is for that is held no longer. */
  const callNext = async (claim: Claim): Promise<void> => {
    try {
      for (const { runId, fence } of await loadNextWaiting(deps.database, claim.workflowId)) {
        const { priority } = claim;
        if (deps.handOff.offer(runId, priority)) continue;
        // A job of its own: the one that led to the refusal may not be gone from the queue yet.
        deps.queue.wake({ runId, fence: `${fence}-after-${claim.runId}-${claim.fence}`, priority });
      }
    } catch (error) {
      deps.report(error, claim.runId);
    }
  };

  const executeOrExplain = async (claim: Claim, held: Holding): Promise<Executed> => {
    const hold = {
      lost: held.controller.signal,
      isStopping: () => stopping,
      isLate: () => performance.now() - held.prolongedAt >= lease,
    };
    try {
      return await executeRun(effects, claim, hold);
    } catch (error) {
      const known = error instanceof LeaseLost ? error : toAppError(error);
      // The journal's own statements wait for locks, and for a busy server: late is not wrong.
      const isLate = known instanceof AppError && known.code === "QUERY_TIMEOUT";
      if (known instanceof LeaseLost || isTransient(known) || isLate) throw known;
      // A fault of our own: the run ends with it instead of being tried for ever.
      deps.report(error, claim.runId);
      const message = "Something went wrong on our side";
      const { ended } = await journal.write(deps.database, {
        runId: claim.runId,
        fence: claim.fence,
        entries: [],
        outcome: runFailed("INTERNAL_ERROR", message),
        cancellableAfter: undefined,
      });
      if (ended === undefined) throw known;
      return { kind: "ENDED", ended };
    }
  };

  /** Says that a run has ended, to the caller and to the run that wait for it. */
  const tell = ({ runId, replyChannel, parentRunId }: Claim, ended: EndedRun): void => {
    if (replyChannel !== null) deps.replies.publish(replyChannel, ended);
    if (parentRunId !== null) deps.queue.wake({ runId: parentRunId, fence: `after-${runId}` });
  };

  const park = async (held: Holding, dueInMs: number): Promise<void> => {
    if (!(await parkRun(deps.database, held, dueInMs))) return deps.queue.wake(held);
    if (dueInMs > timerMaxMs || stopping) return;
    // To be in time; what this process does not live to see, the reconciler does.
    clearTimeout(timers.get(held.runId));
    const timer = setTimeout(() => {
      timers.delete(held.runId);
      deps.queue.wake(held);
    }, dueInMs).unref();
    timers.set(held.runId, timer);
  };

  const handBack = async (held: Holding): Promise<void> => {
    await releaseRun(deps.database, held);
    deps.queue.wake(held);
  };

  const listener: WakeUpListener = listenForWakeUps(deps.queueServer, {
    concurrency,
    lockMs: lease,
    process: (runId, priority) => slots.within(priority, () => execute(runId, priority)),
    report: deps.report,
  });
  const take = (runId: string, priority: Priority): boolean => {
    // So that a full line of others does not send it to the queue.
    const lineMax = concurrency * linePerPlace * (priority === "HIGH" ? 2 : 1);
    if (stopping || slots.waiting() >= lineMax) return false;
    const handed = slots
      .within(priority, () => execute(runId, priority))
      .catch((error: unknown) => {
        deps.report(error, runId);
        deps.queue.wake({ runId, fence: "0", priority });
      })
      .finally(() => handedOff.delete(handed));
    handedOff.add(handed);
    return true;
  };
  const reserve = (): ReservedSlot | undefined => {
    const leave = stopping ? undefined : slots.takeFree();
    if (leave === undefined) return undefined;
    const askedAt = performance.now();
    let end = () => {};
    const reserved = new Promise<void>((resolve) => {
      end = resolve;
    }).finally(() => handedOff.delete(reserved));
    handedOff.add(reserved);
    const free = () => {
      leave();
      end();
    };
    return {
      owner,
      leaseMs: lease,
      free,
      hold: (claim) => {
        carryOut(claim, askedAt)
          .catch((error: unknown) => deps.report(error, claim.runId))
          .finally(free);
      },
    };
  };
  const stopServing = deps.handOff.serve({ take, reserve });

  return {
    activeCount: () => holdings.size,
    close: async () => {
      stopping = true;
      stopServing();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all([listener.close(), ...handedOff]);
      clearInterval(heartbeat);
    },
  };
}
