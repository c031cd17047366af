import { UserSemaphore } from "./user-semaphore.ts";

/** A statement that was handed to the driver. */
export interface Ticket {
  /** On the clock of `performance`. */
  readonly since: number;
  /** What can be taken back, if it can. */
  readonly statement: DriverStatement | undefined;
  isWithdrawn: boolean;
}

/** What the driver makes of a statement; as long as it waits to be sent, it has no state. */
export interface DriverStatement {
  readonly state?: unknown;
  cancel(): unknown;
}

export interface ShareOptions {
  readonly connectionsMax: number;
  /** How long a statement may wait to be sent, in milliseconds. */
  readonly waitMs: number;
}

/** Statements of one user that may be under way at once, for each connection of the pool. */
const perConnection = 8;
/** A user with no more than this many under way may use the spare connections. */
const lightMax = 2;
/** Statements of one user that may wait for their turn. */
const waitingMax = 1000;
/** Statements that are under way for longer, in milliseconds, hold their connections up. */
const heldUpMs = 50;

/**
 * Keeps one user's slow statements from taking the pool from everybody else: no user has more than a share of it under way,
 * and where slow statements hold all of its connections, whoever has little under way is let onto spare ones.
 */
export class StatementShares {
  readonly #options: ShareOptions;
  /** One permit for each statement of a user. */
  readonly permits: UserSemaphore;
  /** The oldest first. */
  readonly #tickets = new Set<Ticket>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: ShareOptions) {
    this.#options = options;
    this.permits = new UserSemaphore({
      permits: Number.POSITIVE_INFINITY,
      perUser: options.connectionsMax * perConnection,
      waitingMax,
      waitMs: options.waitMs,
    });
  }

  /** Whether a statement of this user, or of none, belongs on a spare connection now. */
  isSpare(userId: string | undefined): boolean {
    if (!this.#isHeldUp()) return false;
    return userId === undefined || this.permits.heldBy(userId) <= lightMax;
  }

  /**
   * Writes down that something holds a connection of the pool, or waits for one. A statement is taken back where the driver
   * does not come to send it; for what is in a transaction it has no way to.
   */
  begin(statement?: DriverStatement): Ticket {
    const ticket = { since: performance.now(), statement, isWithdrawn: false };
    this.#tickets.add(ticket);
    this.#sweep ??= setInterval(() => this.#withdrawLate(), this.#options.waitMs / 20).unref();
    return ticket;
  }

  end(ticket: Ticket): void {
    this.#tickets.delete(ticket);
  }

  get size(): number {
    return this.#tickets.size;
  }

  #isHeldUp(): boolean {
    const { connectionsMax } = this.#options;
    if (this.#tickets.size < connectionsMax) return false;
    const before = performance.now() - heldUpMs;
    let slow = 0;
    for (const { since } of this.#tickets) {
      if (since > before) return false;
      slow += 1;
      if (slow === connectionsMax) return true;
    }
    return false;
  }

  #withdrawLate(): void {
    if (this.#tickets.size === 0) {
      clearInterval(this.#sweep);
      this.#sweep = undefined;
    }
    const before = performance.now() - this.#options.waitMs;
    for (const ticket of this.#tickets) {
      if (ticket.since > before) return;
      const { statement } = ticket;
      // What was sent ends by its own time limit.
      if (statement === undefined || statement.state != null) continue;
      ticket.isWithdrawn = true;
      void statement.cancel();
    }
  }
}
