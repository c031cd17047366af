import { setTimeout as sleep } from "node:timers/promises";
import { createError } from "@rowhouse/errors";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import {
  connectDirectly,
  connectionsMaxDefault,
  connectPool,
  limitStatements,
  runStatement,
  runWithin,
  sendStatement,
} from "./client.ts";
import { spareConnections } from "./connection-budget.ts";
import { busy } from "./fair-line.ts";
import { RowStream, type StreamOptions, type TextRow } from "./row-stream.ts";
import * as schema from "./schema/index.ts";
import { type DriverStatement, StatementShares, type Ticket } from "./statement-shares.ts";

/** A parameter as text, in the form Postgres' own input functions read. */
export type Parameter = string | null;

export interface QueryOptions {
  /** Whether the statement is kept prepared on its connection; only for texts of a bounded number. */
  readonly prepare?: boolean;
  /** The user who asked for it: what one user has under way is bounded, so that there is room for others. */
  readonly userId?: string;
}

/** Something that runs one statement: the pool, or a transaction. */
export interface Queryable {
  /**
   * Runs one statement. Every parameter goes out as the text that it is, whatever its type, and Postgres' own input
   * functions read it. In a condition on rows, declare what it is compared as (`$1::uuid[]`): it is read once, when it is
   * bound. A cast from text (`$1::text::uuid[]`) is made anew for each row that a scan looks at.
   *
   * @throws the driver's error; `toAppError` gives it its public face.
   */
  query<Row extends object>(
    text: string,
    parameters?: readonly Parameter[],
    options?: QueryOptions,
  ): Promise<Row[]>;
}

/** A transaction: the same statements, and Drizzle on the same connection. */
export interface Transaction extends Queryable {
  readonly orm: Orm;
}

/** A transaction of one's own, parts of which can be undone. */
export interface OwnTransaction extends Transaction {
  /** Runs `work`; a throw undoes what it did, and the transaction goes on when the throw is caught. */
  savepoint(work: (transaction: Transaction) => Promise<void>): Promise<void>;
}

/** Drizzle over the `system` schema. */
export type Orm = PostgresJsDatabase<typeof schema>;

