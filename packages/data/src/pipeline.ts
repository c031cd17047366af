import { authenticationRequired, type Caller, type Principal, standingOf } from "@rowhouse/access";
import {
  type Parameter,
  proofOf,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { answerTooLarge } from "./compile/answer-size.ts";
import { estimateRows } from "./compile/compile-estimate.ts";
import { takeMarks } from "./compile/cut-lists.ts";
import { recordRefusedChange } from "./compile/refused-change.ts";
import { type CompiledRequest, createStatementCache } from "./compile/statement-cache.ts";
import { AnswerBudget, type Lease, smallAnswerBytes } from "./execute/answer-budget.ts";
import { bindParameters } from "./execute/bind-parameters.ts";
import type { DataEngineDependencies } from "./execute/engine-dependencies.ts";
import { explainFailure } from "./execute/explain-failure.ts";
import { isProven } from "./execute/is-proven.ts";
import { createSightOfRows, type SightOfRows } from "./execute/sight-of-rows.ts";
import { StageClock } from "./execute/stage-clock.ts";
import { openCursor } from "./parse/cursor.ts";
import type { DataRequest } from "./parse/request.ts";
import { underLimitsOf } from "./parse/request-limits.ts";
import { type AnswerRow, type DataAnswer, renderAnswer } from "./render/render-response.ts";

/** The Data API engine: what a request may have, in one statement that proves itself current. */
export interface DataEngine {
  /**
   * Answers one request.
   *
   * @param on the transaction to run in; by default the statement is its own
   * @throws AppError of the contract
   */
  answer(request: DataRequest, caller: Caller, on?: Queryable): Promise<DataAnswer>;
  /**
   * The same for an answer that takes time to send: a large one counts in the budget of this process until it is released.
   *
   * @throws AppError of the contract
   */
  hold(request: DataRequest, caller: Caller): Promise<HeldAnswer>;
  /**
   * Proves at this moment that the caller may make the request, without making it.
   *
   * @throws AppError as `answer` does before it runs the statement
   */
  authorize(request: DataRequest, caller: Caller): Promise<Pick<Principal, "userId">>;
  /**
   * What a caller may see now of rows that it created before.
   *
   * @throws AppError as `answer` does before it runs the statement
   */
  readonly sightOfRows: SightOfRows;
}

export interface HeldAnswer {
  readonly answer: DataAnswer;
  /** Null for a small answer. */
  readonly lease: Lease | null;
}

/** One row: proof and version of the moment, and the data if both are what the statement was compiled for. */
interface StatementRow extends AnswerRow {
  readonly proof: string;
  readonly version: string | null;
}

const attemptsMax = 8;

/** Composes the six stages of a request (docs/architecture.md). */
export function createDataEngine(dependencies: DataEngineDependencies): DataEngine {
  const { database, snapshots, principals, observer } = dependencies;
  const compile = createStatementCache(
    (snapshot) => database.setStatementTimeout(settingsOf(snapshot)["data.statement_timeout_ms"]),
    observer?.statementAsked,
  );

  const budget = new AnswerBudget();

  const hold = async (
    received: DataRequest,
    caller: Caller,
    on?: Queryable,
  ): Promise<HeldAnswer> => {
    let lease: Lease | null = null;
    let isAnswered = false;
    try {
      const answered = await answer(received, caller, on, async (bytes, settings) => {
        lease?.release();
        lease = await budget.reserve(bytes, settings["data.max_response_bytes_at_once"]);
        return lease.bytes;
      });
      isAnswered = true;
      return { answer: answered, lease };
    } finally {
      if (!isAnswered) (lease as Lease | null)?.release();
    }
  };

  const answer = async (
    received: DataRequest,
    caller: Caller,
    on: Queryable | undefined,
    reserve: (bytes: number, settings: Settings) => Promise<number>,
  ): Promise<DataAnswer> => {
    const queryable = on ?? database;
    let reserved = 0;
    // A write goes on: its caller may have left without a word on whether it happened.
    const reads =
      received.kind === "LIST" || received.kind === "AGGREGATE" || received.kind === "READ";
    const isTimed = observer !== undefined || received.isTimed === true;
    const clock = isTimed ? new StageClock(observer?.stageEnded) : undefined;
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const snapshot = snapshots.peek() ?? (await snapshots.current());
      const principal = await principals.find(caller);
      if (principal === undefined) throw authenticationRequired();

      let compiled: CompiledRequest | undefined;
      let parameters: Parameter[] = [];
      let request = received;
      try {
        request = openCursor(underLimitsOf(received, snapshot), snapshot.cursorKey);
        compiled = compile(request, snapshot, principal, caller);
        const settings = settingsOf(snapshot);
        const largest = settings["data.max_response_bytes"];
        const isRead = isReading(request);
        if (isRead && on === undefined && compiled.largeBytes > reserved) {
          reserved = await reserve(Math.min(compiled.largeBytes, largest), settings);
        }
        const bytesMax =
          isRead && on === undefined
            ? Math.min(Math.max(reserved, smallAnswerBytes), largest)
            : largest;
        const context = { request, snapshot, principal, caller };
        parameters = bindParameters(compiled.statement, { ...context, bytesMax });
        compiled.uses += 1;
        clock?.ended("prepare");
        const { estimate } = compiled;
        const estimated =
          estimate === null
            ? null
            : await estimateRows(
                queryable,
                estimate,
                bindParameters(estimate, context),
                principal.userId,
              );
        const [row] = await queryable.query<StatementRow>(compiled.statement.text, parameters, {
          // A shape that comes once is not worth a prepared statement on every connection.
          prepare: compiled.uses > 1,
          userId: principal.userId,
          signal: reads ? received.signal : undefined,
        });
        clock?.ended("execute");
        if (row === undefined) throw createError("INTERNAL_ERROR");
        const proof = proofOf(snapshot, compiled.statement.scope);
        if (row.proof === proof && row.version === principal.version) {
          const size = Number(row.size ?? 0);
          compiled.largeBytes = size > smallAnswerBytes ? size : 0;
          if (size > largest) throw answerTooLarge(false);
          if (size > bytesMax) {
            reserved = await reserve(Math.min(Math.ceil(size * 1.125), largest), settings);
            continue;
          }
          const { cuts } = compiled.statement;
          const counted = { ...row, count: row.count ?? estimated };
          const shown = row.data === null ? counted : { ...counted, ...takeMarks(row.data, cuts) };
          const rendered = renderAnswer(request, shown, snapshot.cursorKey);
          clock?.ended("render");
          return clock !== undefined &&
            received.isTimed === true &&
            standingOf(principal, snapshot).isAdministrator
            ? { ...rendered, headers: { ...rendered.headers, "Server-Timing": clock.text() } }
            : rendered;
        }
        if (row.version !== principal.version) principals.forget(caller);
        if (row.proof !== proof) await snapshots.replace(snapshot);
      } catch (error) {
        if (reads && received.signal?.aborted === true) {
          throw createError("SERVICE_UNAVAILABLE", { cause: error });
        }
        if (toAppError(error).code === "SERVICE_UNAVAILABLE" && !isRepeatable(error)) throw error;
        // No error is told before it is proven that it was found on what holds at this moment.
        if (await isProven(database, snapshot, principal, caller)) {
          if (compiled === undefined || error instanceof AppError) throw error;
          if (isRepeatable(error) && on === undefined) continue;
          const { plan, statement } = compiled;
          const refusal = await explainFailure(error, {
            ...{ statement, plan, request, parameters, database, userId: principal.userId },
            bind: (other) =>
              bindParameters(statement, { request: other, snapshot, principal, caller }),
          });
          await recordRefusedChange(database, plan, request, principal, caller, refusal);
          throw refusal;
        }
        principals.forget(caller);
        await snapshots.fresh();
        // A transaction of someone else's is lost with its first error; another one finds what holds by now.
        if (on !== undefined && !(error instanceof AppError)) throw lostTransaction(error);
      }
    }
    throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
  };

  const authorize: DataEngine["authorize"] = async (request, caller) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const snapshot = snapshots.peek() ?? (await snapshots.current());
      const principal = await principals.find(caller);
      if (principal === undefined) throw authenticationRequired();
      let refusal: unknown;
      try {
        compile(underLimitsOf(request, snapshot), snapshot, principal, caller);
      } catch (error) {
        refusal = error;
      }
      if (await isProven(database, snapshot, principal, caller)) {
        if (refusal !== undefined) throw refusal;
        return { userId: principal.userId };
      }
      principals.forget(caller);
      await snapshots.fresh();
    }
    throw createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
  };

  return {
    sightOfRows: createSightOfRows({ snapshots, principals, compile }),
    authorize: async (request, caller) => {
      try {
        return await authorize(request, caller);
      } catch (error) {
        throw toAppError(error);
      }
    },
    answer: async (request, caller, on) => {
      try {
        const held = await hold(request, caller, on);
        held.lease?.release();
        return held.answer;
      } catch (error) {
        throw toAppError(error);
      }
    },
    hold: async (request, caller) => {
      try {
        return await hold(request, caller);
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}

function isReading({ kind }: DataRequest): boolean {
  return kind === "LIST" || kind === "AGGREGATE" || kind === "READ";
}

function lostTransaction(cause: unknown): AppError {
  return createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" }, cause });
}

/** Serialization failures and deadlocks: the statement did nothing and may run again. */
function isRepeatable(error: unknown): boolean {
  const code = readPostgresFailure(error)?.code;
  return code === "40001" || code === "40P01";
}
