import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createError } from "@rowhouse/errors";
import { settleWithin } from "@rowhouse/limits";
import type postgres from "#postgres";
import type { OwnTransaction, StagingOptions, StagingTransaction } from "./queryable.ts";
import type { StreamClientOptions } from "./row-stream.ts";
import { StreamSocket } from "./stream-socket.ts";

interface StagingRunOptions extends StagingOptions {
  readonly connectTimeoutMs: number;
  /** Creates a client with the pool's options except for these. */
  readonly connect: (options: StreamClientOptions) => postgres.Sql;
  readonly openTransaction: (tx: postgres.TransactionSql) => OwnTransaction;
}

/** Maximum time for a connection to close in order. */
const clearingMs = 200;

/**
 * How often PostgreSQL checks during a statement whether its client is still connected. Without this setting, a
 * statement of a process that crashed runs to its end. Some operating systems do not support it.
 */
const watchClientSql = "set client_connection_check_interval = '2s'";

/** One transaction on a connection of its own. Its end, by whatever cause, closes the connection. */
export class Staging<Result> {
  /** Settles with the transaction, after its connection is closed. */
  readonly result: Promise<Result>;
  #fail: ((error: unknown) => void) | undefined;

  constructor(
    options: StagingRunOptions,
    work: (transaction: StagingTransaction) => Promise<Result>,
  ) {
    const failed = new Promise<never>((_resolve, reject) => {
      this.#fail = reject;
    });
    failed.catch(() => {});
    this.result = this.#run(options, work, failed);
    this.result.catch(() => {});
  }

  /** Ends a running transaction with an error. */
  fail(error: unknown): void {
    this.#fail?.(error);
  }

  async #run(
    { timeoutMs, signal, connectTimeoutMs, connect, openTransaction }: StagingRunOptions,
    work: (transaction: StagingTransaction) => Promise<Result>,
    failed: Promise<never>,
  ): Promise<Result> {
    const deadline = setTimeout(() => this.fail(createError("QUERY_TIMEOUT")), timeoutMs);
    const onAbort = () => this.fail(createError("SERVICE_UNAVAILABLE", { cause: signal?.reason }));
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
    const socket = new StreamSocket(connectTimeoutMs, (error) => this.fail(error));
    const client = connect({ max: 1, socket: socket.open });
    let ended = false;
    const transaction = async (): Promise<Result> => {
      await client.unsafe(watchClientSql).catch(ignoreUnsupported);
      const result = await client.begin((tx) =>
        work({ ...openTransaction(tx), copy: (text, chunks) => copy(tx, text, chunks) }),
      );
      ended = true;
      return result as Result;
    };
    try {
      return await Promise.race([failed, transaction()]);
    } finally {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      await settleWithin(clearingMs, client.end({ timeout: ended ? clearingMs / 1000 : 0 }));
      // PostgreSQL rolls back a transaction whose connection closes.
      socket.close();
    }
  }
}

async function copy(
  tx: postgres.TransactionSql,
  text: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = await tx.unsafe(text).writable();
  await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 1 }), target);
}

function ignoreUnsupported(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "22023")) throw error;
}
