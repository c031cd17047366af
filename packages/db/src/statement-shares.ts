import { UserSemaphore } from "@rowhouse/limits";
import { busy } from "./busy.ts";
import type { Permit } from "./queryable.ts";

/** A statement or transaction that uses the pool. */
export interface Ticket {
  /** Start time on the clock of `performance`, in milliseconds. */
  readonly since: number;
  /** The statement that can be withdrawn; undefined for a transaction. */
  readonly statement: DriverStatement | undefined;
  isWithdrawn: boolean;
}

/** The driver's object for a statement; it has no state until it is sent. */
export interface DriverStatement {
  readonly state?: unknown;
  /** Whether those sent before it on its connection are answered. */
  readonly active?: unknown;
  cancel(): unknown;
}

export interface ShareOptions {
  readonly connectionsMax: number;
  /** Maximum time until a statement is sent, in milliseconds. */
  readonly waitMs: number;
}

/** Maximum of one user's concurrent statements for each connection of the pool. */
const perConnection = 8;
/** A user with at most this many running statements may use the spare connections. */
const lightMax = 2;
/** Maximum of one user's waiting statements. */
const waitingMax = 1000;
/** A statement that runs for longer, in milliseconds, counts as slow. */
const heldUpMs = 50;

/**
 * Limits the share of the pool that one user's statements can occupy. While slow statements hold all connections of
 * the pool, users with few running statements use the spare connections.
 */
export class StatementShares {
  readonly #options: ShareOptions;
  /** One permit for each statement of a user. */
  readonly permits: UserSemaphore;
  /** Ordered from the oldest to the newest. */
  readonly #tickets = new Set<Ticket>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: ShareOptions) {
    this.#options = options;
    this.permits = new UserSemaphore({
      permits: Number.POSITIVE_INFINITY,
      perUser: options.connectionsMax * perConnection,
      waitingMax,
      waitMs: options.waitMs,
      busy,
    });
  }

  /** Returns whether a statement of this user, or of the service itself, must use a spare connection now. */
  isSpare(userId: string | undefined): boolean {
    if (!this.#isHeldUp()) return false;
    return userId === undefined || this.permits.heldBy(userId) <= lightMax;
  }

  /** Takes a permit of the user, or waits for one; undefined while slow statements hold all connections. */
  charge(userId: string): Permit | Promise<Permit | undefined> | undefined {
    if (this.#isHeldUp()) return undefined;
    const release = () => this.permits.release(userId);
    const turn = this.permits.acquire(userId);
    if (turn === undefined) return release;
    return turn.then(() => {
      if (!this.#isHeldUp()) return release;
      release();
      return undefined;
    });
  }

  /**
   * Registers a statement or transaction that holds or waits for a connection of the pool. A statement that the driver
   * does not send in time is withdrawn; the driver cannot withdraw a transaction.
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
      // A statement that was sent ends by its own time limit.
      if (statement === undefined || statement.state != null) continue;
      ticket.isWithdrawn = true;
      void statement.cancel();
    }
  }
}
