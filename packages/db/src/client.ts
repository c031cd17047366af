import postgres from "#postgres";
import { reconnectPauseMs } from "./absence.ts";
import type { DatabaseOptions, Parameter, StatementOptions } from "./queryable.ts";
import type { StreamClientOptions } from "./row-stream.ts";
import {
  directSettings,
  idleInTransactionMs,
  reportedSettings,
  triggersSql,
} from "./session-settings.ts";

export const connectionsMaxDefault = 10;

/** Custom startup parameter; poolers reject or drop it. */
export const ownSessionSetting = "rowhouse.own_session";

/**
 * Connects to the server itself; each connection keeps its session until it closes.
 *
 * @param settings - configuration parameters of PostgreSQL that each session starts with
 */
export function connectDirectly(
  options: DatabaseOptions,
  own: Partial<StreamClientOptions> = {},
  settings: Readonly<Record<string, string>> = {},
): postgres.Sql {
  return connect(options.directUrl ?? options.url, options, {
    ...own,
    greeting: triggersSql,
    connection: {
      application_name: options.applicationName,
      ...directSettings,
      statement_timeout: options.statementTimeoutMs ?? 10_000,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      // Only a session that belongs to this connection alone returns this setting.
      [ownSessionSetting]: "yes",
      ...(options.searchPath !== undefined && { search_path: options.searchPath }),
      ...settings,
    },
  });
}

/**
 * Opens the connections of a pool. A pooler in transaction mode keeps only those startup parameters that PostgreSQL
 * reports back; the others must be set for the login, which `connectDatabase` checks.
 */
export function connectPool(
  options: DatabaseOptions,
  own: { readonly max?: 1 } = {},
): postgres.Sql {
  if (options.directUrl === undefined) return connectDirectly(options, own);
  return connect(options.url, options, {
    ...own,
    // The driver prepares its own COMMIT. On a session without that prepared statement the transaction fails there, and
    // the driver's second COMMIT rolls it back without an error.
    prepare: options.prepare !== false,
    connection: { application_name: options.applicationName, ...reportedSettings },
  });
}

/** Types whose parameters the driver would convert: any text to a timestamp, `"t"` to `false`. */
export const writtenTypes = [16, 17, 21, 23, 26, 114, 700, 701, 1082, 1114, 1184, 3802];

/** Types whose results the driver would convert to a Date, which has no microseconds. */
const readTypes: readonly number[] = [1082, 1114, 1184];

/**
 * Serializes each of the types as text, regardless of the declared type of the parameter, and reads dates and times as
 * text. Other results use the driver's parsers: a type uses this one only if it is listed in `from`.
 */
const asText: Record<string, postgres.PostgresType> = Object.fromEntries(
  writtenTypes.map((oid) => [
    oid,
    {
      to: oid,
      from: readTypes.includes(oid) ? [oid] : [],
      serialize: textOf,
      parse: (text: string) => text,
    },
  ]),
);

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError("A parameter must be a string");
}

/** The driver's types omit the option that its patch adds. */
interface ClientOptions extends postgres.Options<Record<string, postgres.PostgresType>> {
  /** A statement that runs first on each connection; if it fails, the connection is closed. */
  readonly greeting?: string;
}

function connect(url: string, options: DatabaseOptions, own: ClientOptions): postgres.Sql {
  return postgres(url, {
    max: options.connectionsMax ?? connectionsMaxDefault,
    connect_timeout: Math.ceil((options.connectTimeoutMs ?? 10_000) / 1000),
    idle_timeout: 0,
    max_lifetime: null,
    // The driver's own pause grows to 20 s, long after the server is back.
    backoff: () => reconnectPauseMs / 1000,
    fetch_types: false,
    types: asText,
    onnotice: () => {},
    ...own,
  });
}

/** Runs one statement. */
export async function runStatement<Row extends object>(
  client: postgres.Sql | postgres.TransactionSql,
  text: string,
  parameters?: readonly Parameter[],
  options?: StatementOptions,
): Promise<Row[]> {
  return await sendStatement(client, text, parameters, options);
}

/** A transaction of one statement, which is sent and answered as one message. */
export interface StatementFrame {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Ends the transaction if any of them failed. */
  readonly abort: string;
}

/** The driver's types omit the options that its patch adds. */
interface UnsafeOptions extends postgres.UnsafeQueryOptions {
  readonly simple: boolean;
  /** The statement is complete: its parameters are texts, and it is sent as soon as it is awaited. */
  readonly prompt: true;
  readonly lane?: string | undefined;
  readonly clearing?: string | undefined;
  readonly frame?: StatementFrame | undefined;
}

/** What surrounds a statement. */
export interface StatementSurroundings {
  /** Statements that follow it before any other one; the connection is closed if they fail. */
  readonly clearing?: string | undefined;
  /** The transaction of a single statement on a session of a pooler. */
  readonly frame?: StatementFrame | undefined;
}

/** Returns the driver's own promise, which sends the statement when it is awaited. */
export function sendStatement<Row extends object>(
  client: postgres.Sql | postgres.TransactionSql,
  text: string,
  parameters: readonly Parameter[] = [],
  options: StatementOptions = {},
  { clearing, frame }: StatementSurroundings = {},
): postgres.PendingQuery<Row[]> {
  const isPooled = "options" in client && client.options.prepare === false;
  const { prepare = false, lane } = options;
  const simple = parameters.length === 0;
  const ownOptions: UnsafeOptions = isPooled
    ? { prepare, simple, prompt: true, frame, ...followedByNothing }
    : { prepare, simple, prompt: true, lane, clearing, frame };
  const statement = client.unsafe<Row[]>(text, parameters as Parameter[], ownOptions);
  // Returns the statement itself, which is not sent yet.
  if (options.asArrays === true) void statement.values();
  return statement;
}

/**
 * Prevents the driver from pipelining a statement behind another one. Without prepared statements, the driver sends
 * the first half of a statement alone to learn the types of its parameters. PgBouncer (as of 1.18) releases the
 * session after the response to the previous statement, and that half never gets a response:
 * https://github.com/pgbouncer/pgbouncer/issues/759
 */
const followedByNothing = { onexecute: () => false };

/** What surrounds a transaction; the driver's types omit these options, which its patch adds. */
export interface TransactionFrame {
  /** Statements that follow BEGIN in the same message, each after a semicolon. */
  readonly opening?: string | undefined;
  /** Statements that follow COMMIT or ROLLBACK, read at that time; the connection is closed if they fail. */
  readonly clearing?: string | undefined;
}

/** Runs `work` in a transaction; a throw rolls it back. */
export async function runTransaction<Result>(
  client: postgres.Sql,
  mode: string,
  work: (transaction: postgres.TransactionSql) => Promise<Result>,
  frame: TransactionFrame,
): Promise<Result> {
  const begin = client.begin as (
    mode: string,
    work: (transaction: postgres.TransactionSql) => Promise<Result>,
    frame: TransactionFrame,
  ) => Promise<Result>;
  return begin(mode, work, frame);
}
