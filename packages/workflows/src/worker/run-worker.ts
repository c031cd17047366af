import { randomUUID } from "node:crypto";
import { createPrioritySemaphore, type PrioritySemaphore } from "@rowhouse/limits";
import { type Priority, priorities } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import type { HandOff, ReservedSlot } from "../queue/hand-off.ts";
import { listenForWakeUps } from "../queue/open-queue.ts";
import type { QueueServer, WakeUpListener } from "../queue/wake-up-queue.ts";
import { leaseMs as leaseMsDefault } from "../run/claim-run.ts";
import { RunCycle, type RunCycleDeps } from "./run-cycle.ts";

/**
 * The states of a worker, in the order in which they follow each other:
 *
 * - `SERVING`: takes runs off the queue and from callers of this process.
 * - `STOPPING`, after `close`: takes no more; each run in progress ends, or is handed back after its step, at the latest
 *   after `handBackMs`.
 * - `STOPPED`: holds no run.
 *
 * `run-cycle.ts` has the states of a run in a worker.
 */
type WorkerState = "SERVING" | "STOPPING" | "STOPPED";

export interface RunWorkerDeps extends RunCycleDeps {
  readonly queueServer: QueueServer;
  readonly handOff: Pick<HandOff, "serve" | "offer">;
  /** Runs in progress at once, at most. */
  readonly concurrency?: number;
  readonly leaseMs?: number;
  /** Time for the steps in progress when the worker stops, in milliseconds; 10,000 by default. */
  readonly handBackMs?: number;
}

export interface RunWorker {
  readonly activeCount: () => number;
  /** For how long the run that has moved least has begun and recorded nothing, in seconds; 0 without runs. */
  readonly stillSeconds: () => number;
  /**
   * Ends a run that is over its time limit, and that no worker holds any more. It takes no slot: those of all workers may be
   * held up. An error is reported: the recovery wakes a worker for the run.
   */
  endOverdue(runId: string, priority: Priority): Promise<void>;
  /** Takes no more runs, and waits until each run in progress ends or is handed back after its step. */
  close(): Promise<void>;
}

const concurrencyDefault = 16;
/** A process that has not stopped after 15 s exits. */
const handBackMsDefault = 10_000;
/** Runs of this process that may wait for each slot; further ones go to the queue, for any worker to take. */
const waitingPerSlot = 4;

/** Takes runs off the queue, and from callers of this process, and executes them. */
export function startRunWorker(deps: RunWorkerDeps): RunWorker {
  const worker = new Worker(deps);
  return {
    activeCount: () => worker.activeCount,
    stillSeconds: () => worker.stillSeconds(),
    endOverdue: (runId, priority) => worker.endOverdue(runId, priority),
    close: () => worker.close(),
  };
}

class Worker {
  #state: WorkerState = "SERVING";
  readonly #deps: RunWorkerDeps;
  readonly #owner = randomUUID();
  readonly #concurrency: number;
  readonly #leaseMs: number;
  readonly #slots: PrioritySemaphore<Priority>;
  readonly #cycle: RunCycle;
  /** Runs that arrived by the hand-off, and slots that are reserved for one. */
  readonly #handedOff = new Set<Promise<void>>();
  readonly #listener: WakeUpListener;
  readonly #stopServing: () => void;

  constructor(deps: RunWorkerDeps) {
    this.#deps = deps;
    this.#concurrency = deps.concurrency ?? concurrencyDefault;
    this.#leaseMs = deps.leaseMs ?? leaseMsDefault;
    this.#slots = createPrioritySemaphore(this.#concurrency, priorities);
    this.#cycle = new RunCycle(deps, {
      owner: this.#owner,
      leaseMs: this.#leaseMs,
      isStopping: () => this.#state !== "SERVING",
    });
    this.#listener = listenForWakeUps(deps.queueServer, {
      concurrency: this.#concurrency,
      lockMs: this.#leaseMs,
      process: (runId, priority) => this.#process(runId, priority),
      report: deps.report,
    });
    this.#stopServing = deps.handOff.serve({
      take: (runId, priority) => this.#take(runId, priority),
      reserve: () => this.#reserve(),
    });
  }

  get activeCount(): number {
    return this.#cycle.heldCount;
  }

  stillSeconds(): number {
    return this.#cycle.stillSeconds();
  }

  async endOverdue(runId: string, priority: Priority): Promise<void> {
    const ended = this.#cycle
      .start(runId, priority)
      .catch((error: unknown) => this.#deps.report(error, runId));
    this.#track(ended);
    await ended;
  }

  async close(): Promise<void> {
    this.#state = "STOPPING";
    this.#stopServing();
    this.#cycle.stopTimers();
    const patience = setTimeout(
      () => this.#cycle.handBack(),
      this.#deps.handBackMs ?? handBackMsDefault,
    );
    await Promise.all([this.#listener.close(), ...this.#handedOff]);
    clearTimeout(patience);
    this.#cycle.close();
    this.#state = "STOPPED";
  }

  #process(runId: string, priority: Priority): Promise<void> {
    return this.#slots.within(priority, () => this.#cycle.start(runId, priority));
  }

  /** @returns whether the run is taken; otherwise the caller adds a wake-up to the queue */
  #take(runId: string, priority: Priority): boolean {
    // HIGH has twice the room, so that a full local queue of other runs does not send it to the shared one.
    const waitingMax = this.#concurrency * waitingPerSlot * (priority === "HIGH" ? 2 : 1);
    if (this.#state !== "SERVING" || this.#slots.waiting() >= waitingMax) return false;
    this.#track(
      this.#process(runId, priority).catch((error: unknown) => {
        this.#deps.report(error, runId);
        this.#deps.queue.wake({ runId, fence: "0", priority });
      }),
    );
    return true;
  }

  #reserve(): ReservedSlot | undefined {
    const leave = this.#state === "SERVING" ? this.#slots.takeFree() : undefined;
    if (leave === undefined) return undefined;
    const askedAt = performance.now();
    let end = () => {};
    this.#track(
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    );
    const free = () => {
      leave();
      end();
    };
    return {
      owner: this.#owner,
      leaseMs: this.#leaseMs,
      free,
      hold: (claim) => this.#execute(claim, askedAt, free),
    };
  }

  #execute(claim: Claim, askedAt: number, free: () => void): void {
    this.#cycle
      .execute(claim, askedAt)
      .catch((error: unknown) => this.#deps.report(error, claim.runId))
      .finally(free);
  }

  /** Keeps `close` waiting until `work` settles. */
  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#handedOff.delete(tracked));
    this.#handedOff.add(tracked);
  }
}
