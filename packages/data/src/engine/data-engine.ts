import { type Caller, type Principal, standingOf } from "@rowhouse/access";
import { type Queryable, toAppError } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import type { DataEngineDependencies } from "../answer/engine-dependencies.ts";
import { type AnswerDependencies, type HeldAnswer, holdAnswer } from "../answer/hold-answer.ts";
import { proveAndRepeat } from "../answer/prove-and-repeat.ts";
import { compileHarmless, requireHarmless, writesSystem } from "../answer/request-place.ts";
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
  const { system } = dependencies;
  const ofSystem =
    system === undefined
      ? undefined
      : { ...parts, database: system, compile: compileHarmless(compile) };
  const hold = async (request: DataRequest, caller: Caller, on?: Queryable) => {
    if (ofSystem === undefined || !writesSystem(request))
      return holdAnswer(parts, request, caller, on);
    return holdSystemWrite(ofSystem, request, caller, on);
  };
  const sightOfRows = createSightOfRows(parts);
  const sight: SightOfRows = (request, rows, caller, on) =>
    // The login that keeps the schema `system` may not read what the rows refer to.
    sightOfRows(
      request,
      rows,
      caller,
      ofSystem !== undefined && writesSystem(request) ? database : on,
    );
  return {
    sightOfRows: sight,
    batch: (request, caller) =>
      answerBatch({ ...parts, ofSystem, sightOfRows: sight }, request, caller).catch(fail),
    authorize: (request, caller) => authorizeRequest(parts, request, caller).catch(fail),
    answer: async (request, caller, on) => {
      const held = await hold(request, caller, on);
      held.lease?.release();
      return held.answer;
    },
    hold: (request, caller) => hold(request, caller),
  };
}

/** A deletion is proven harmless in the transaction that deletes. */
async function holdSystemWrite(
  dependencies: AnswerDependencies,
  request: DataRequest,
  caller: Caller,
  on: Queryable | undefined,
): Promise<HeldAnswer> {
  if (request.kind !== "DELETE") return holdAnswer(dependencies, request, caller, on);
  const { isAdministrator } = await authorizeRequest(dependencies, request, caller).catch(fail);
  const work = async (transaction: Queryable): Promise<HeldAnswer> => {
    await requireHarmless(request, transaction, isAdministrator);
    return holdAnswer(dependencies, request, caller, transaction);
  };
  return on === undefined ? dependencies.database.transaction(work).catch(fail) : work(on);
}

function authorizeRequest(
  dependencies: AnswerDependencies,
  request: DataRequest,
  caller: Caller,
): Promise<AuthorizedCaller & { readonly isAdministrator: boolean }> {
  return proveAndRepeat(dependencies, { caller }, async ({ snapshot, principal }) => {
    const current = underSettingsOf(snapshot, request, parseRequest);
    const { plan } = dependencies.compile(current, snapshot, principal, caller);
    const { isAdministrator } = standingOf(principal, snapshot);
    const tagOf = (data: string) => writtenTag(plan, data);
    const value = { userId: principal.userId, isAdministrator, tagOf };
    return { kind: "UNPROVEN", value };
  });
}

function fail(error: unknown): never {
  throw toAppError(error);
}
