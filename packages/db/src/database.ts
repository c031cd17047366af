import { createError } from "@rowhouse/errors";
import type postgres from "#postgres";
import { AbandonedStatements, type WatchedStatement } from "./abandoned-statements.ts";
import { Absence } from "./absence.ts";
import { busy } from "./busy.ts";
import {
  connectDirectly,
  connectionsMaxDefault,
  connectPool,
  runStatement,
  runTransaction,
  type StatementFrame,
  type StatementSurroundings,
  sendStatement,
} from "./client.ts";
import { spareConnections } from "./connection-budget.ts";
import { HealthCheck, tryWrite } from "./health-check.ts";
import { type ServiceUse, serviceStatements } from "./logins/service-statements.ts";
import { createOrm, type Orm } from "./orm.ts";
import { Pool } from "./pool.ts";
import type {
  Database,
  DatabaseHealth,
  DatabaseOptions,
  OwnTransaction,
  Parameter,
  Permit,
  PoolLoad,
  QueryOptions,
  StagingOptions,
  StagingTransaction,
  StatementOptions,
  TransactionOptions,
} from "./queryable.ts";
import { RowStream, type StreamOptions, type TextRow } from "./row-stream.ts";
import { readOnlySession, triggersSql, unguardedState } from "./session-settings.ts";
import { SilentConnections } from "./silent-connections.ts";
import { readPostgresFailure } from "./sqlstate.ts";
import { Staging } from "./staging.ts";
import { type DriverStatement, StatementShares, type Ticket } from "./statement-shares.ts";
import {
  type Clearing,
  ownClearing,
  ownReading,
  type PooledSession,
  pooledFrame,
  runPooled,
} from "./user-code.ts";

type StatementKind = "read" | "write";

const statementTimeoutMsDefault = 10_000;
const waitMsDefault = 10_000;
/** Time after the statement timeout from which the server counts as silent. */
const silenceMsDefault = 5_000;
const executingSql =
  "select from pg_catalog.pg_stat_activity where pid = $1::int and state = 'active'";
/** A single statement, whatever the default of a pooler's session is. */
const statementMode = "isolation level read committed";
/** Statements of the service itself that read its own tables. */
const startsWithSelect = /^\s*select\s/i;
const arrays: StatementOptions = { asArrays: true };
const noOptions: StatementOptions = {};
const noSurroundings: StatementSurroundings = {};
const ownSurroundings = {
  write: {
    keeping: { clearing: ownClearing.keeping },
    forgetting: { clearing: ownClearing.forgetting },
  },
  read: {
    keeping: { frame: ownReading.keeping },
    forgetting: { frame: ownReading.forgetting },
  },
} as const satisfies Record<StatementKind, Clearing<StatementSurroundings>>;

