import type postgres from "#postgres";
import { connectPool } from "./client.ts";
import { spareConnections } from "./connection-budget.ts";
import type { DatabaseOptions, StatementOptions } from "./queryable.ts";

/** Texts that one generation of the pool prepares; each connection may hold all of them. */
const preparedMax = 500;
const unprepared: StatementOptions = {};
const unpreparedArrays: StatementOptions = { asArrays: true };

/** The driver's types omit this function. */
type ClosableSql = postgres.Sql & {
  /** Ends the connections that are open, at once or with their last statement. */
  close(): Promise<void>;
};

/** The connections that serve until the pool is renewed. */
export class Generation {
  /** Connections of ordinary statements. */
  readonly main: postgres.Sql;
  /** Connections for users with few statements in progress while slow statements hold the others. */
  readonly spare: postgres.Sql;
  #uses = 0;
  #isRetired = false;

  /** Connections open on demand. */
  constructor(options: DatabaseOptions) {
    this.main = connectPool(options);
    this.spare = connectPool({ ...options, connectionsMax: spareConnections });
  }

  /** Begins a statement or a transaction, which ends with `release`. */
  use(): void {
    this.#uses += 1;
  }

  release(): void {
    this.#uses -= 1;
    // Statements that wait for a connection when it ends get a new one, which the driver would leave open.
    if (this.#isRetired && this.#uses === 0)
      void this.#closeAll((each) => (each as ClosableSql).close());
  }

  /** Ends each connection with its last statement. @param onEnded called when all have ended */
  retire(onEnded: () => void): void {
    this.#isRetired = true;
    // The driver sends a statement some microtasks after it was called, and rejects it if the connections end before.
    setImmediate(() => void this.#closeAll((each) => each.end()).then(onEnded));
  }

  /** Ends every connection within five seconds. */
  async end(): Promise<void> {
    await this.#closeAll((each) => each.end({ timeout: 5 }));
  }

  async #closeAll(close: (each: postgres.Sql) => Promise<void>): Promise<void> {
    await Promise.all([this.main, this.spare].map(close));
  }
}

/**
 * The connections of a pool, in generations. PostgreSQL keeps a prepared statement until its connection ends, and the
 * driver cannot drop one. After `preparedMax` texts a new generation replaces the old one, which ends with its last
 * statement. Callers who vary the shape of their requests therefore cannot fill the server's memory.
 */
export class Pool {
  readonly #options: DatabaseOptions;
  readonly #prepared = new Set<string>();
  /** Generations whose last statements have not ended. */
  readonly #retired = new Set<Generation>();
  #statementTimeoutMs: number | undefined;
  #present: Generation;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#present = this.#connect();
  }

  get present(): Generation {
    return this.#present;
  }

  /** The driver's pools of every generation that has statements in progress. */
  *clients(): Iterable<postgres.Sql> {
    for (const { main, spare } of [this.#present, ...this.#retired]) {
      yield main;
      yield spare;
    }
  }

  /** Runs work on the present connections, which serve until it ends. */
  async hold<Result>(work: (connections: Generation) => Promise<Result>): Promise<Result> {
    const connections = this.#present;
    connections.use();
    try {
      return await work(connections);
    } finally {
      connections.release();
    }
  }

  /** Returns the options under which a text is sent; starts a new generation if this one has prepared its share. */
  admit(text: string, asked: StatementOptions | undefined): StatementOptions {
    if (asked?.prepare !== true || this.#options.prepare === false) {
      return asked?.asArrays === true ? unpreparedArrays : unprepared;
    }
    if (!this.#prepared.has(text)) {
      if (this.#prepared.size >= preparedMax) this.renew();
      this.#prepared.add(text);
    }
    return asked;
  }

  /** Replaces the connections; the old ones end with their last statement. */
  renew(statementTimeoutMs = this.#statementTimeoutMs): void {
    const retired = this.#present;
    this.#statementTimeoutMs = statementTimeoutMs;
    this.#present = this.#connect();
    this.#prepared.clear();
    this.#retired.add(retired);
    retired.retire(() => this.#retired.delete(retired));
  }

  /** Ends every connection of this generation within five seconds. */
  end(): Promise<void> {
    return this.#present.end();
  }

  #connect(): Generation {
    const timeoutMs = this.#statementTimeoutMs;
    return new Generation({
      ...this.#options,
      ...(timeoutMs === undefined ? {} : { statementTimeoutMs: timeoutMs }),
    });
  }
}
