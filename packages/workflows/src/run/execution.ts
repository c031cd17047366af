import { setImmediate } from "node:timers/promises";
import { type Database, type Queryable, toAppError } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createMutex, type Mutex } from "@rowhouse/limits";
import { RunFault, stepTimeout } from "../base/run-fault.ts";
import type { CompiledDefinition } from "../compile/compiled.ts";
import { conclusionOf, type Flight, intentOf, isFinal } from "../effect/flight.ts";
import { Interpretation } from "../interpret/interpret.ts";
import type { Pending } from "../interpret/machine.ts";
import { pauseBefore } from "../interpret/retry.ts";
import type { EffectAnswer, EffectRequest } from "../interpret/wait.ts";
import {
  type Claim,
  type EndedRun,
  type JournalEntry,
  LeaseLost,
  type Outcome,
} from "../model/run.ts";
import { interpretationOf } from "../model/test-options.ts";
import { DueList, timerMaxMs } from "./due-list.ts";
import type { Hold } from "./keep-lease.ts";
import type { TimeLimit } from "./time-limit.ts";
import { watchComputing } from "./watch-computing.ts";
import type { JournalResult, JournalWriter } from "./write-journal.ts";

/**
 * Time for an attempt of a step without `timeoutMs`, in milliseconds. Requests, statements and documents end by timers of
 * their own, which are shorter; this one ends an attempt that none of them has ended, for example because a storage sends
 * an endless body.
 */
const attemptMaxMsDefault = 900_000;

/** Time for effects to settle after their time limit or the abort of their signal, in milliseconds. */
const settleMs = 2000;

/** Delay after a due moment, in milliseconds, so that the database's clock has also reached it. */
const lateMs = 5;

export interface ExecutionDeps {
  readonly database: Database;
  /** A writer for the same database. */
  readonly journal: JournalWriter;
  /** For runs that have lost a lease: in each process, one of them at a time computes its first steps. */
  readonly watched: Mutex;
  /** Receives the errors of steps that an operator needs: the run has only their public part. */
  readonly report: (error: unknown, runId: string) => void;
  /** 900,000 by default. */
  readonly attemptMaxMs?: number;
}

export type Executed =
  | { readonly kind: "ENDED"; readonly ended: EndedRun }
  | { readonly kind: "HAND_BACK" }
  /** Only waiting is left: for `dueInMs` milliseconds, or until the run is signaled. */
  | { readonly kind: "PARK"; readonly dueInMs: number };

/**
 * Executes a claim: computes up to the next requests, begins them, and resumes from each answer, until the run has
 * ended or only waits. `model/run.ts` has the states.
 */
export class Execution {
  readonly #deps: ExecutionDeps;
  readonly #claim: Claim;
  readonly #hold: Hold;
  readonly #limit: TimeLimit;
  readonly #interpretation: Interpretation;
  /** Held while the run computes, until what it has computed is written. */
  readonly #mutex = createMutex();
  /** When all effects were aborted, on the clock of `performance`. */
  #abortedAt = Number.POSITIVE_INFINITY;
  /** Ends the wait of the loop. */
  #wake = () => {};

  // What each turn changes:
  /** Requests that are computed, and neither begun nor waited for. */
  #next: Pending[] = [];
  /** Flights whose outcome is not recorded yet, and pauses. */
  readonly #flights = new Set<Promise<void>>();
  /** Effects among the flights. */
  #inProgress = 0;
  /** Their requests, from the start of the flight until its answer is recorded, and what aborts them. */
  readonly #inFlight = new Map<Pending, AbortController>();
  /** Whether the claim has ended, so that flights which have not settled may record nothing. */
  #isOver = false;
  readonly #waiting = new DueList();
  #written: JournalResult = { ended: undefined, cancelling: false };
  #failure: { readonly error: unknown } | undefined;

  constructor(deps: ExecutionDeps, claim: Claim, hold: Hold, limit: TimeLimit) {
    this.#deps = deps;
    this.#claim = claim;
    this.#hold = hold;
    this.#limit = limit;
    this.#interpretation = new Interpretation(claim.journal, interpretationOf(claim.testOptions));
  }

