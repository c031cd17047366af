import type { Orm } from "./orm.ts";
import type { StreamOptions, TextRow } from "./row-stream.ts";

/** A parameter as text, in the form that PostgreSQL's own input functions read. */
export type Parameter = string | null;

export interface QueryOptions {
  /** Whether the statement only reads; by default one that begins with `select` does. */
  readonly readOnly?: boolean;
  /**
   * Whether the statement can run code of the database's users, which may change settings of the session, take locks or
   * create temporary tables. By default a statement that only reads cannot, and any other one can. The pool
   * clears the session after the statement, or closes its connection.
   */
  readonly runsCode?: boolean;
  /** Whether the connection keeps the statement prepared; only for texts of a bounded number. */
  readonly prepare?: boolean;
  /** The user of the request. The number of statements in progress per user is bounded. */
  readonly userId?: string;
  /** Whether `charge` has given a permit of this user, which the statement returns at its end. */
  readonly isCharged?: boolean;
  /**
   * Whether the caller has left. While the statement runs, the pool asks four times a second, and ends the statement of a
   * caller that has left, here or in PostgreSQL. A transaction fails with it.
   */
  readonly isAbandoned?: (() => boolean) | undefined;
  /**
   * Short statements of one user with the same text have the same lane. Once four connections serve a lane, a further
   * statement of it follows one of them, unless that one has run for five milliseconds.
   */
  readonly lane?: string | undefined;
}

/** The options of a statement inside this package. */
export interface StatementOptions extends QueryOptions {
  /** Whether a row is an array of its values instead of an object. */
  readonly asArrays?: boolean;
}

/** Executes one statement: the pool or a transaction. */
export interface Queryable {
  /**
   * Executes one statement. Every parameter is sent as text, and PostgreSQL's own input functions read it. In a
   * condition on rows, declare the type that it is compared as (`$1::uuid[]`): PostgreSQL then reads it once, at bind
   * time. A cast from text (`$1::text::uuid[]`) is evaluated again for each row of a scan.
   *
   * @throws the driver's error; `toAppError` maps it to the error contract
   */
  query<Row extends object>(
    text: string,
    parameters?: readonly Parameter[],
    options?: QueryOptions,
  ): Promise<Row[]>;
}

/** Statements as text, and Drizzle on the same connection: a transaction, or the pool. */
export interface Transaction extends Queryable {
  readonly orm: Orm;
  /**
   * Executes statements that name objects of the database's users, or can run their code, as the service's login, in the
   * same transaction. If those are two logins, it takes at most three parameters, and returns values as JSON has them.
   */
  readonly asService: Queryable;
}

/** A transaction that its caller opened, with savepoints. */
export interface OwnTransaction extends Transaction {
  /** Runs `work` in a savepoint; a throw rolls it back, and the transaction continues if the caller catches the throw. */
  savepoint(work: (transaction: OwnTransaction) => Promise<void>): Promise<void>;
}

export interface StagingOptions {
  /** Time from the connection to the end of the transaction, in milliseconds; then it fails with QUERY_TIMEOUT. */
  readonly timeoutMs: number;
  /** Its abort rolls the transaction back, unless the commit has begun. */
  readonly signal?: AbortSignal | undefined;
}

