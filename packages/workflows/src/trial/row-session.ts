import type { Database, OwnTransaction, Queryable } from "@rowhouse/db";
import { checkConstraints } from "../effect/carry-out.ts";
import type { Flight } from "../effect/flight.ts";

/** How long a statement of a trial waits for a lock, in milliseconds. */
const lockMs = 2000;

/** How much longer PostgreSQL keeps a statement: the process ends it first, and knows why. */
const statementGraceMs = 100;
/** How much longer PostgreSQL keeps the transaction of a process that is frozen. */
const graceMs = 400;

/** Ends the transaction of a session, and so rolls it back. */
class SessionClosed extends Error {
  override readonly name = "SessionClosed";
}

/**
 * Rows of a trial: one transaction on a connection of its own, with a savepoint for each step, that is always rolled
 * back. It begins with the first step on rows.
 */
export class RowSession {
  readonly #database: Pick<Database, "stage">;
  readonly #runId: string;
  readonly #deadline: number;
  #opened: Promise<OwnTransaction> | undefined;
  #ended: Promise<unknown> | undefined;
  #end = () => {};
  /** The constraints that are deferred from the beginning, as SQL. */
  #deferred = "";

  /** @param leftMs when the transaction ends at the latest, in milliseconds from now */
  constructor(database: Pick<Database, "stage">, runId: string, leftMs: number) {
    this.#database = database;
    this.#runId = runId;
    this.#deadline = performance.now() + leftMs;
  }

  /** Whether a step has begun the transaction. */
  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /**
   * Runs the statements of one step that writes. Its deferred constraints are checked at its end, as at a commit. If
   * it throws, its writes are undone.
   */
  write<Result>(flight: Flight, work: (on: Queryable) => Promise<Result>): Promise<Result> {
    return this.#within(flight, async (on) => {
      const result = await work(on);
      await checkConstraints(on);
      if (this.#deferred !== "") await on.query(`set constraints ${this.#deferred} deferred`);
      return result;
    });
  }

  /** Runs the statements of one step that reads: it also sees the writes of the steps before it. */
  read<Result>(flight: Flight, work: (on: Queryable) => Promise<Result>): Promise<Result> {
    return this.#within(flight, work);
  }

  /** Rolls the transaction back, and waits for the end of its connection. */
  async close(): Promise<void> {
    this.#end();
    await this.#ended;
  }

  async #within<Result>(
    { request, signal }: Flight,
    work: (on: Queryable) => Promise<Result>,
  ): Promise<Result> {
    this.#opened ??= this.#open(signal);
    const transaction = await this.#opened;
    const results: Result[] = [];
    await transaction.savepoint(async (on) => {
      const leftMs = this.#leftMs();
      const endMs = leftMs + statementGraceMs;
      const { timeoutMs = endMs } = request.step;
      // The settings that an earlier step made for its own transaction end with it.
      await on.query(
        `select set_config('statement_timeout', $1::text, true), set_config('idle_in_transaction_session_timeout', $2::text, true),
           set_config('rowhouse.run', $3::text, true), set_config('rowhouse.actor', '', true),
           set_config('rowhouse.origin', '', true), set_config('rowhouse.writer', '', true)`,
        [String(Math.min(timeoutMs, endMs)), String(leftMs + graceMs), this.#runId],
      );
      results.push(await work(on));
    });
    return results[0] as Result;
  }

  #leftMs(): number {
    return Math.max(1, Math.ceil(this.#deadline - performance.now()));
  }

  #open(signal: AbortSignal): Promise<OwnTransaction> {
    return new Promise((resolve, reject) => {
      const leftMs = this.#leftMs();
      const released = new Promise<void>((release) => {
        this.#end = release;
      });
      this.#ended = this.#database
        .stage(
          async (transaction) => {
            await this.#prepare(transaction, leftMs);
            resolve(transaction);
            await released;
            throw new SessionClosed("The rows of a trial are rolled back");
          },
          { timeoutMs: leftMs + graceMs, signal },
        )
        .catch(reject);
    });
  }

  async #prepare(transaction: Queryable, leftMs: number): Promise<void> {
    // PostgreSQL before 17 has no limit for a transaction, only those of a statement and of a pause.
    await transaction.query(
      `select set_config('rowhouse.trial', 'on', true), set_config('lock_timeout', $1::text, true),
         (select set_config(name, $2::text, true) from pg_catalog.pg_settings where name = 'transaction_timeout')`,
      [String(lockMs), String(leftMs + graceMs)],
    );
    const rows = await transaction.query<{ name: string }>(
      `select pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.conname) as name
       from pg_catalog.pg_constraint c join pg_catalog.pg_namespace n on n.oid = c.connamespace
       group by n.nspname, c.conname having bool_or(c.condeferred) and bool_and(c.condeferrable)`,
    );
    this.#deferred = rows.map(({ name }) => name).join(", ");
  }
}