export interface Database extends Transaction {
  /** Runs `work` in one transaction; a throw rolls it back. */
  transaction<Result>(
    work: (transaction: OwnTransaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Runs one statement, whose columns are all text, on a connection of its own, and hands its rows over as the caller
   * takes them. The statement and its connection end with the iteration, however that ends.
   */
  stream(
    text: string,
    parameters: readonly Parameter[],
    options: StreamOptions,
  ): AsyncIterableIterator<TextRow[]>;
  /** Subscribes to a channel of NOTIFY; the subscription survives reconnects. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  /** How busy the pool is at this moment. */
  load(): PoolLoad;
  /** Asks Postgres whether it is there, on a connection that no statement of the pool can keep busy. */
  ping(): Promise<void>;
  /** From now on, statements end after this long. Those under way keep the limit that they began with. */
  setStatementTimeout(timeoutMs: number): void;
  close(): Promise<void>;
}

export interface PoolLoad {
  /** Statements and transactions that were asked for and have not ended, those that wait for a connection included. */
  readonly inProgress: number;
  readonly connectionsMax: number;
}

export interface TransactionOptions {
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  readonly readOnly?: boolean;
}

export interface DatabaseOptions {
  readonly url: string;
  /**
   * The server itself, where `url` is that of a pooler which gives each transaction a connection of its own choice: for
   * what belongs to a session.
   */
  readonly directUrl?: string | undefined;
  /** Whether statements may be kept prepared at all; true unless given. */
  readonly prepare?: boolean;
  readonly applicationName: string;
  /** The name of the sessions that are there as long as the process is; `applicationName` unless given. */
  readonly announcedName?: string;
  /** Connections at most. */
  readonly connectionsMax?: number;
  readonly statementTimeoutMs?: number;
  /** Through a pooler: the statement timeout that its sessions have, as `connectDatabase` has found it. */
  readonly poolerTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** How long a statement may wait for a connection before it is given up with SERVICE_UNAVAILABLE. */
  readonly waitMs?: number;
}

/**
 * Opens a pool. No connection is made before the first statement.
 *
 * @example
 * const database = openDatabase({ url: "postgres://…", applicationName: "data-api" });
 * const [row] = await database.query<{ now: string }>("select now()::text as now");
 */
export function openDatabase(options: DatabaseOptions): Database {
  // For what must not wait for the pool. Connections are made on demand.
  const listener = connectDirectly(
    { ...options, applicationName: options.announcedName ?? options.applicationName },
    { max: 1 },
  );
  const isPooled = options.directUrl !== undefined;
  const pooler = isPooled ? connectPool(options, { max: 1 }) : undefined;
  let client = connectPool(options);
  // For whoever has little under way while slow statements hold the pool. Connections are made on demand.
  let spare = connectPool({ ...options, connectionsMax: spareConnections });
  const connectionsMax = options.connectionsMax ?? connectionsMaxDefault;
  const shares = new StatementShares({ connectionsMax, waitMs: options.waitMs ?? 10_000 });
  let orm = drizzle(client, { schema });
  let prepared = new Set<string>();
  let statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const streams = new Set<RowStream>();
  let pinging: Promise<void> | undefined;
  let inProgress = 0;

  /**
   * Postgres keeps a prepared statement until its connection ends, and the driver has no way to drop one. When a pool has
   * prepared its share of texts, a new pool takes its place, and the old one ends with its last statement: so callers who
   * vary the shape of their requests cannot fill the server's memory.
   */
  const admit = (text: string, asked: QueryOptions | undefined): QueryOptions => {
    if (asked?.prepare !== true || options.prepare === false) return unprepared;
    if (!prepared.has(text)) {
      if (prepared.size >= preparedMax) renew();
      prepared.add(text);
    }
    return asked;
  };
  const renew = (): void => {
    const retired = [client, spare];
    client = connectPool({ ...options, statementTimeoutMs });
    spare = connectPool({ ...options, statementTimeoutMs, connectionsMax: spareConnections });
    orm = drizzle(client, { schema });
    prepared = new Set();
    for (const each of retired) void each.end();
  };

  /** What a transaction has to say for itself, because a pooler's session cannot be asked for it. */
  const ownTimeoutMs = (): number | undefined =>
    isPooled && statementTimeoutMs !== options.poolerTimeoutMs ? statementTimeoutMs : undefined;

  const run = async <Row extends object>(
    text: string,
    parameters: readonly Parameter[] | undefined,
    asked: QueryOptions | undefined,
  ): Promise<Row[]> => {
    const userId = asked?.userId;
    let ticket: Ticket | undefined;
    inProgress += 1;
    try {
      const admitted = admit(text, asked);
      const isSpare = shares.isSpare(userId);
      const timeoutMs = ownTimeoutMs();
      const owner = isSpare ? spare : client;
      if (timeoutMs !== undefined) {
        if (!isSpare) ticket = shares.begin();
        return await runWithin<Row>(owner, timeoutMs, text, parameters, admitted);
      }
      const statement = sendStatement<Row>(owner, text, parameters, admitted);
      if (!isSpare) ticket = shares.begin(statement as DriverStatement);
      return await statement;
    } catch (error) {
      throw ticket?.isWithdrawn === true ? busy() : error;
    } finally {
      inProgress -= 1;
      if (ticket !== undefined) shares.end(ticket);
      if (userId !== undefined) shares.line.leave(userId);
    }
  };
  /** A statement whose user has enough under way waits for one of them to end. */
  const runInTurn = async <Row extends object>(
    turn: Promise<void>,
    ...statement: Parameters<typeof run<Row>>
  ): Promise<Row[]> => {
    inProgress += 1;
    try {
      await turn;
    } finally {
      inProgress -= 1;
    }
    return run<Row>(...statement);
  };

  return {
    query: <Row extends object>(
      text: string,
      parameters?: readonly Parameter[],
      asked?: QueryOptions,
    ): Promise<Row[]> => {
      const turn = asked?.userId === undefined ? undefined : shares.line.enter(asked.userId);
      return turn === undefined
        ? run<Row>(text, parameters, asked)
        : runInTurn<Row>(turn, text, parameters, asked);
    },
    load: () => ({ inProgress, connectionsMax: connectionsMax + spareConnections }),
    get orm() {
      return orm;
    },
    transaction: async (work, transactionOptions = {}) => {
      const isolation = transactionOptions.isolation ?? "read committed";
      const mode = `isolation level ${isolation}${transactionOptions.readOnly === true ? " read only" : ""}`;
      const isSpare = shares.isSpare(undefined);
      const owner = isSpare ? spare : client;
      const open = (tx: postgres.TransactionSql): OwnTransaction => {
        let transactionOrm: Orm | undefined;
        return {
          query: (text, parameters, queryOptions) =>
            runStatement(tx, text, parameters, admit(text, queryOptions)),
          // Made when it is asked for: Drizzle walks the whole schema each time.
          get orm() {
            // A transaction of postgres.js has every method that Drizzle uses of a client, but not its type;
            // its options (parsers, which Drizzle sets) are the client's own.
            transactionOrm ??= drizzle(
              Object.assign(tx, { options: owner.options }) as unknown as postgres.Sql,
              { schema },
            );
            return transactionOrm;
          },
          savepoint: async (part) => {
            await tx.savepoint((inner) => part(open(inner)));
          },
        };
      };
      inProgress += 1;
      const ticket = isSpare ? undefined : shares.begin();
      try {
        const result = await owner.begin(mode, async (tx) => {
          const timeoutMs = ownTimeoutMs();
          if (timeoutMs !== undefined) await limitStatements(tx, timeoutMs);
          return work(open(tx));
        });
        // `begin` resolves to the callback's result; its type also unwraps arrays of promises.
        return result as Awaited<ReturnType<typeof work>>;
      } finally {
        inProgress -= 1;
        if (ticket !== undefined) shares.end(ticket);
      }
    },
    stream: (text, parameters, streamOptions) => {
      const stream = new RowStream({
        ...streamOptions,
        text,
        parameters,
        connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
        connect: (own) =>
          connectDirectly({ ...options, statementTimeoutMs: streamOptions.timeoutMs }, own),
        query: (cancel, values) => runStatement(client, cancel, values),
      });
      streams.add(stream);
      void stream.released.finally(() => streams.delete(stream));
      return stream;
    },
    listen: async (channel, onMessage) => {
      const subscription = await listener.listen(channel, onMessage);
      return subscription.unlisten;
    },
    ping: () => {
      // One at a time, whoever asks: health paths are open to everyone.
      pinging ??= pingBoth(listener, pooler).then(
        () => {
          pinging = undefined;
        },
        (error: unknown) => {
          pinging = undefined;
          throw error;
        },
      );
      return pinging;
    },
    setStatementTimeout: (timeoutMs) => {
      if (timeoutMs === statementTimeoutMs) return;
      statementTimeoutMs = timeoutMs;
      if (!isPooled) renew();
    },
    close: async () => {
      for (const stream of streams) stream.fail(createError("SERVICE_UNAVAILABLE"));
      await Promise.all(Array.from(streams, (stream) => stream.released));
      await Promise.all([client, spare, listener, pooler].map((each) => each?.end({ timeout: 5 })));
    },
  };
}

/** Texts that one pool prepares; each connection may come to hold all of them. */
const preparedMax = 500;
/** How long a ping waits for a pooler whose connections are all busy. */
const poolerPingMs = 2_000;
const unprepared: QueryOptions = {};

/** A pooler that takes the statement and lets it wait is busy, not away. */
async function pingBoth(server: postgres.Sql, pooler: postgres.Sql | undefined): Promise<void> {
  const pings: Promise<unknown>[] = [runStatement(server, "select 1")];
  if (pooler !== undefined) {
    const late = new AbortController();
    const isBusy = sleep(poolerPingMs, undefined, { signal: late.signal }).catch(() => undefined);
    const answer = runStatement(pooler, "select 1").finally(() => late.abort());
    pings.push(Promise.race([answer, isBusy]));
  }
  await Promise.all(pings);
}
