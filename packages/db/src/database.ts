import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "./schema/index.ts";

/** A parameter as text, in the form Postgres' own input functions read. */
export type Parameter = string | null;

export interface QueryOptions {
  /** Whether the statement is kept prepared on its connection; only for texts of a bounded number. */
  readonly prepare?: boolean;
}

/** Something that runs one statement: the pool, or a transaction. */
export interface Queryable {
  /**
   * Runs one statement. Every parameter goes out as text: write `$1::text::bigint` (not `$1::bigint`)
   * so that the input function of Postgres, not the driver, reads it.
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

/** Drizzle over the `system` schema. */
export type Orm = PostgresJsDatabase<typeof schema>;

export interface Database extends Transaction {
  /** Runs `work` in one transaction; a throw rolls it back. */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Subscribes to a channel of NOTIFY; the subscription survives reconnects. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  readonly readOnly?: boolean;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Connections at most. */
  readonly connectionsMax?: number;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
}

/**
 * Opens a pool. No connection is made before the first statement.
 *
 * @example
 * const database = openDatabase({ url: "postgres://…", applicationName: "data-api" });
 * const [row] = await database.query<{ now: string }>("select now()::text as now");
 */
export function openDatabase(options: DatabaseOptions): Database {
  const client = postgres(options.url, {
    max: options.connectionsMax ?? 10,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 10_000) / 1000),
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName,
      // One output form for every caller, whatever the server's own settings are.
      TimeZone: "UTC",
      DateStyle: "ISO, MDY",
      IntervalStyle: "iso_8601",
      extra_float_digits: 1,
      statement_timeout: options.statementTimeoutMs ?? 10_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  });
  return {
    ...createQueryable(client),
    orm: drizzle(client, { schema }),
    transaction: async (work, transactionOptions = {}) => {
      const isolation = transactionOptions.isolation ?? "read committed";
      const mode = `isolation level ${isolation}${transactionOptions.readOnly === true ? " read only" : ""}`;
      const result = await client.begin(mode, (tx) =>
        work({
          ...createQueryable(tx),
          // A transaction of postgres.js has every method that Drizzle uses of a client, but not its type;
          // its options (parsers, which Drizzle sets) are the client's own.
          orm: drizzle(Object.assign(tx, { options: client.options }) as unknown as postgres.Sql, {
            schema,
          }),
        }),
      );
      // `begin` resolves to the callback's result; its type also unwraps arrays of promises.
      return result as Awaited<ReturnType<typeof work>>;
    },
    listen: async (channel, onMessage) => {
      const subscription = await client.listen(channel, onMessage);
      return subscription.unlisten;
    },
    close: () => client.end({ timeout: 5 }),
  };
}

function createQueryable(client: postgres.Sql | postgres.TransactionSql): Queryable {
  return {
    query: async <Row extends object>(
      text: string,
      parameters: readonly Parameter[] = [],
      queryOptions: QueryOptions = {},
    ): Promise<Row[]> => {
      const rows = await client.unsafe<Row[]>(text, parameters as Parameter[], {
        prepare: queryOptions.prepare ?? false,
      });
      return rows;
    },
  };
}
