import { setImmediate } from "node:timers/promises";
import { type Database, type Queryable, toAppError } from "@rowhouse/db";
import { createMutex, type Mutex } from "@rowhouse/limits";
import type { CompiledDefinition } from "../compile/compiled.ts";
import { type Flight, intentOf } from "../effect/flight.ts";
import { Interpretation } from "../interpret/interpret.ts";
import type { Pending } from "../interpret/machine.ts";
import { pauseBefore } from "../interpret/retry.ts";
import { concluded } from "../interpret/run-journal.ts";
import type { Answer, EffectRequest } from "../interpret/wait.ts";
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
import { lateAnswer, runTimedOut } from "./run-end.ts";
import { watchComputing } from "./watch-computing.ts";
import type { JournalWriter } from "./write-journal.ts";

/** Delay after a due moment, in milliseconds, so that the database's clock has also reached it. */
const lateMs = 5;

export interface ExecutionDeps {
  readonly database: Database;
  /** A writer for the same database. */
  readonly journal: JournalWriter;
  /** For runs that have lost a lease: in each process, one of them at a time computes its first steps. */
  readonly watched: Mutex;
}

export interface ExecutionOptions {
  /** The rest of the run's time limit. */
  readonly leftMs: number;
  /** The end of a run that reaches it. */
  readonly timedOut?: Outcome;
}

/** The result of a claim. */
export type Executed =
  | { readonly kind: "ENDED"; readonly ended: EndedRun }
  | { readonly kind: "HAND_BACK" }
  /** Only waiting is left: for `dueInMs` milliseconds, or until the run is signaled. */
  | { readonly kind: "PARK"; readonly dueInMs: number };

