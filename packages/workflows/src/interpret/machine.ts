import type { BranchEnd, BranchGenerator, EffectAnswer, Fork, Joined, Request } from "./wait.ts";

/** A request that a branch waits for. The driver returns it with its answer. */
export interface Pending {
  readonly request: Request;
  readonly thread: Thread;
  /** Whether the driver has started it. */
  started: boolean;
  /** Whether its branch was stopped before the driver started it. */
  withdrawn: boolean;
}

interface Thread {
  readonly branch: BranchGenerator;
  readonly group: Group | undefined;
  readonly index: number;
  at: Pending | Group | undefined;
  /** A stopped thread does not resume after its current request. */
  stopped: boolean;
}

interface Group {
  readonly fork: Fork;
  readonly thread: Thread;
  readonly active: Set<Thread>;
  readonly outputs: unknown[];
  next: number;
  end: BranchEnd | "STOPPED" | undefined;
  filling: boolean;
  joined: boolean;
}

/**
 * Runs branches that wait for requests and for each other. It limits how many branches of a fork run at once. If one
 * of them fails or finishes, the others stop after the requests in progress.
 */
export class Machine {
  /** Set once the first branch has ended. */
  end: BranchEnd | undefined;
  readonly #requested: Pending[] = [];

  /** Starts with one branch. @returns the first requests to carry out */
  start(branch: BranchGenerator): Pending[] {
    this.#resumeThread(
      { branch, group: undefined, index: 0, at: undefined, stopped: false },
      undefined,
    );
    return this.#takeRequested();
  }

  /** Passes the answer to a request to its branch. @returns the next requests to carry out */
  resume(pending: Pending, answer: EffectAnswer): Pending[] {
    const { thread } = pending;
    thread.at = undefined;
    if (thread.stopped) this.#leave(thread);
    else this.#resumeThread(thread, answer);
    return this.#takeRequested();
  }

  #takeRequested(): Pending[] {
    return this.#requested.splice(0).filter((next) => !next.withdrawn);
  }

  #resumeThread(thread: Thread, answer: EffectAnswer | Joined | undefined): void {
    const next = answer === undefined ? thread.branch.next() : thread.branch.next(answer);
    if (next.done === true) {
      this.#complete(thread, next.value);
      return;
    }
    if (next.value.kind === "FORK") {
      const group: Group = {
        fork: next.value,
        thread,
        active: new Set(),
        outputs: [],
        next: 0,
        end: undefined,
        filling: false,
        joined: false,
      };
      thread.at = group;
      this.#fill(group);
      return;
    }
    const pending: Pending = { request: next.value, thread, started: false, withdrawn: false };
    thread.at = pending;
    this.#requested.push(pending);
  }

  #complete(thread: Thread, end: BranchEnd): void {
    const { group } = thread;
    if (group === undefined) {
      this.end = end;
      return;
    }
    group.active.delete(thread);
    if (end.kind === "DONE") group.outputs[thread.index] = end.output;
    else if (group.end === undefined) {
      group.end = end;
      this.#stopAll(group);
    }
    this.#fill(group);
  }

  /** Starts as many branches as may run at once. A branch that ends immediately makes room for the next. */
  #fill(group: Group): void {
    if (group.filling) return;
    group.filling = true;
    const { fork } = group;
    while (
      group.end === undefined &&
      group.next < fork.count &&
      group.active.size < fork.concurrency
    ) {
      const index = group.next;
      group.next += 1;
      const thread: Thread = {
        branch: fork.branch(index),
        group,
        index,
        at: undefined,
        stopped: false,
      };
      group.active.add(thread);
      this.#resumeThread(thread, undefined);
    }
    group.filling = false;
    this.#join(group);
  }

  #join(group: Group): void {
    const isOver =
      group.active.size === 0 && (group.end !== undefined || group.next >= group.fork.count);
    if (!isOver || group.filling || group.joined) return;
    group.joined = true;
    const { thread, end, outputs } = group;
    thread.at = undefined;
    if (thread.stopped || end === "STOPPED") this.#leave(thread);
    else if (end === undefined) this.#resumeThread(thread, { kind: "JOINED", outputs });
    else this.#resumeThread(thread, { kind: "STOPPED", end });
  }

  #stopAll(group: Group): void {
    const wasFilling = group.filling;
    // Prevents a join before every thread is stopped.
    group.filling = true;
    for (const thread of [...group.active]) this.#stop(thread);
    group.filling = wasFilling;
  }

  #stop(thread: Thread): void {
    thread.stopped = true;
    const { at } = thread;
    if (at === undefined) return;
    if ("fork" in at) {
      at.end ??= "STOPPED";
      this.#stopAll(at);
      this.#join(at);
    } else if (at.request.kind !== "EFFECT" || !at.started) {
      at.withdrawn = true;
      this.#leave(thread);
    }
  }

  #leave(thread: Thread): void {
    const { group } = thread;
    if (group === undefined) return;
    group.active.delete(thread);
    this.#join(group);
  }
}
