import { createError } from "@rowhouse/errors";

/** A few places for much work, of which no one user has more than a share. */
export interface FairLine {
  /**
   * Runs `work` once a place is free; the users who wait take turns.
   *
   * @throws AppError SERVICE_UNAVAILABLE where too many of the user's own wait, or none had its turn in time
   */
  within<Result>(userId: string, work: () => Promise<Result>): Promise<Result>;
}

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

export function createFairLine(options: FairLineOptions): FairLine {
  const { atOnce, perUser, waitingMax, waitMs } = options;
  /** Whoever had a turn last comes last. */
  const users = new Map<string, User>();
  let underWay = 0;

  const begin = (userId: string, user: User): void => {
    underWay += 1;
    user.underWay += 1;
    users.delete(userId);
    users.set(userId, user);
  };
  const enter = (userId: string): Promise<void> | undefined => {
    const user = users.get(userId) ?? { underWay: 0, waiting: [] };
    if (underWay < atOnce && user.underWay < perUser) {
      begin(userId, user);
      return undefined;
    }
    if (user.waiting.length >= waitingMax) return Promise.reject(busy());
    users.set(userId, user);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        user.waiting.splice(user.waiting.indexOf(proceed), 1);
        forget(userId, user);
        reject(busy());
      }, waitMs);
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      user.waiting.push(proceed);
    });
  };
  const leave = (userId: string): void => {
    underWay -= 1;
    const own = users.get(userId);
    if (own !== undefined) {
      own.underWay -= 1;
      forget(userId, own);
    }
    const next = nextInTurn();
    const proceed = next?.[1].waiting.shift();
    if (next === undefined || proceed === undefined) return;
    begin(...next);
    proceed();
  };
  /** Of those who wait and may have a place, one with the fewest. */
  const nextInTurn = (): [string, User] | undefined => {
    let next: [string, User] | undefined;
    for (const [id, user] of users) {
      if (user.waiting.length === 0 || user.underWay >= perUser) continue;
      if (next === undefined || user.underWay < next[1].underWay) next = [id, user];
      if (user.underWay === 0) break;
    }
    return next;
  };
  const forget = (userId: string, user: User): void => {
    if (user.underWay === 0 && user.waiting.length === 0) users.delete(userId);
  };

  return {
    within: async (userId, work) => {
      const turn = enter(userId);
      if (turn !== undefined) await turn;
      try {
        return await work();
      } finally {
        leave(userId);
      }
    },
  };
}

function busy(): Error {
  return createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
}
