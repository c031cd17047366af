import { setTimeout as sleep } from "node:timers/promises";
import { type Queryable, toAppError } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createMutex } from "@rowhouse/limits";
import { internalError, isTransient } from "../base/run-fault.ts";
import type { Priority } from "../definition/definition.ts";
import { type Claim, type EndedRun, LeaseLost, type TerminalStatus } from "../model/run.ts";
import { type HandOff, wakeForRun } from "../queue/hand-off.ts";
import type { WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { ReplyBus } from "../reply/reply-bus.ts";
import { type ClaimRun, createClaimRun } from "../run/claim-run.ts";
import { type ExecuteRunDeps, executeRun } from "../run/execute-run.ts";
import { createTrialSlots } from "../run/execute-trial.ts";
import { type Hold, parkRun, releaseRun } from "../run/keep-lease.ts";
import { createJournalWriter } from "../run/write-journal.ts";
import { type HeldRun, HeldRuns } from "./held-runs.ts";
import { WakeTimers } from "./wake-timers.ts";

/**
 * The states of a run in a worker, and the states that can follow each. The compiler checks the table: the method of a
 * state returns only a state of its row.
 */
interface Transitions {
  /** The run has a slot. SKIPPED: it cannot be claimed now. PASSED_ON: the worker stops, and another one is woken. */
  readonly CLAIMING: "EXECUTING" | "SKIPPED" | "PASSED_ON";
  /** This worker holds the run. LOST: another worker holds it now. */
  readonly EXECUTING: "ENDED" | "PARKED" | "HANDED_BACK" | "FAILED" | "LOST";
  /** The end is committed: notify the caller, and wake the parent run. */
  readonly ENDED: "RELEASED" | "FAILED";
  /** Only waiting is left: give up the lease until a moment, or until the run is signaled. */
  readonly PARKED: "RELEASED" | "FAILED";
  /** The worker stops: give up the lease, and wake another worker. */
  readonly HANDED_BACK: "RELEASED" | "FAILED";
  /** An error that does not end the run: give up the lease; the reconciler wakes a worker. */
  readonly FAILED: "RELEASED";
}

/** Each state with its data. */
type State =
  | { readonly name: "EXECUTING"; readonly claim: Claim; readonly askedAt: number }
  | { readonly name: "ENDED"; readonly ended: EndedRun }
  | { readonly name: "PARKED"; readonly dueInMs: number }
  | { readonly name: "FAILED"; readonly error: unknown }
  | { readonly name: "HANDED_BACK" }
  | { readonly name: "SKIPPED" }
  | { readonly name: "PASSED_ON" }
  | { readonly name: "LOST" }
  | { readonly name: "RELEASED" };

/** The states that can follow `Name`. */
type After<Name extends keyof Transitions> = Extract<State, { readonly name: Transitions[Name] }>;

/** A claim, and this worker's hold on it. */
interface Held {
  readonly claim: Claim;
  readonly lease: HeldRun;
}

export interface RunCycleDeps
  extends Omit<ExecuteRunDeps, "wakeRun" | "journal" | "watched" | "trials"> {
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "offer">;
  readonly replies: Pick<ReplyBus, "publish">;
  /** Receives each error, with the id of its run if known; never a secret. */
  readonly report: (error: unknown, runId?: string) => void;
  /** Receives the status of each run that ends here, its age since acceptance in seconds, and whether it is a test. */
  readonly onEnded?:
    | ((status: TerminalStatus, seconds: number, isTest: boolean) => void)
    | undefined;
}

export interface RunCycleOptions {
  /** Identifies this worker as the owner of leases. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly isStopping: () => boolean;
}

const released = { name: "RELEASED" } as const;

/** Moves runs through the states of the table above. */
export class RunCycle {
  readonly #deps: RunCycleDeps;
  readonly #options: RunCycleOptions;
  readonly #effects: ExecuteRunDeps;
  readonly #claimRun: ClaimRun;
  readonly #held: HeldRuns;
  readonly #timers: WakeTimers;

  constructor(deps: RunCycleDeps, options: RunCycleOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#effects = {
      ...deps,
      journal: createJournalWriter(deps.database),
      watched: createMutex(),
      trials: createTrialSlots(),
      wakeRun: (runId, priority) => wakeForRun(deps, runId, priority),
    };
    this.#claimRun = createClaimRun(deps.database, options.owner, options.leaseMs);
    this.#held = new HeldRuns(deps.database, options.leaseMs, deps.report);
    this.#timers = new WakeTimers((wakeUp) => deps.queue.wake(wakeUp));
  }

  get heldCount(): number {
    return this.#held.size;
  }

  stillSeconds(): number {
    return this.#held.stillSeconds();
  }

  /** Waits no longer for the steps in progress. */
  handBack(): void {
    this.#held.handBack();
  }

  /** Sends no more wake-ups on time. */
  stopTimers(): void {
    this.#timers.close();
  }

  close(): void {
    this.#held.close();
  }

  /** Claims a run and executes it. @throws what the claim threw */
  async start(runId: string, priority: Priority): Promise<void> {
    const next = await this.#claim(runId, priority);
    if (next.name === "EXECUTING") await this.execute(next.claim, next.askedAt);
  }

  /**
   * Executes a run that is claimed already.
   *
   * @param askedAt when its lease was requested, on the clock of `performance`
   */
  async execute(claim: Claim, askedAt: number): Promise<void> {
    const held = { claim, lease: this.#held.add(claim, askedAt) };
    try {
      let state: State = { name: "EXECUTING", claim, askedAt };
      while (state.name !== "RELEASED" && state.name !== "LOST") {
        state = await this.#follow(held, state);
      }
    } finally {
      this.#held.remove(held.lease);
      if (claim.isLimited) await this.#wakeNextWaiting(claim);
    }
  }

  async #follow(held: Held, state: State): Promise<State> {
    switch (state.name) {
      case "EXECUTING":
        return this.#executeClaim(held);
      case "ENDED":
        return failedIfThrown(() => this.#notify(held, state.ended));
      case "PARKED":
        return failedIfThrown(() => this.#park(held, state.dueInMs));
      case "HANDED_BACK":
        return failedIfThrown(() => this.#handBack(held));
      case "FAILED":
        return this.#giveUp(held, state.error);
      default:
        return released;
    }
  }

  async #claim(runId: string, priority: Priority): Promise<After<"CLAIMING">> {
    if (this.#options.isStopping()) {
      this.#deps.queue.wake({ runId, fence: "handed-back", priority });
      return { name: "PASSED_ON" };
    }
    const askedAt = performance.now();
    const claim = await this.#claimRun(runId);
    return claim === undefined ? { name: "SKIPPED" } : { name: "EXECUTING", claim, askedAt };
  }

  async #executeClaim({ claim, lease }: Held): Promise<After<"EXECUTING">> {
    const hold: Hold = {
      lost: lease.controller.signal,
      isStopping: this.#options.isStopping,
      handBack: lease.handBack.signal,
      moved: () => {
        lease.movedAt = performance.now();
      },
      isLate: (since) => this.#held.isLate(lease, since),
    };
    try {
      const executed = await executeRun(this.#effects, claim, hold);
      if (executed.kind === "HAND_BACK") return { name: "HANDED_BACK" };
      return executed.kind === "PARK"
        ? { name: "PARKED", dueInMs: executed.dueInMs }
        : { name: "ENDED", ended: executed.ended };
    } catch (error) {
      return this.#explain(claim, error).catch(interrupted);
    }
  }

  /** @throws LeaseLost, and errors that a later attempt may not meet */
  async #explain(claim: Claim, error: unknown): Promise<After<"EXECUTING">> {
    const known = error instanceof LeaseLost ? error : toAppError(error);
    // The journal's own statements wait for locks and for a busy server: a timeout is not a fault of the run.
    const isLate = known instanceof AppError && known.code === "QUERY_TIMEOUT";
    if (known instanceof LeaseLost || isTransient(known) || isLate) throw known;
    // A defect of this service: it ends the run, which would otherwise be repeated forever.
    this.#deps.report(error, claim.runId);
    const { ended } = await this.#effects.journal.write(this.#deps.database, {
      runId: claim.runId,
      fence: claim.fence,
      entries: [],
      outcome: { status: "FAILED", result: null, error: internalError(null) },
      cancellableAfter: undefined,
    });
    if (ended === undefined) throw known;
    return { name: "ENDED", ended };
  }

  /** Notifies the caller that waits, and wakes the parent run. */
  async #notify({ claim, lease }: Held, ended: EndedRun): Promise<After<"ENDED">> {
    const { runId, replyChannel, parentRunId, sinceAcceptedMs } = claim;
    if (replyChannel !== null) this.#deps.replies.publish(replyChannel, ended);
    if (parentRunId !== null) {
      this.#deps.queue.wake({ runId: parentRunId, fence: `after-${runId}` });
    }
    const sinceClaimedMs = performance.now() - lease.claimedAt;
    this.#deps.onEnded?.(ended.status, (sinceAcceptedMs + sinceClaimedMs) / 1000, claim.isTest);
    return released;
  }

  async #park({ lease }: Held, dueInMs: number): Promise<After<"PARKED">> {
    if (!(await parkRun(this.#deps.database, lease, dueInMs))) this.#deps.queue.wake(lease);
    else if (!this.#options.isStopping()) this.#timers.add(lease, dueInMs);
    return released;
  }

  async #handBack({ lease }: Held): Promise<After<"HANDED_BACK">> {
    await releaseRun(this.#deps.database, lease);
    this.#deps.queue.wake(lease);
    return released;
  }

  /**
   * Releases the lease of a run that cannot continue here. Retries while the database is unreachable: a lease that
   * expires counts against the run.
   */
  async #giveUp({ lease }: Held, error: unknown): Promise<After<"FAILED">> {
    this.#deps.report(error, lease.runId);
    const { leaseMs, isStopping } = this.#options;
    for (const end = performance.now() + 2 * leaseMs; performance.now() < end && !isStopping(); ) {
      try {
        await releaseRun(this.#deps.database, lease);
        return released;
      } catch (failure) {
        if (!isTransient(toAppError(failure))) return released;
      }
      await sleep(Math.min(500, leaseMs / 4));
    }
    return released;
  }

  /** Wakes the runs that wait for the slot that this run has released. */
  async #wakeNextWaiting(claim: Claim): Promise<void> {
    try {
      for (const { runId, fence } of await loadNextWaiting(this.#deps.database, claim.workflowId)) {
        const { priority } = claim;
        if (this.#deps.handOff.offer(runId, priority)) continue;
        // A job id of its own: the job that led to the refusal may still be in the queue.
        const jobFence = `${fence}-after-${claim.runId}-${claim.fence}`;
        this.#deps.queue.wake({ runId, fence: jobFence, priority });
      }
    } catch (error) {
      this.#deps.report(error, claim.runId);
    }
  }
}

function interrupted(error: unknown): After<"EXECUTING"> {
  return error instanceof LeaseLost ? { name: "LOST" } : { name: "FAILED", error };
}

async function failedIfThrown(work: () => Promise<State>): Promise<State> {
  try {
    return await work();
  } catch (error) {
    return { name: "FAILED", error };
  }
}

/** A run that waits for a slot of its workflow, and its fencing number. */
export interface WaitingRun {
  readonly runId: string;
  readonly fence: string;
}

/** Returns the runs that get the free slots of a workflow with a limit, in order of acceptance. */
async function loadNextWaiting(database: Queryable, workflowId: string): Promise<WaitingRun[]> {
  return database.query<WaitingRun & object>(
    `select run_id as "runId", fence::text as fence from system.next_in_line($1::text::uuid)`,
    [workflowId],
    { prepare: true },
  );
}