/** Executes a claim: effects in progress, moments to wait for, and the state machine that they advance. */
export class Execution {
  readonly #database: Database;
  readonly #journal: JournalWriter;
  readonly #claim: Claim;
  readonly #hold: Hold;
  readonly #watched: Mutex;
  readonly #deadline: number;
  readonly #timedOut: Outcome;
  readonly #interpretation: Interpretation;
  readonly #mutex = createMutex();
  readonly #stop = new AbortController();
  /** Flights whose outcome is not recorded yet. */
  readonly #flights = new Set<Promise<void>>();
  readonly #waiting = new DueList();
  #next: Pending[] = [];
  #inProgress = 0;
  #cancelling = false;
  /** Answers of effects that are recorded, and from which the run has not continued yet. */
  readonly #concluded = new Map<Pending, Answer>();
  #expired = false;
  #timer: NodeJS.Timeout | undefined;
  #ended: EndedRun | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    { database, journal, watched }: ExecutionDeps,
    claim: Claim,
    hold: Hold,
    { leftMs, timedOut = runTimedOut() }: ExecutionOptions,
  ) {
    this.#database = database;
    this.#journal = journal;
    this.#claim = claim;
    this.#hold = hold;
    this.#watched = watched;
    this.#deadline = performance.now() + leftMs;
    this.#timedOut = timedOut;
    this.#interpretation = new Interpretation(claim.journal, interpretationOf(claim.testOptions));
  }

  /** @throws LeaseLost, and errors of the database */
  async run(
    definition: CompiledDefinition,
    carryOut: (flight: Flight) => Promise<void>,
  ): Promise<Executed> {
    const { lost } = this.#hold;
    const onLost = () => this.#stop.abort();
    lost.addEventListener("abort", onLost);
    this.#expireInTime();
    try {
      await this.#start(definition);
      for (;;) {
        await this.#begin(carryOut);
        if (this.#flights.size === 0) return await this.#rest();
        await this.#wakeUp();
      }
    } finally {
      clearTimeout(this.#timer);
      lost.removeEventListener("abort", onLost);
    }
  }

  async #start(definition: CompiledDefinition): Promise<void> {
    const start = () => {
      this.#next = this.#interpretation.start(definition, this.#claim.input);
    };
    if (this.#hasLostLease) await this.#computeWatched(start);
    else start();
  }

  /** Continues after an effect whose entry is recorded. */
  async #goOn(pending: Pending, answer: Answer): Promise<void> {
    if (this.#isHeld()) return;
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
    await watchComputing(this.#database, this.#watched, this.#claim, async () => {
      compute();
      for (let pending = this.#takePaused(); pending !== undefined; pending = this.#takePaused()) {
        await setImmediate();
        this.#next.push(...this.#interpretation.resume(pending, { kind: "DUE" }));
      }
    });
  }

  #takePaused(): Pending | undefined {
    if (this.#isHeld()) return undefined;
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
        if (due === undefined || this.#isHeld()) return;
        this.#waiting.remove(due);
        await this.#exclusively(async (enter) => {
          await enter();
          this.#next.push(...this.#interpretation.resume(due, { kind: "DUE" }));
        });
        continue;
      }
      if (pending.withdrawn || this.#isHeld()) continue;
      const { request } = pending;
      if (request.kind === "EFFECT") this.#fly(pending, request, carryOut);
      else if (request.kind === "PAUSE") this.#pause(pending);
      else this.#waiting.add(pending, request.dueInMs);
    }
  }

  /** Whether nothing more may start. */
  #isHeld(): boolean {
    return (
      this.#failure !== undefined ||
      this.#ended !== undefined ||
      this.#cancelling ||
      this.#expired ||
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
    let next: Pending[] = [];
    const startedAt = performance.now();
    const work = carryOut({
      request,
      signal: this.#stop.signal,
      exclusively: (inside) => this.#exclusively(inside),
      checkLease: () => {
        if (this.#hold.isLate(startedAt)) throw new LeaseLost("The lease may have expired");
      },
      begin: () => this.#intend(request),
      advance: async (queryable, answer) => {
        next = await this.#advance(queryable, pending, answer);
      },
    });
    const flight: Promise<void> = work
      .then(async () => {
        // The entries before these requests are committed now.
        this.#next.push(...next);
        const answer = this.#concluded.get(pending);
        this.#concluded.delete(pending);
        if (answer !== undefined) await this.#goOn(pending, answer);
      })
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#flights.delete(flight));
    this.#flights.add(flight);
  }

  /** Lets the process do other work, and continues. */
  #pause(pending: Pending): void {
    const flight: Promise<void> = setImmediate()
      .then(async () => {
        if (this.#isHeld()) return;
        await this.#exclusively(async (enter) => {
          await enter();
          if (pending.withdrawn) return;
          this.#next.push(...this.#interpretation.resume(pending, { kind: "DUE" }));
        });
      })
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#flights.delete(flight));
    this.#flights.add(flight);
  }

  async #exclusively<Result>(
    work: (enter: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    let leave: (() => void) | undefined;
    try {
      return await work(async () => {
        leave = await this.#mutex.acquire();
        if (this.#failure !== undefined) throw this.#failure.error;
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
    await this.#write(this.#database, [...before, intentOf(request)], undefined, before.length);
    if (this.#ended === undefined && !this.#cancelling) return true;
    this.#inProgress -= 1;
    return false;
  }

  async #advance(queryable: Queryable, pending: Pending, answer: Answer): Promise<Pending[]> {
    const interpretation = this.#interpretation;
    if (this.#cancelling || this.#expired) {
      interpretation.settle(
        pending,
        this.#expired ? lateAnswer(answer, this.#timedOut.error?.code) : answer,
      );
      const entries = interpretation.pending.splice(0);
      const end = this.#expired && this.#inProgress === 1 ? this.#timedOut : undefined;
      await this.#write(queryable, entries, end, entries.length);
      this.#inProgress -= 1;
      return [];
    }
    const { request } = pending;
    if (this.#hasLostLease && request.kind === "EFFECT" && isFinal(request, answer)) {
      // The next steps may have stopped the previous worker: they are computed after this commit.
      const entries = [...interpretation.pending.splice(0), conclusionOf(request, answer)];
      await this.#write(queryable, entries, undefined, entries.length);
      this.#inProgress -= 1;
      this.#concluded.set(pending, answer);
      return [];
    }
    const inProgress = interpretation.pending.length + 1;
    const next = interpretation.resume(pending, answer);
    const entries = interpretation.pending.splice(0);
    const { end } = interpretation;
    const isLast = end !== undefined && (entries.length === inProgress || end.status === "FAILED");
    await this.#write(queryable, entries, end, isLast ? undefined : inProgress);
    this.#inProgress -= 1;
    return next;
  }

  async #write(
    queryable: Queryable,
    entries: readonly JournalEntry[],
    outcome: Outcome | undefined,
    cancellableAfter: number | undefined,
  ): Promise<void> {
    const written = await this.#journal.write(queryable, {
      ...{ runId: this.#claim.runId, fence: this.#claim.fence },
      entries,
      outcome,
      cancellableAfter,
      othersInProgress: this.#inProgress > 1,
    });
    this.#ended = written.ended;
    this.#cancelling = written.cancelling;
  }

  /** Ends the claim when nothing is in progress: the run has ended, is parked, or is handed back. */
  async #rest(): Promise<Executed> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#hold.lost.aborted) throw new LeaseLost("Another worker holds the run");
    const { end, pending } = this.#interpretation;
    const outcome = this.#expired ? this.#timedOut : end;
    if (this.#ended === undefined && outcome !== undefined) {
      await this.#write(this.#database, pending.splice(0), outcome, undefined);
    }
    if (this.#ended !== undefined) return { kind: "ENDED", ended: this.#ended };
    if (this.#hold.isStopping()) return { kind: "HAND_BACK" };
    if (this.#waiting.size === 0) throw new Error("a run waits for nothing");
    if (pending.length > 0) {
      const entries = pending.splice(0);
      await this.#write(this.#database, entries, undefined, entries.length);
      if (this.#ended !== undefined) return { kind: "ENDED", ended: this.#ended };
    }
    const dueInMs = this.#waiting.nextInMs();
    const isTimed = dueInMs !== null && dueInMs < this.#leftMs();
    return { kind: "PARK", dueInMs: Math.ceil(isTimed ? dueInMs : this.#leftMs()) + lateMs };
  }

  #expireInTime(): void {
    const leftMs = Math.ceil(this.#leftMs());
    if (leftMs <= 0) {
      this.#expired = true;
      this.#stop.abort();
      // A timer can fire early, and cannot wait for longer than its maximum.
    } else this.#timer = setTimeout(() => this.#expireInTime(), Math.min(leftMs, timerMaxMs));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error: error instanceof LeaseLost ? error : toAppError(error) };
    this.#stop.abort();
  }

  #leftMs(): number {
    return this.#deadline - performance.now();
  }

  /** Resolves once a flight has ended or a moment has arrived. */
  async #wakeUp(): Promise<void> {
    const dueInMs = this.#waiting.nextInMs();
    if (dueInMs === null || this.#isHeld()) {
      await Promise.race(this.#flights);
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const due = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(dueInMs, timerMaxMs));
    });
    await Promise.race([...this.#flights, due]);
    clearTimeout(timer);
  }
}

/** An answer after which the step neither retries nor waits for another run. */
type Final = Extract<Answer, { kind: "OUTPUT" | "FAULT" }>;

function isFinal(request: EffectRequest, answer: Answer): answer is Final {
  if (answer.kind === "OUTPUT") return true;
  if (answer.kind !== "FAULT") return false;
  return pauseBefore(request.step, request.attempt, answer.error, Math.random) === undefined;
}

function conclusionOf(
  { path, position, step, attempt }: EffectRequest,
  answer: Final,
): JournalEntry {
  return concluded(
    { path, position, kind: step.kind, startedAt: Date.now(), attempt },
    answer,
    Date.now(),
  );
}