  /** @throws LeaseLost, and errors of the database */
  async run(
    definition: CompiledDefinition,
    carryOut: (flight: Flight) => Promise<void>,
  ): Promise<Executed> {
    const { lost, handBack } = this.#hold;
    const stop = () => this.#abort();
    lost.addEventListener("abort", stop);
    handBack.addEventListener("abort", stop);
    this.#limit.watch(stop);
    try {
      await this.#start(definition);
      for (;;) {
        await this.#begin(carryOut);
        if (this.#flights.size === 0) return await this.#rest();
        if (this.#leftToSettleMs() <= 0) return await this.#leaveFlights();
        await this.#wakeUp();
      }
    } finally {
      this.#limit.close();
      lost.removeEventListener("abort", stop);
      handBack.removeEventListener("abort", stop);
    }
  }

  /** Ends all effects in progress. */
  #abort(): void {
    if (this.#abortedAt < Number.POSITIVE_INFINITY) return;
    this.#abortedAt = performance.now();
    for (const controller of this.#inFlight.values()) controller.abort();
    this.#wake();
  }

  /** Time for the flights to settle, in milliseconds: without an end until they are aborted. */
  #leftToSettleMs(): number {
    return this.#abortedAt + settleMs - performance.now();
  }

  /** Ends the claim although flights have not settled: whatever holds them up, it does not hold the slot. */
  async #leaveFlights(): Promise<Executed> {
    return this.#exclusively(async (enter) => {
      await enter();
      this.#isOver = true;
      if (this.#limit.hasPassed) {
        const late = this.#limit.lateAnswer({ kind: "FAULT", error: stepTimeout() });
        for (const pending of this.#inFlight.keys()) this.#interpretation.settle(pending, late);
      }
      return this.#rest();
    });
  }

  async #start(definition: CompiledDefinition): Promise<void> {
    const start = () => {
      this.#next = this.#interpretation.start(definition, this.#claim.input);
    };
    if (this.#hasLostLease) await this.#computeWatched(start);
    else start();
  }