/** A transaction on a connection of its own, which can receive rows as text. */
export interface StagingTransaction extends OwnTransaction {
  /**
   * Executes `COPY … FROM STDIN` with the chunks, at the speed of PostgreSQL.
   *
   * @throws the error of the chunks, or the driver's error; the transaction is unusable then
   */
  copy(text: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface Database extends Transaction {
  /** Runs `work` in one transaction; a throw rolls it back. */
  transaction<Result>(
    work: (transaction: OwnTransaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Executes one statement, whose columns are all text, on a separate connection, and yields its rows at the caller's
   * pace. The end of the iteration, by whatever cause, ends the statement and its connection.
   */
  stream(
    text: string,
    parameters: readonly Parameter[],
    options: StreamOptions,
  ): AsyncIterableIterator<TextRow[]>;
  /**
   * Runs `work` in one transaction on a separate connection to the server itself, for work that takes long and receives
   * rows. A throw, or the loss of the connection, rolls it back.
   */
  stage<Result>(
    work: (transaction: StagingTransaction) => Promise<Result>,
    options: StagingOptions,
  ): Promise<Result>;
  /** Subscribes to a NOTIFY channel; the subscription survives reconnects. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Takes one of the user's permits for a statement that several requests share; waits for one if none is free.
   *
   * @returns a function that returns the permit, or a promise of it; undefined if the request must run a statement of its
   * own, because slow statements hold all connections
   * @throws AppError SERVICE_UNAVAILABLE, as a rejection, if too many requests of the user wait, or no permit became free in
   * time
   */
  charge(userId: string): Permit | Promise<Permit | undefined> | undefined;
  /** The current load of the pool, without that of `service`. */
  load(): PoolLoad;
  /** Checks that PostgreSQL responds, on a connection that no statement of the pool can occupy. */
  ping(): Promise<void>;
  /** The search path of the sessions if it is not the database's own, which hides names of PostgreSQL. */
  readonly searchPath: string | undefined;
  /**
   * The pool of the service's login, which executes every statement that names a table of the database's users. It is this
   * pool itself, unless the schema `system` has a login of its own.
   */
  readonly service: Database;
  /** Returns within two seconds which parts of the database are available. */
  health(): Promise<DatabaseHealth>;
  /**
   * Records that PostgreSQL rejected a statement on which every request depends, although it answers others: the database
   * is unhealthy until `again` succeeds, which each check tries.
   */
  doubt(again: () => Promise<unknown>): void;
  /** Sets the time limit of later statements, in milliseconds. Statements in progress keep the limit they started with. */
  setStatementTimeout(timeoutMs: number): void;
  /** Sets whether statements that code of the database's users has prepared end with the statement that ran it. */
  forgetStatementsOfCode(isForgetting: boolean): void;
  /** Replaces the connections of the pool; those in use end with their last statement. A pooler's stay. */
  renew(): void;
  close(): Promise<void>;
}

/** Whether each part of the database is available; a part that the configuration does not have is absent. */
export type DatabaseHealth = {
  /** The server itself. */
  readonly database: boolean;
  /** The pooler that `DATABASE_URL` names. */
  readonly pooler?: boolean;
  /** False if reads succeed and writes do not: the disk is full, or the database is read-only. */
  readonly writes?: boolean;
  /** False if writes fail because the disk of the server is full. */
  readonly disk?: boolean;
  /** False if a part is unavailable to the login of SYSTEM_DATABASE_URL, if there are two. */
  readonly systemLogin?: boolean;
  /** False if a part is unavailable to the login of DATABASE_URL, if there are two. */
  readonly serviceLogin?: boolean;
};

/** Returns a permit. */
export type Permit = () => void;

export interface PoolLoad {
  /** Statements and transactions that have not ended, those that wait for a connection included. */
  readonly inProgress: number;
  readonly connectionsMax: number;
}

export interface TransactionOptions {
  readonly isolation?: "read committed" | "repeatable read" | "serializable";
  readonly readOnly?: boolean;
  /** As for a statement; true by default. */
  readonly runsCode?: boolean;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The server itself, if `url` is a pooler in transaction mode: for everything that needs a session. */
  readonly directUrl?: string | undefined;
  /** Whether statements may be prepared; true by default. */
  readonly prepare?: boolean;
  readonly applicationName: string;
  /** The application name of the sessions that last as long as the process; `applicationName` by default. */
  readonly announcedName?: string;
  readonly connectionsMax?: number;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** How long a statement may wait for a connection, in milliseconds; then it fails with SERVICE_UNAVAILABLE. */
  readonly waitMs?: number;
  /**
   * How long after the statement timeout a connection may receive nothing, in milliseconds; then its statements fail with
   * SERVICE_UNAVAILABLE, unless the server still executes one of them.
   */
  readonly silenceMs?: number;
  /** The search path of the sessions instead of the database's own. */
  readonly searchPath?: string | undefined;
  /** Whether the login keeps the schema `system` and runs no code of the database's users. */
  readonly keepsSystem?: boolean;
}

export interface LoginsOptions extends DatabaseOptions {
  readonly connectionsMax: number;
  /** The database under the login that keeps the schema `system`, if that is not the service's login. */
  readonly systemUrl?: string | undefined;
  /** The server itself, if `systemUrl` is a pooler's. */
  readonly systemDirectUrl?: string | undefined;
}
