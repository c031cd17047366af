export interface UserSemaphoreOptions {
  /** Permits in all. */
  readonly permits: number;
  /** Permits that one user may hold. */
  readonly perUser: number;
  /** Requests of one user that may wait. */
  readonly waitingMax: number;
  /** How long a request may wait, in milliseconds. */
  readonly waitMs: number;
  /** Creates the error of a request for which too many others wait, or that waited too long. */
  readonly busy: () => Error;
}

interface User {
  held: number;
  readonly waiting: (() => void)[];
}

/**
 * A semaphore with a per-user limit and round-robin waiting. The last free permit is reserved for a user who holds none,
 * so that a few users cannot hold them all.
 */
export class UserSemaphore {
  readonly #options: UserSemaphoreOptions;
  /** In the order of turns while some wait: the user who had the latest turn is last. */
  readonly #users = new Map<string, User>();
  #held = 0;
  #waiting = 0;

  constructor(options: UserSemaphoreOptions) {
    this.#options = options;
  }

  /** The number of permits that a user holds. */
  heldBy(userId: string): number {
    return this.#users.get(userId)?.held ?? 0;
  }

  /**
   * Runs `work` with a permit.
   *
   * @throws the error of `busy` if too many requests of the user wait, or no permit became free in time
   */
  async within<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.acquire(userId);
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.release(userId);
    }
  }

  /**
   * Acquires a permit; undefined if one is free now. The holder calls `release`.
   *
   * @throws the error of `busy`, as `within` does
   */
  acquire(userId: string): Promise<void> | undefined {
    const { waitingMax, busy } = this.#options;
    const user = this.#userOf(userId);
    if (this.#mayHold(user)) {
      this.#hold(userId, user);
      return undefined;
    }
    return user.waiting.length < waitingMax ? this.#wait(userId, user) : Promise.reject(busy());
  }

  /** Returns a permit, and gives it to the next user in turn. */
  release(userId: string): void {
    this.#held -= 1;
    const own = this.#users.get(userId);
    if (own !== undefined) {
      own.held -= 1;
      this.#forget(userId, own);
    }
    const next = this.#waiting === 0 ? undefined : this.#nextInTurn();
    const proceed = next?.[1].waiting.shift();
    if (next === undefined || proceed === undefined) return;
    this.#hold(...next);
    proceed();
  }

  #userOf(userId: string): User {
    const known = this.#users.get(userId);
    if (known !== undefined) return known;
    const user = { held: 0, waiting: [] };
    this.#users.set(userId, user);
    return user;
  }

  #mayHold({ held }: User): boolean {
    const { permits, perUser } = this.#options;
    const reserved = held === 0 ? 0 : 1;
    return held < perUser && this.#held + reserved < permits;
  }

  #hold(userId: string, user: User): void {
    this.#held += 1;
    user.held += 1;
    if (this.#waiting === 0) return;
    this.#users.delete(userId);
    this.#users.set(userId, user);
  }

  #wait(userId: string, user: User): Promise<void> {
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(proceed), 1);
        this.#waiting -= 1;
        this.#forget(userId, user);
        reject(this.#options.busy());
      }, this.#options.waitMs);
      const proceed = () => {
        clearTimeout(timer);
        this.#waiting -= 1;
        resolve();
      };
      user.waiting.push(proceed);
    });
  }

  /** Of the users who wait and may hold another permit, one who holds the fewest. */
  #nextInTurn(): [string, User] | undefined {
    let next: [string, User] | undefined;
    for (const [id, user] of this.#users) {
      if (user.waiting.length === 0 || !this.#mayHold(user)) continue;
      if (next === undefined || user.held < next[1].held) next = [id, user];
      if (user.held === 0) break;
    }
    return next;
  }

  #forget(userId: string, user: User): void {
    if (user.held === 0 && user.waiting.length === 0) this.#users.delete(userId);
  }
}
