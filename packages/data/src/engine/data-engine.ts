import type { Caller, Principal } from "@rowhouse/access";
import { type Queryable, toAppError } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import type { DataEngineDependencies } from "../answer/engine-dependencies.ts";
import { type AnswerDependencies, type HeldAnswer, holdAnswer } from "../answer/hold-answer.ts";
import { proveAndRepeat } from "../answer/prove-and-repeat.ts";
import { createSightOfRows, type SightOfRows } from "../answer/sight-of-rows.ts";
import { answerBatch } from "../batch/answer-batch.ts";
import type { BatchRequest } from "../batch/prepare-batch.ts";
import { writtenTag } from "../execute/read-tag.ts";
import type { StatementRow } from "../execute/run-statement.ts";
import { SharedStatements } from "../execute/shared-statements.ts";
import { createStatementCache } from "../execute/statement-cache.ts";
import { parseRequest, underSettingsOf } from "../parse/parse-request.ts";
import type { DataRequest } from "../parse/request.ts";
import type { DataAnswer } from "../render/render-response.ts";

/** Data API engine: one statement per request, which proves that the caller's rights are current. */
export interface DataEngine {
  /**
   * Answers one request.
   *
   * @param on the transaction to run in; by default the statement is its own
   * @throws AppError of the contract
   */
  answer(request: DataRequest, caller: Caller, on?: Queryable): Promise<DataAnswer>;
  /**
   * Answers a request whose response takes time to send: a large one occupies the memory budget of this process until
   * its lease is released.
   *
   * @throws AppError of the contract
   */
  hold(request: DataRequest, caller: Caller): Promise<HeldAnswer>;
  /**
   * Proves that the caller may make the request now, without executing it.
   *
   * @throws AppError as `answer` does before it runs the statement
   */
  authorize(request: DataRequest, caller: Caller): Promise<AuthorizedCaller>;
  /**
   * Runs several writes as one; see `answerBatch`.
   *
   * @throws AppError of the contract
   */
  batch(request: BatchRequest, caller: Caller): Promise<DataAnswer>;
  /**
   * Returns which fields a caller may see now of rows that it wrote before.
   *
   * @throws AppError as `answer` does before it runs the statement
   */
  readonly sightOfRows: SightOfRows;
}

export interface AuthorizedCaller extends Pick<Principal, "userId"> {
  /** Returns the `ETag` of the row that a write returned; undefined if its response has none. */
  readonly tagOf: (data: string) => string | undefined;
}

/** Composes the stages of a request (docs/architecture.md). */
export function createDataEngine(dependencies: DataEngineDependencies): DataEngine {
  const { database, observer } = dependencies;
  const compile = createStatementCache(
    (snapshot) => database.setStatementTimeout(settingsOf(snapshot)["data.statement_timeout_ms"]),
    observer?.statementAsked,
  );
  const parts = {
    ...dependencies,
    compile,
    budget: dependencies.bounds.budget,
    shared: new SharedStatements<StatementRow>(database, observer?.statementShared),
  };
  const sightOfRows = createSightOfRows(parts);
  return {
    sightOfRows,
    batch: (request, caller) => answerBatch({ ...parts, sightOfRows }, request, caller).catch(fail),
    authorize: (request, caller) => authorizeRequest(parts, request, caller).catch(fail),
    answer: async (request, caller, on) => {
      const held = await holdAnswer(parts, request, caller, on);
      held.lease?.release();
      return held.answer;
    },
    hold: (request, caller) => holdAnswer(parts, request, caller),
  };
}

function authorizeRequest(
  dependencies: AnswerDependencies,
  request: DataRequest,
  caller: Caller,
): Promise<AuthorizedCaller> {
  return proveAndRepeat(dependencies, { caller }, async ({ snapshot, principal }) => {
    const current = underSettingsOf(snapshot, request, parseRequest);
    const { plan } = dependencies.compile(current, snapshot, principal, caller);
    const value = { userId: principal.userId, tagOf: (data: string) => writtenTag(plan, data) };
    return { kind: "UNPROVEN", value };
  });
}

function fail(error: unknown): never {
  throw toAppError(error);
}