  /** Resumes from a moment that has arrived. */
  async #resumeDue(pending: Pending): Promise<void> {
    await this.#exclusively(async (enter) => {
      await enter();
      if (pending.withdrawn) return;
      this.#next.push(...this.#interpretation.resume(pending, { kind: "DUE" }));
    });
  }

  /** Resumes from an effect whose entry is recorded already. */
  async #resumeRecorded(pending: Pending, answer: EffectAnswer): Promise<void> {
    if (this.#isHalted()) return;
    await this.#exclusively(async (enter) => {
      await enter();
      await this.#computeWatched(() => {
        const { pending: entries } = this.#interpretation;
        const from = entries.length;
        this.#next.push(...this.#interpretation.resume(pending, answer));
        const { request } = pending;
        const written = entries.findIndex(
          ({ path }, index) => index >= from && "path" in request && path === request.path,
        );
        if (written !== -1) entries.splice(written, 1);
      });
    });
  }

  async #computeWatched(compute: () => void): Promise<void> {
    await watchComputing(this.#deps.database, this.#deps.watched, this.#claim, async () => {
      compute();
      for (let pending = this.#takePaused(); pending !== undefined; pending = this.#takePaused()) {
        await setImmediate();
        this.#next.push(...this.#interpretation.resume(pending, { kind: "DUE" }));
      }
    });
  }

  #takePaused(): Pending | undefined {
    if (this.#isHalted()) return undefined;
    const index = this.#next.findIndex(({ request }) => request.kind === "PAUSE");
    return index === -1 ? undefined : this.#next.splice(index, 1)[0];
  }

  /** Whether this run may have stopped its previous worker. */
  get #hasLostLease(): boolean {
    return this.#claim.lostLeases > 0;
  }

  /** Starts all requests that can start. */
  async #begin(carryOut: (flight: Flight) => Promise<void>): Promise<void> {
    for (;;) {
      const pending = this.#next.shift();
      if (pending === undefined) {
        const due = this.#waiting.now();
        if (due === undefined || this.#isHalted()) return;
        this.#waiting.remove(due);
        await this.#resumeDue(due);
        continue;
      }
      if (pending.withdrawn || this.#isHalted()) continue;
      const { request } = pending;
      if (request.kind === "EFFECT") this.#fly(pending, request, carryOut);
      else if (request.kind === "PAUSE") this.#pause(pending);
      else this.#waiting.add(pending, request.dueInMs);
    }
  }

  /** Whether nothing more may start. */
  #isHalted(): boolean {
    return (
      this.#failure !== undefined ||
      this.#written.ended !== undefined ||
      this.#written.cancelling ||
      this.#limit.hasPassed ||
      this.#hold.isStopping()
    );
  }

  #fly(
    pending: Pending,
    request: EffectRequest,
    carryOut: (flight: Flight) => Promise<void>,
  ): void {
    pending.started = true;
    this.#inProgress += 1;
    const controller = new AbortController();
    this.#inFlight.set(pending, controller);
    if (this.#abortedAt < Number.POSITIVE_INFINITY) controller.abort();
    this.#hold.moved();
    let recorded: Recorded | undefined;
    const resume = async (queryable: Queryable, answer: EffectAnswer) => {
      recorded = await this.#resume(queryable, pending, answer);
      const forOperator = answer.kind === "FAULT" ? reportOf(request, answer.error) : undefined;
      if (forOperator !== undefined) this.#deps.report(forOperator, this.#claim.runId);
    };
    const startedAt = performance.now();
    let isOver = false;
    const checkLease = () => {
      if (this.#hold.isLate(startedAt)) throw new LeaseLost("The lease may have expired");
    };
    const work = carryOut({
      request,
      signal: controller.signal,
      exclusively: (inside) => this.#exclusively(inside, () => isOver),
      checkLease,
      begin: () => this.#intend(request),
      resume,
    });
    const end = async () => {
      isOver = true;
      controller.abort();
      await this.#exclusively(async (enter) => {
        await enter();
        // This timer, like the lease, runs on while the process is frozen.
        checkLease();
        const answer = { kind: "FAULT", error: stepTimeout() } as const;
        if (recorded === undefined) await resume(this.#deps.database, answer);
      });
    };
    const { attemptMaxMs = attemptMaxMsDefault } = this.#deps;
    const ownMs = request.step.timeoutMs;
    const limitMs = ownMs === undefined ? attemptMaxMs : Math.min(attemptMaxMs, ownMs + settleMs);
    this.#track(
      endedAfter(limitMs, work, end).then(async () => {
        this.#inFlight.delete(pending);
        // The entries before these requests are committed now.
        this.#next.push(...(recorded?.next ?? []));
        if (recorded?.answer !== undefined) await this.#resumeRecorded(pending, recorded.answer);
      }),
    );
  }

  /** Lets the process do other work, and resumes. */
  #pause(pending: Pending): void {
    this.#track(
      setImmediate().then(async () => {
        if (!this.#isHalted()) await this.#resumeDue(pending);
      }),
    );
  }

  #track(work: Promise<void>): void {
    const flight: Promise<void> = work
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#flights.delete(flight));
    this.#flights.add(flight);
  }

  /** @param isOver whether nothing of `work` counts any more */
  async #exclusively<Result>(
    work: (enter: () => Promise<void>) => Promise<Result>,
    isOver = () => false,
  ): Promise<Result> {
    let leave: (() => void) | undefined;
    try {
      return await work(async () => {
        const entered = await this.#mutex.acquire();
        if (isOver()) {
          entered();
          throw new Error("The attempt of the step is over");
        }
        leave = entered;
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#isOver) throw new LeaseLost("The claim has ended");
        if (this.#hold.lost.aborted) throw new LeaseLost("Another worker holds the run");
      });
    } catch (error) {
      if (leave !== undefined) this.#fail(error);
      throw error;
    } finally {
      leave?.();
    }
  }

  /** Call it only while holding the mutex. */
  async #intend(request: EffectRequest): Promise<boolean> {
    const before = this.#interpretation.pending.splice(0);
    const entries = [...before, intentOf(request)];
    await this.#write(this.#deps.database, entries, undefined, before.length);
    if (this.#written.ended === undefined && !this.#written.cancelling) return true;
    this.#inProgress -= 1;
    return false;
  }

  /** Records the answer to an effect, resumes from it, and records what the run computes up to the next requests. */
  async #resume(queryable: Queryable, pending: Pending, answer: EffectAnswer): Promise<Recorded> {
    const interpretation = this.#interpretation;
    const { hasPassed, outcome } = this.#limit;
    // The fault is that of the abort, not of the step, which the next claim repeats.
    if (this.#hold.handBack.aborted && answer.kind === "FAULT") throw new HandedBack();
    this.#inFlight.delete(pending);
    if (this.#written.cancelling || hasPassed) {
      interpretation.settle(pending, hasPassed ? this.#limit.lateAnswer(answer) : answer);
      const entries = interpretation.pending.splice(0);
      const end = hasPassed && this.#inProgress === 1 ? outcome : undefined;
      await this.#write(queryable, entries, end, entries.length);
      this.#inProgress -= 1;
      return { next: [] };
    }
    const { request } = pending;
    if (this.#hasLostLease && request.kind === "EFFECT" && isFinal(request, answer)) {
      // The next steps may have stopped the previous worker: they are computed after this commit.
      const entries = [...interpretation.pending.splice(0), conclusionOf(request, answer)];
      await this.#write(queryable, entries, undefined, entries.length);
      this.#inProgress -= 1;
      return { next: [], answer };
    }
    const inProgress = interpretation.pending.length + 1;
    const next = interpretation.resume(pending, answer);
    const entries = interpretation.pending.splice(0);
    const { end } = interpretation;
    const isLast = end !== undefined && (entries.length === inProgress || end.status === "FAILED");
    await this.#write(queryable, entries, end, isLast ? undefined : inProgress);
    this.#inProgress -= 1;
    return { next };
  }

  async #write(
    queryable: Queryable,
    entries: readonly JournalEntry[],
    outcome: Outcome | undefined,
    cancellableAfter: number | undefined,
  ): Promise<JournalResult> {
    this.#hold.moved();
    this.#written = await this.#deps.journal.write(queryable, {
      ...{ runId: this.#claim.runId, fence: this.#claim.fence },
      entries,
      outcome,
      cancellableAfter,
      othersInProgress: this.#inProgress > 1,
    });
    return this.#written;
  }

  /** Ends the claim when nothing is in progress: the run has ended, is parked, or is handed back. */
  async #rest(): Promise<Executed> {
    if (this.#failure?.error instanceof HandedBack) return { kind: "HAND_BACK" };
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#hold.lost.aborted) throw new LeaseLost("Another worker holds the run");
    const { end, pending } = this.#interpretation;
    const outcome = this.#limit.hasPassed ? this.#limit.outcome : end;
    if (this.#written.ended === undefined && outcome !== undefined) {
      await this.#write(this.#deps.database, pending.splice(0), outcome, undefined);
    }
    if (this.#written.ended !== undefined) return { kind: "ENDED", ended: this.#written.ended };
    if (this.#hold.isStopping()) return { kind: "HAND_BACK" };
    if (this.#waiting.size === 0) throw new Error("a run waits for nothing");
    if (pending.length > 0) {
      const entries = pending.splice(0);
      const { ended } = await this.#write(this.#deps.database, entries, undefined, entries.length);
      if (ended !== undefined) return { kind: "ENDED", ended };
    }
    const leftMs = this.#limit.leftMs();
    const dueInMs = Math.min(this.#waiting.nextInMs() ?? leftMs, leftMs);
    return { kind: "PARK", dueInMs: Math.ceil(dueInMs) + lateMs };
  }

  #fail(error: unknown): void {
    const isKnown = error instanceof LeaseLost || error instanceof HandedBack;
    this.#failure ??= { error: isKnown ? error : toAppError(error) };
    this.#abort();
  }

  /** Resolves once a flight has ended, a moment has arrived, or the flights must settle. */
  async #wakeUp(): Promise<void> {
    const dueInMs = this.#isHalted() ? null : this.#waiting.nextInMs();
    const untilMs = Math.min(dueInMs ?? timerMaxMs, this.#leftToSettleMs(), timerMaxMs);
    const moment = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const timer = setTimeout(this.#wake, untilMs);
    await Promise.race([...this.#flights, moment]);
    clearTimeout(timer);
  }
}

/** Resolves with `work`; if it has not settled after `ms` milliseconds, `end` replaces it. */
async function endedAfter(
  ms: number,
  work: Promise<void>,
  end: () => Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let ended: Promise<void> | undefined;
  const late = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => {
      ended = end();
      ended.then(resolve, reject);
    }, ms);
  });
  try {
    // An attempt that its end has aborted may fail before the end is recorded.
    await Promise.race([work.catch((error: unknown) => ended ?? Promise.reject(error)), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what the log has of a step's error; of an outgoing call, only the reason of its last attempt. */
function reportOf({ step, attempt }: EffectRequest, error: unknown): Error | undefined {
  if (error instanceof AppError) return error.isLogged ? error : undefined;
  if (!(error instanceof RunFault) || error.reason === undefined) return undefined;
  if (pauseBefore(step, attempt, error, () => 0) !== undefined) return undefined;
  // Without the cause: its text has the host, which can be a secret.
  return new RunFault(error.code, `The step "${step.id}" failed: ${error.reason}`);
}

/** The worker stops, and an effect was aborted: another claim repeats it. */
class HandedBack extends Error {
  override readonly name = "HandedBack";
}

interface Recorded {
  /** The requests that follow from it. */
  readonly next: readonly Pending[];
  /** Set if the run has yet to resume from it. */
  readonly answer?: EffectAnswer;
}
