import { createError } from "@rowhouse/errors";

export interface FairLineOptions {
  /** Places in all. */
  readonly atOnce: number;
  /** Places that one user may have. */
  readonly perUser: number;
  /** How much of one user may wait. */
  readonly waitingMax: number;
  /** How long it may wait, in milliseconds. */
  readonly waitMs: number;
}

interface User {
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * Places for much work, of which no one user has more than a share. The last free one is for a user who has none, so that few
 * users do not have them all. Users who wait take turns.
 */
export class FairLine {
  readonly #options: FairLineOptions;
  /** While some wait, whoever had a turn last comes last. */
  readonly #users = new Map<string, User>();
  #underWay = 0;
  #waiting = 0;

  constructor(options: FairLineOptions) {
    this.#options = options;
  }

  /** How many places a user has. */
  underWay(userId: string): number {
    return this.#users.get(userId)?.underWay ?? 0;
  }

  /**
   * Runs `work` once a place is free.
   *
   * @throws AppError SERVICE_UNAVAILABLE where too much of the user's own waits, or its turn did not come in time
   */
  async within<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const turn = this.enter(userId);
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.leave(userId);
    }
  }

  /**
   * Takes a place; undefined where there is one. Whoever got it leaves it.
   *
   * @throws AppError SERVICE_UNAVAILABLE as `within` does
   */
  enter(userId: string): Promise<void> | undefined {
    const { waitingMax } = this.#options;
    let user = this.#users.get(userId);
    if (user === undefined) {
      user = { underWay: 0, waiting: [] };
      this.#users.set(userId, user);
    }
    if (this.#mayBegin(user)) {
      this.#begin(userId, user);
      return undefined;
    }
    return user.waiting.length < waitingMax ? this.#wait(userId, user) : Promise.reject(busy());
  }

  leave(userId: string): void {
    this.#underWay -= 1;
    const own = this.#users.get(userId);
    if (own !== undefined) {
      own.underWay -= 1;
      this.#forget(userId, own);
    }
    const next = this.#waiting === 0 ? undefined : this.#nextInTurn();
    const proceed = next?.[1].waiting.shift();
    if (next === undefined || proceed === undefined) return;
    this.#begin(...next);
    proceed();
  }

  #mayBegin({ underWay }: User): boolean {
    const { atOnce, perUser } = this.#options;
    const kept = underWay === 0 ? 0 : 1;
    return underWay < perUser && this.#underWay + kept < atOnce;
  }

  #begin(userId: string, user: User): void {
    this.#underWay += 1;
    user.underWay += 1;
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
        reject(busy());
      }, this.#options.waitMs);
      const proceed = () => {
        clearTimeout(timer);
        this.#waiting -= 1;
        resolve();
      };
      user.waiting.push(proceed);
    });
  }

  /** Of those who wait and may have a place, one with the fewest. */
  #nextInTurn(): [string, User] | undefined {
    let next: [string, User] | undefined;
    for (const [id, user] of this.#users) {
      if (user.waiting.length === 0 || !this.#mayBegin(user)) continue;
      if (next === undefined || user.underWay < next[1].underWay) next = [id, user];
      if (user.underWay === 0) break;
    }
    return next;
  }

  #forget(userId: string, user: User): void {
    if (user.underWay === 0 && user.waiting.length === 0) this.#users.delete(userId);
  }
}

/** There is no room for what was asked. */
export function busy(): Error {
  return createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
}
