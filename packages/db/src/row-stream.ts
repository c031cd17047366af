import { randomUUID } from "node:crypto";
import { createError } from "@rowhouse/errors";
import { settleWithin } from "@rowhouse/limits";
import type postgres from "#postgres";
import { type Endpoints, StreamSocket } from "./stream-socket.ts";

/** A row of a stream: its columns in order, each as text. */
export type TextRow = readonly (string | null)[];

export interface StreamOptions {
  /** Time from the connection to the last row, in milliseconds; after it the stream fails with QUERY_TIMEOUT. */
  readonly timeoutMs: number;
  /** Ends the stream and its statement in PostgreSQL at any point. */
  readonly signal?: AbortSignal;
  /** True if a statement that writes must fail. */
  readonly readOnly?: boolean;
}

/** The driver's options that a stream overrides. */
export interface StreamClientOptions {
  readonly max: 1;
  /** Documented in the driver's README (Custom socket), but missing in its types. */
  readonly socket: (endpoints: Endpoints) => Promise<unknown>;
}

interface RowStreamOptions extends StreamOptions {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  readonly connectTimeoutMs: number;
  /** Creates a client with the pool's options except for these. */
  readonly connect: (options: StreamClientOptions) => postgres.Sql;
  /** Runs a statement on the pool. */
  readonly query: (text: string, parameters: readonly string[]) => Promise<unknown>;
}

type Outcome =
  | { readonly kind: "RUNNING" }
  | { readonly kind: "DONE" }
  | { readonly kind: "FAILED"; readonly error: unknown };

/**
 * Characters that are buffered for the reader before PostgreSQL must pause; one read of the socket can exceed the
 * limit once.
 */
const waitingCharsMax = 262_144;
/** Maximum time for PostgreSQL to end a canceled statement. */
const clearingMs = 2_000;
const againMs = 100;

/**
 * Cancels by the mark in the statement's text, so that no other statement is canceled: a process id may have been
 * reused by then, and the driver's own cancel leaves an unhandled rejection if the server is unavailable.
 */
const cancelSql =
  "select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity where pg_catalog.starts_with(query, $1::text) and state = 'active'";

/**
 * Yields the rows of one statement in batches as they arrive. While the reader does not request more, PostgreSQL
 * pauses, so memory grows with the largest row and not with the number of rows.
 *
 * The stream has its own connection: a slow reader delays no pipelined statements of others, and after the stream's
 * end no remainder of it (a half-read result, a late cancel request) can reach another statement.
 *
 * Rejected alternative: a cursor with FETCH, which bounds its batches in rows but not in bytes.
 */
export class RowStream implements AsyncIterableIterator<TextRow[]> {
  /** Settles when the connection is closed. */
  readonly released: Promise<void>;
  readonly #options: RowStreamOptions;
  readonly #mark = `/* ${randomUUID()} */`;
  readonly #socket: StreamSocket;
  readonly #statement: Promise<void>;
  #waiting: TextRow[] = [];
  #waitingChars = 0;
  #outcome: Outcome = { kind: "RUNNING" };
  #statementEnded = false;
  #release: (() => void) | undefined;
  #wake: (() => void) | undefined;

  constructor(options: RowStreamOptions) {
    const { signal, timeoutMs, parameters } = options;
    this.#options = options;
    this.#socket = new StreamSocket(options.connectTimeoutMs, (error) => this.fail(error));
    const client = options.connect({ max: 1, socket: this.#socket.open });
    this.#statement = this.#run(client, `${this.#mark} ${options.text}`, parameters);
    const onAbort = () => this.fail(signal?.reason);
    const deadline = setTimeout(() => this.fail(createError("QUERY_TIMEOUT")), timeoutMs);
    this.released = new Promise<void>((resolve) => {
      this.#release = resolve;
    }).then(async () => {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      await this.#leave(client);
    });
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** @throws the driver's error, QUERY_TIMEOUT, or the reason of the signal; the connection is closed by then */
  async next(): Promise<IteratorResult<TextRow[], undefined>> {
    for (;;) {
      if (this.#outcome.kind === "FAILED") {
        await this.released;
        throw this.#outcome.error;
      }
      if (this.#waiting.length > 0) {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#waitingChars = 0;
        this.#socket.resume();
        return { done: false, value: batch };
      }
      if (this.#outcome.kind === "DONE") {
        await this.released;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<TextRow[], undefined>> {
    this.#waiting = [];
    this.#end({ kind: "DONE" });
    await this.released;
    return { done: true, value: undefined };
  }

  /** Ends a running stream; its reader receives the error. */
  fail(error: unknown): void {
    this.#end({ kind: "FAILED", error });
  }

  #take(row: TextRow): void {
    if (this.#outcome.kind !== "RUNNING") return;
    this.#waiting.push(row);
    for (const column of row) this.#waitingChars += column?.length ?? 0;
    if (this.#waitingChars >= waitingCharsMax) this.#socket.pause();
    this.#wake?.();
  }

  #end(outcome: Outcome): void {
    if (this.#outcome.kind !== "RUNNING") return;
    this.#outcome = outcome;
    this.#release?.();
    this.#wake?.();
  }

  async #run(
    client: postgres.Sql,
    text: string,
    parameters: readonly (string | null)[],
  ): Promise<void> {
    let outcome: Outcome = { kind: "DONE" };
    try {
      await client
        .unsafe(text, parameters as (string | null)[], { prepare: false })
        .values()
        .forEach((row) => {
          this.#take(row as unknown as TextRow);
        });
    } catch (error) {
      outcome = { kind: "FAILED", error };
    }
    this.#statementEnded = true;
    this.#end(outcome);
  }

  async #leave(client: postgres.Sql): Promise<void> {
    if (this.#socket.isOpen) {
      // A statement that waits for its reader does not process a cancel request; read on and discard the rows.
      this.#socket.resume();
      const until = Date.now() + clearingMs;
      // Repeated, because the statement may not have reached the server yet.
      while (!this.#statementEnded && Date.now() < until) {
        await settleWithin(clearingMs, this.#cancel());
        await settleWithin(againMs, this.#statement);
      }
    }
    if (!this.#statementEnded) this.#socket.close();
    await settleWithin(clearingMs, client.end({ timeout: this.#statementEnded ? 0.2 : 0 }));
    this.#socket.close();
    await this.#statement;
  }

  async #cancel(): Promise<void> {
    await this.#options.query(cancelSql, [this.#mark]);
  }
}
