import { createError } from "@rowhouse/errors";
import type postgres from "postgres";
import type { Parameter } from "./database.ts";
import { connectPausable, type PausableSocket } from "./pausable-socket.ts";

/** A row of a stream: its columns in order, each of which the statement gives as text. */
export type TextRow = readonly (string | null)[];

export interface StreamOptions {
  /** The whole of it, from the connection to the last row, in milliseconds; then QUERY_TIMEOUT. */
  readonly timeoutMs: number;
  /** Ends the statement in Postgres, wherever it is. */
  readonly signal?: AbortSignal;
  /** How long to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs?: number;
}

/** What of the driver's options decides about one stream; the rest is the pool's. */
export interface StreamClientOptions {
  readonly max: 1;
  readonly statementTimeoutMs: number;
  /** Undocumented in the driver's types, documented in its README (Custom socket). */
  readonly socket: (options: Endpoints) => Promise<PausableSocket>;
}

/** Where the driver wants to connect to. */
interface Endpoints {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false | undefined;
}

/** Characters that wait for the reader at most, before Postgres has to wait: beyond these, one read of the socket and one row. */
const waitingCharsMax = 262_144;
/** How long Postgres may take to hear that a statement is to end, and to take leave. */
const farewellMs = 2_000;

/**
 * Runs one statement on a connection of its own and hands its rows over in batches of what has come so far. As long as the
 * reader does not ask for more, Postgres waits, so memory does not grow with the number of rows.
 *
 * The connection is the stream's alone: a slow reader holds up nobody's pipelined statements, and however the stream ends,
 * nothing of it (a half-read result, a cancellation that comes late) can reach another statement.
 *
 * Measured alternative: a cursor with FETCH, whose batches are bounded in rows and not in bytes.
 */
export function streamRows(
  open: (options: StreamClientOptions) => postgres.Sql,
  text: string,
  parameters: readonly Parameter[],
  options: StreamOptions,
): AsyncIterableIterator<TextRow[]> {
  const { signal, timeoutMs, connectTimeoutMs = 10_000 } = options;
  let waiting: TextRow[] = [];
  let waitingChars = 0;
  let state: "RUNNING" | "DONE" | "CLOSED" = "RUNNING";
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  let closing: Promise<void> | undefined;
  let socket: PausableSocket | undefined;
  let endpoint = 0;

  const client = open({
    max: 1,
    statementTimeoutMs: timeoutMs,
    socket: async ({ host, port, path }) => {
      // The driver asks again to cancel the statement, which takes a connection to the same server.
      const isFirst = socket === undefined;
      const attempts = isFirst && path === undefined ? host.length : 1;
      for (let attempt = 1; ; attempt += 1) {
        try {
          const opened = await connectPausable(
            path ? { path } : { host: host[endpoint] ?? "localhost", port: port[endpoint] ?? 5432 },
            connectTimeoutMs,
          );
          if (!isFirst) return opened;
          if (closing !== undefined) {
            opened.destroy();
            throw createError("SERVICE_UNAVAILABLE");
          }
          socket = opened;
          return opened;
        } catch (error) {
          if (attempt < attempts) {
            endpoint += 1;
            continue;
          }
          // With several hosts the driver would wait for its own socket's next attempt.
          if (isFirst) fail(error);
          throw error;
        }
      }
    },
  });

  const query = client.unsafe(text, parameters as Parameter[], { prepare: false }).values();
  const settled = query
    .forEach((row) => {
      const columns = row as unknown as TextRow;
      waiting.push(columns);
      for (const column of columns) waitingChars += column?.length ?? 0;
      if (waitingChars >= waitingCharsMax) socket?.pause();
      wake?.();
    })
    .then(
      () => {
        if (state === "RUNNING") state = "DONE";
        wake?.();
      },
      (error: unknown) => fail(error),
    );

  function fail(error: unknown): void {
    if (state !== "RUNNING") return;
    failure = { error };
    void close();
    wake?.();
  }

  /** Frees everything; the statement, if it still runs, is cancelled first. */
  function close(): Promise<void> {
    closing ??= (async () => {
      const isRunning = state === "RUNNING";
      state = "CLOSED";
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      waiting = [];
      // A statement that computes hears the request to cancel; one that waits for its reader, only the closed connection.
      if (isRunning && socket !== undefined && failure?.error !== undefined) {
        await within(farewellMs, Promise.resolve(query.cancel() as unknown));
      } else if (isRunning && socket !== undefined) {
        await within(farewellMs, Promise.resolve(query.cancel() as unknown));
      }
      await within(farewellMs, client.end({ timeout: isRunning ? 0 : 1 }));
      socket?.destroy();
      await settled;
      wake?.();
    })();
    return closing;
  }

  const onAbort = (): void => fail(signal?.reason);
  const deadline = setTimeout(() => fail(createError("QUERY_TIMEOUT")), timeoutMs);
  if (signal?.aborted === true) fail(signal.reason);
  else signal?.addEventListener("abort", onAbort, { once: true });

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: async () => {
      for (;;) {
        if (failure !== undefined) {
          await close();
          throw failure.error;
        }
        if (waiting.length > 0) {
          const batch = waiting;
          waiting = [];
          waitingChars = 0;
          socket?.resume();
          return { done: false, value: batch };
        }
        if (state !== "RUNNING") {
          await close();
          return { done: true, value: undefined };
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
    },
    return: async () => {
      await close();
      return { done: true, value: undefined };
    },
  };
}

/** Waits for `work`, but not longer; a farewell that fails is none the less over. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
