import type postgres from "postgres";
import { cancelStatement } from "./cancel-statement.ts";
import type { DriverStatement } from "./statement-shares.ts";

/** A statement in progress whose caller may leave. */
export interface WatchedStatement {
  readonly statement: DriverStatement;
  readonly isAbandoned: () => boolean;
  /** Whether the statement has been answered. */
  isSettled: boolean;
  /** Whether the statement was in progress at the last check. */
  isSlow: boolean;
}

const periodMs = 250;

/**
 * Ends statements whose callers have left. It asks for a statement only after one whole period: most statements are faster,
 * and an event handler on each request would cost more than the request's own parsing.
 */
export class AbandonedStatements {
  /** Null behind a pooler. */
  readonly #side: postgres.Sql | null;
  readonly #watched = new Set<WatchedStatement>();
  #check: NodeJS.Timeout | undefined;

  /** @param side a session that the statements of the pool do not hold up; null behind a pooler */
  constructor(side: postgres.Sql | null) {
    this.#side = side;
  }

  watch(statement: DriverStatement, isAbandoned: () => boolean): WatchedStatement {
    const watched = { statement, isAbandoned, isSettled: false, isSlow: false };
    this.#watched.add(watched);
    this.#check ??= setInterval(() => this.#cancelAbandoned(), periodMs).unref();
    return watched;
  }

  settle(watched: WatchedStatement): void {
    watched.isSettled = true;
    this.#watched.delete(watched);
  }

  #cancelAbandoned(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#check);
      this.#check = undefined;
    }
    for (const watched of this.#watched) {
      if (watched.isSlow && watched.isAbandoned()) {
        this.#watched.delete(watched);
        void cancelStatement(watched.statement, () => watched.isSettled, this.#side);
      }
      watched.isSlow = true;
    }
  }
}