/**
 * Opens a pool. It connects with the first statement.
 *
 * @example
 * const database = openDatabase({ url: "postgres://…", applicationName: "data-api" });
 * const [row] = await database.query<{ now: string }>("select now()::text as now");
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pooled = new PooledDatabase(options);
  // A plain object: callers spread it to replace one function, and pass single functions on.
  const database: Database = {
    query: (text, parameters, asked) => pooled.query(text, parameters, asked),
    transaction: (work, asked) => pooled.transaction(work, asked),
    stream: (text, parameters, asked) => pooled.stream(text, parameters, asked),
    stage: (work, asked) => pooled.stage(work, asked),
    listen: (channel, onMessage) => pooled.listen(channel, onMessage),
    charge: (userId) => pooled.charge(userId),
    load: () => pooled.load(),
    ping: () => pooled.ping(),
    health: () => pooled.health(),
    doubt: (again) => pooled.doubt(again),
    searchPath: options.searchPath,
    setStatementTimeout: (timeoutMs) => pooled.setStatementTimeout(timeoutMs),
    forgetStatementsOfCode: (isForgetting) => pooled.forgetStatementsOfCode(isForgetting),
    renew: () => pooled.renew(),
    close: () => pooled.close(),
    orm: pooled.orm,
    get asService() {
      return database;
    },
    get service() {
      return database;
    },
  };
  return database;
}

class PooledDatabase implements Omit<Database, "asService" | "service"> {
  readonly orm: Orm;
  readonly ping: () => Promise<void>;
  readonly health: () => Promise<DatabaseHealth>;
  readonly searchPath: string | undefined;
  readonly #health: HealthCheck;
  readonly #options: DatabaseOptions;
  readonly #connectionsMax: number;
  readonly #pool: Pool;
  /** For what must not wait for the pool: NOTIFY and health checks. */
  readonly #listener: postgres.Sql;
  /** For health checks of a pooler. */
  readonly #pooler: postgres.Sql | undefined;
  readonly #shares: StatementShares;
  readonly #abandoned: AbandonedStatements;
  readonly #silent: SilentConnections;
  readonly #absence = new Absence();
  readonly #streams = new Set<RowStream>();
  readonly #stagings = new Set<Pick<Staging<unknown>, "fail" | "result">>();
  #statementTimeoutMs: number;
  #clearing: keyof Clearing = "keeping";
  /** Of single statements behind a pooler. */
  #frames: { [Which in `${StatementKind} ${keyof Clearing}` | "none"]?: StatementFrame } = {};
  #inProgress = 0;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.searchPath = options.searchPath;
    this.#connectionsMax = options.connectionsMax ?? connectionsMaxDefault;
    this.#statementTimeoutMs = options.statementTimeoutMs ?? statementTimeoutMsDefault;
    const announced = options.announcedName ?? options.applicationName;
    this.#listener = connectDirectly({ ...options, applicationName: announced }, { max: 1 });
    this.#pooler = this.#isPooled ? connectPool(options, { max: 1 }) : undefined;
    this.#pool = new Pool(options);
    this.#shares = new StatementShares({
      connectionsMax: this.#connectionsMax,
      waitMs: options.waitMs ?? waitMsDefault,
    });
    this.#abandoned = new AbandonedStatements(this.#isPooled ? null : this.#listener);
    this.#silent = new SilentConnections({
      pools: () => this.#pools(),
      timeoutMs: () => this.#statementTimeoutMs,
      silenceMs: options.silenceMs ?? silenceMsDefault,
      isExecuting: (pid) => this.#isExecuting(pid),
    });
    this.ping = async () => {
      await runStatement(this.#listener, triggersSql).catch((error: unknown) => {
        // A changed configuration of the server concerns the open sessions as well.
        if (readPostgresFailure(error)?.code === unguardedState) this.renew();
        throw error;
      });
    };
    const pooler = this.#pooler;
    this.#health = new HealthCheck({
      server: this.ping,
      pooler: pooler && (() => runStatement(pooler, "select 1")),
      read: () => this.#run("select 1", [], undefined),
      write: () => tryWrite(this),
    });
    this.health = this.#health.read;
    this.orm = createOrm((text, parameters) => this.#run<unknown[]>(text, parameters, arrays));
  }

  doubt(again: () => Promise<unknown>): void {
    this.#health.doubt(again);
  }

  query<Row extends object>(
    text: string,
    parameters?: readonly Parameter[],
    asked?: QueryOptions,
  ): Promise<Row[]> {
    const userId = asked?.userId;
    const takesPermit = userId !== undefined && asked?.isCharged !== true;
    const turn = takesPermit ? this.#shares.permits.acquire(userId) : undefined;
    return turn === undefined
      ? this.#run<Row>(text, parameters, asked)
      : this.#runAfter<Row>(turn, text, parameters, asked);
  }

  charge(userId: string): Permit | Promise<Permit | undefined> | undefined {
    const permit = this.#shares.charge(userId);
    return permit instanceof Promise ? this.#countWaiting(permit) : permit;
  }

  load(): PoolLoad {
    return {
      inProgress: this.#inProgress,
      connectionsMax: this.#connectionsMax + spareConnections,
    };
  }

  async transaction<Result>(
    work: (transaction: OwnTransaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const isolation = options.isolation ?? "read committed";
    const mode = `isolation level ${isolation}${options.readOnly === true ? " read only" : ""}`;
    const isSpare = this.#shares.isSpare(undefined);
    const connections = this.#pool.present;
    const owner = isSpare ? connections.spare : connections.main;
    connections.use();
    this.#inProgress += 1;
    const ticket = isSpare ? undefined : this.#shares.begin();
    const runsCode = options.runsCode ?? true;
    let hasBegun = false;
    const use: ServiceUse = { wereUsed: false };
    const begun = (tx: postgres.TransactionSql) => {
      hasBegun = true;
      return work(this.#openTransaction(tx, use));
    };
    try {
      return await this.#absence.outlast(
        () => this.#begin(owner, mode, { runsCode, use }, begun),
        () => !hasBegun,
      );
    } catch (error) {
      // Its success says nothing: it may have written nothing.
      if (options.readOnly !== true) this.#health.note("write", error);
      throw error;
    } finally {
      connections.release();
      this.#inProgress -= 1;
      if (ticket !== undefined) this.#shares.end(ticket);
    }
  }

  stream(
    text: string,
    parameters: readonly Parameter[],
    streamOptions: StreamOptions,
  ): AsyncIterableIterator<TextRow[]> {
    const options = this.#options;
    const stream = new RowStream({
      ...streamOptions,
      text,
      parameters,
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      connect: (own) =>
        connectDirectly(
          { ...options, statementTimeoutMs: streamOptions.timeoutMs },
          own,
          streamOptions.readOnly === true ? readOnlySession : {},
        ),
      query: (cancel, values) => this.#pool.hold(({ main }) => runStatement(main, cancel, values)),
    });
    this.#streams.add(stream);
    void stream.released.finally(() => this.#streams.delete(stream));
    return stream;
  }

  stage<Result>(
    work: (transaction: StagingTransaction) => Promise<Result>,
    { timeoutMs, signal }: StagingOptions,
  ): Promise<Result> {
    const options = this.#options;
    const staging = new Staging<Result>(
      {
        ...{ timeoutMs, signal },
        connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
        connect: (own) => connectDirectly({ ...options, statementTimeoutMs: timeoutMs }, own),
        openTransaction: (tx) => this.#openTransaction(tx, { wereUsed: false }),
      },
      work,
    );
    this.#stagings.add(staging);
    return staging.result.finally(() => this.#stagings.delete(staging));
  }

  async listen(
    channel: string,
    onMessage: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    const subscription = await this.#listener.listen(channel, onMessage);
    return subscription.unlisten;
  }

  setStatementTimeout(timeoutMs: number): void {
    if (timeoutMs === this.#statementTimeoutMs) return;
    this.#statementTimeoutMs = timeoutMs;
    this.#frames = {};
    if (!this.#isPooled) this.#pool.renew(timeoutMs);
  }

  forgetStatementsOfCode(isForgetting: boolean): void {
    // A pooler that prepares statements for its clients does not notice that they have ended.
    const isPossible = !this.#isPooled || this.#options.prepare === false;
    this.#clearing = isForgetting && isPossible ? "forgetting" : "keeping";
  }

  renew(): void {
    if (!this.#isPooled) this.#pool.renew();
  }

  async close(): Promise<void> {
    this.#silent.close();
    for (const stream of this.#streams) stream.fail(createError("SERVICE_UNAVAILABLE"));
    for (const staging of this.#stagings) staging.fail(createError("SERVICE_UNAVAILABLE"));
    await Promise.all(Array.from(this.#streams, (stream) => stream.released));
    await Promise.allSettled(Array.from(this.#stagings, (staging) => staging.result));
    await Promise.all([
      this.#pool.end(),
      this.#listener.end({ timeout: 5 }),
      this.#pooler?.end({ timeout: 5 }),
    ]);
  }

  *#pools(): Iterable<postgres.Sql> {
    yield* this.#pool.clients();
    yield this.#listener;
    if (this.#pooler !== undefined) yield this.#pooler;
  }

  /** A pooler has process ids of its own: behind it, a statement counts as executing while the pooler answers. */
  async #isExecuting(pid: number): Promise<boolean> {
    if (this.#pooler !== undefined) {
      await runStatement(this.#pooler, "select 1");
      return true;
    }
    return (await runStatement(this.#listener, executingSql, [String(pid)])).length > 0;
  }

  get #keepsSystem(): boolean {
    return this.#options.keepsSystem === true;
  }

  get #isPooled(): boolean {
    return this.#options.directUrl !== undefined;
  }

  get #pooledSession(): PooledSession {
    return { statementTimeoutMs: this.#statementTimeoutMs, searchPath: this.searchPath };
  }

  /** A read that runs code of the database's users must not write by it. */
  #surroundings(kind: StatementKind, runsCode: boolean): StatementSurroundings {
    const which = runsCode ? this.#clearing : null;
    if (!this.#isPooled) return which === null ? noSurroundings : ownSurroundings[kind][which];
    const key = which === null ? "none" : (`${kind} ${which}` as const);
    const mode = which !== null && kind === "read" ? `${statementMode} read only` : statementMode;
    this.#frames[key] ??= pooledFrame(mode, this.#pooledSession, which);
    return { frame: this.#frames[key] };
  }

  /** Runs a transaction, after which its session has nothing that code of the database's users left there. */
  #begin<Result>(
    owner: postgres.Sql,
    mode: string,
    { runsCode, use }: { readonly runsCode: boolean; readonly use: ServiceUse },
    work: (transaction: postgres.TransactionSql) => Promise<Result>,
  ): Promise<Result> {
    // What code of users has prepared must never be taken for a statement of the system's login.
    const which = this.#keepsSystem ? "forgetting" : runsCode ? this.#clearing : null;
    if (this.#isPooled) return runPooled(owner, mode, this.#pooledSession, which, work);
    const keepsSystem = this.#keepsSystem;
    return runTransaction(owner, mode, work, {
      get clearing() {
        if (which === null || (keepsSystem && !use.wereUsed)) return undefined;
        return ownClearing[which];
      },
    });
  }

  async #run<Row extends object>(
    text: string,
    parameters: readonly Parameter[] | undefined,
    asked: StatementOptions | undefined,
  ): Promise<Row[]> {
    const readOnly = asked?.readOnly ?? startsWithSelect.test(text);
    const kind = readOnly ? "read" : "write";
    const userId = asked?.userId;
    this.#inProgress += 1;
    try {
      const rows = await this.#absence.outlast(
        () => this.#attempt<Row>(text, parameters, asked, kind),
        (wasSent) => !wasSent || asked?.readOnly === true,
      );
      this.#health.note(kind);
      return rows;
    } catch (error) {
      this.#health.note(kind, error);
      throw error;
    } finally {
      this.#inProgress -= 1;
      if (userId !== undefined) this.#shares.permits.release(userId);
    }
  }

  async #attempt<Row extends object>(
    text: string,
    parameters: readonly Parameter[] | undefined,
    asked: StatementOptions | undefined,
    kind: StatementKind,
  ): Promise<Row[]> {
    let ticket: Ticket | undefined;
    let watched: WatchedStatement | undefined;
    const admitted = this.#pool.admit(text, asked);
    const connections = this.#pool.present;
    connections.use();
    try {
      const isSpare = this.#shares.isSpare(asked?.userId);
      const owner = isSpare ? connections.spare : connections.main;
      const around = this.#surroundings(
        kind,
        asked?.runsCode ?? (kind === "write" && !this.#keepsSystem),
      );
      const statement = sendStatement<Row>(owner, text, parameters, admitted, around);
      if (!isSpare) ticket = this.#shares.begin(statement as DriverStatement);
      if (asked?.isAbandoned !== undefined) {
        watched = this.#abandoned.watch(statement as DriverStatement, asked.isAbandoned);
      }
      return await statement;
    } catch (error) {
      throw ticket?.isWithdrawn === true ? busy() : error;
    } finally {
      connections.release();
      if (ticket !== undefined) this.#shares.end(ticket);
      if (watched !== undefined) this.#abandoned.settle(watched);
    }
  }

  /** A statement whose user holds all of their permits waits for one of them. */
  async #runAfter<Row extends object>(
    turn: Promise<void>,
    text: string,
    parameters: readonly Parameter[] | undefined,
    asked: QueryOptions | undefined,
  ): Promise<Row[]> {
    await this.#countWaiting(turn);
    if (asked?.isAbandoned?.() === true) {
      if (asked.userId !== undefined) this.#shares.permits.release(asked.userId);
      throw createError("SERVICE_UNAVAILABLE");
    }
    return this.#run<Row>(text, parameters, asked);
  }

  /** Counts a statement that waits for a permit as one in progress. */
  async #countWaiting<Result>(turn: Promise<Result>): Promise<Result> {
    this.#inProgress += 1;
    try {
      return await turn;
    } finally {
      this.#inProgress -= 1;
    }
  }

  #openTransaction(tx: postgres.TransactionSql, use: ServiceUse): OwnTransaction {
    const run = async <Row extends object>(
      text: string,
      parameters?: readonly Parameter[],
      asked?: StatementOptions,
    ): Promise<Row[]> => {
      const admitted = use.wereUsed ? asArraysOf(asked) : this.#pool.admit(text, asked);
      const statement = sendStatement<Row>(tx, text, parameters, admitted);
      if (asked?.isAbandoned === undefined) return await statement;
      const watched = this.#abandoned.watch(statement as DriverStatement, asked.isAbandoned);
      try {
        return await statement;
      } finally {
        this.#abandoned.settle(watched);
      }
    };
    let orm: Orm | undefined;
    const transaction: OwnTransaction = {
      query: run,
      get orm() {
        orm ??= createOrm((text, parameters) => run<unknown[]>(text, parameters, arrays));
        return orm;
      },
      get asService() {
        return service ?? transaction;
      },
      savepoint: async (part) => {
        await tx.savepoint((inner) => part(this.#openTransaction(inner, use)));
      },
    };
    const service = this.#keepsSystem
      ? serviceStatements({ use, searchPath: this.searchPath }, run)
      : undefined;
    return transaction;
  }
}

/** Without a prepared statement, which code of the database's users could have replaced. */
function asArraysOf(asked: StatementOptions | undefined): StatementOptions {
  return asked?.asArrays === true ? arrays : noOptions;
}
