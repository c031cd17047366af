import type postgres from "postgres";
import { connectPool } from "./client.ts";
import { spareConnections } from "./connection-budget.ts";
import type { DatabaseOptions, StatementOptions } from "./queryable.ts";

/** Texts that one generation of the pool prepares; each connection may hold all of them. */
const preparedMax = 500;
const unprepared: StatementOptions = {};
const unpreparedArrays: StatementOptions = { asArrays: true };

/**
 * The connections of a pool, in generations. PostgreSQL keeps a prepared statement until its connection ends, and the
 * driver cannot drop one. After `preparedMax` texts a new generation replaces the old one, which ends with its last
 * statement. Callers who vary the shape of their requests therefore cannot fill the server's memory.
 */
export class Pool {
  readonly #options: DatabaseOptions;
  readonly #prepared = new Set<string>();
  #statementTimeoutMs: number | undefined;
  #main: postgres.Sql;
  #spare: postgres.Sql;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    [this.#main, this.#spare] = this.#connect();
  }

  /** Connections of ordinary statements. */
  get main(): postgres.Sql {
    return this.#main;
  }

  /** Connections for users with few statements in progress while slow statements hold the others. */
  get spare(): postgres.Sql {
    return this.#spare;
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
    const retired = [this.#main, this.#spare];
    this.#statementTimeoutMs = statementTimeoutMs;
    [this.#main, this.#spare] = this.#connect();
    this.#prepared.clear();
    for (const each of retired) void each.end();
  }

  /** Ends every connection of this generation within five seconds. */
  async end(): Promise<void> {
    await Promise.all([this.#main.end({ timeout: 5 }), this.#spare.end({ timeout: 5 })]);
  }

  /** Connections open on demand. */
  #connect(): [main: postgres.Sql, spare: postgres.Sql] {
    const timeoutMs = this.#statementTimeoutMs;
    const options = {
      ...this.#options,
      ...(timeoutMs === undefined ? {} : { statementTimeoutMs: timeoutMs }),
    };
    return [connectPool(options), connectPool({ ...options, connectionsMax: spareConnections })];
  }
}
