import { type Caller, standingOf } from "@rowhouse/access";
import { type Database, type Parameter, proofOf, type Queryable } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { actionOf } from "./authorize/authorize-plan.ts";
import { answerTooLarge } from "./compile/answer-size.ts";
import { estimateRows } from "./compile/compile-estimate.ts";
import { takeMarks } from "./compile/list-marks.ts";
import { codesOf, recordRefusedChange } from "./compile/refused-change.ts";
import type { CompiledRequest, CompileRequest } from "./compile/statement-cache.ts";
import { type AnswerBudget, type Lease, smallAnswerBytes } from "./execute/answer-budget.ts";
import { type BindingContext, bindParameters } from "./execute/bind-parameters.ts";
import type { DataEngineDependencies } from "./execute/engine-dependencies.ts";
import { explainFailure, failedStatement } from "./execute/explain-failure.ts";
import { type Outcome, proveAndRepeat, type Rights } from "./execute/prove-and-repeat.ts";
import { afterCodeSql, ownNamesSql, readAgain } from "./execute/read-again.ts";
import { Reservation } from "./execute/reservation.ts";
import type { SharedStatements } from "./execute/shared-statements.ts";
import { StageClock } from "./execute/stage-clock.ts";
import { openCursor, writeDeepCursor } from "./parse/cursor.ts";
import { parseRequest, underSettingsOf } from "./parse/parse-request.ts";
import type { DataRequest } from "./parse/request.ts";
import { type AnswerRow, type DataAnswer, renderAnswer } from "./render/render-response.ts";

export interface AnswerDependencies extends DataEngineDependencies {
  readonly compile: CompileRequest;
  readonly budget: AnswerBudget;
  readonly shared: SharedStatements<StatementRow>;
}

export interface HeldAnswer {
  readonly answer: DataAnswer;
  /** Null for a small answer. */
  readonly lease: Lease | null;
}

/** The row of a statement: proof and version of the moment, and the data if both match the compiled ones. */
export interface StatementRow extends AnswerRow {
  readonly proof: string;
  readonly version: string | null;
}

/** A request in progress, over all its attempts. */
interface Answering {
  readonly dependencies: AnswerDependencies;
  readonly received: DataRequest;
  readonly caller: Caller;
  /** The transaction of someone else; undefined if the statement is its own. */
  readonly on: Queryable | undefined;
  /** Ends a read. A write continues, because its caller may have left before it knew the result. */
  readonly isAbandoned: (() => boolean) | undefined;
  readonly reservation: Reservation;
  readonly clock: StageClock | undefined;
}

/** The request of one attempt with its statement. */
interface CompiledAttempt {
  readonly request: DataRequest;
  readonly compiled: CompiledRequest;
  /** Bytes of a response at most, by the setting. */
  readonly largest: number;
  /** Whether the response counts against the memory for large responses. */
  readonly isBudgeted: boolean;
  /** Bytes of the last response of this shape if it was large, else 0. */
  readonly bytesExpected: number;
}

/** A bound statement of one attempt. */
interface Execution {
  readonly compiled: CompiledRequest;
  readonly context: BindingContext;
  readonly parameters: Parameter[];
  /** Bytes of a response at most, by the setting. */
  readonly largest: number;
  /** Bytes of this attempt's response at most. */
  readonly bytesMax: number;
}

/**
 * Answers one request: the stages of docs/architecture.md, repeated until their rights are proven.
 *
 * @returns the response, with a lease of its memory if it is a large one
 * @throws AppError of the contract, or an unexpected error
 */
export async function answerRequest(
  dependencies: AnswerDependencies,
  received: DataRequest,
  caller: Caller,
  on?: Queryable,
): Promise<HeldAnswer> {
  const { observer, budget } = dependencies;
  const isTimed = observer !== undefined || received.origin?.isTimed === true;
  const reservation = new Reservation(budget);
  const isAbandoned = isRead(received) ? received.origin?.isAbandoned : undefined;
  const clock = isTimed ? new StageClock(observer?.stageEnded) : undefined;
  const answering = { dependencies, received, caller, on, isAbandoned, reservation, clock };
  try {
    const answer = await proveAndRepeat(dependencies, answering, (rights) =>
      attemptAnswer(answering, rights),
    );
    return { answer, lease: reservation.lease };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

async function attemptAnswer(answering: Answering, rights: Rights): Promise<Outcome<DataAnswer>> {
  const { reservation, clock } = answering;
  const bytesAtOnce = settingsOf(rights.snapshot)["data.max_response_bytes_at_once"];
  const compiled = compileReceived(answering, rights);
  if (compiled.bytesExpected > reservation.bytes) {
    await reservation.reserve(compiled.bytesExpected, bytesAtOnce);
  }
  const execution = bind(answering, rights, compiled);
  clock?.ended("prepare");
  let row: StatementRow;
  try {
    row = await execute(answering, execution);
  } catch (error) {
    return {
      kind: "FAILED",
      error,
      explain: (cause) => explainRefusedStatement(cause, answering, rights, execution),
    };
  }
  clock?.ended("execute");
  const { statement } = execution.compiled;
  const isSnapshotStale = row.proof !== proofOf(rights.snapshot, statement.scope);
  const isPrincipalStale = row.version !== rights.principal.version;
  if (isSnapshotStale || isPrincipalStale) {
    const part = { snapshot: isSnapshotStale, principal: isPrincipalStale };
    return { kind: "STALE", part };
  }
  const bytes = requiredBytes(execution, row);
  if (bytes > 0) {
    await reservation.reserve(bytes, bytesAtOnce);
    return { kind: "REPEAT" };
  }
  return { kind: "PROVEN", value: render(answering, rights, execution, row) };
}

/** Compiles the request, and returns the bytes to reserve for its response: 0 for a small one. */
function compileReceived(
  { dependencies, received, caller, on }: Answering,
  { snapshot, principal }: Rights,
): CompiledAttempt {
  const request = openCursor(underSettingsOf(snapshot, received, parseRequest), snapshot.cursorKey);
  const compiled = dependencies.compile(request, snapshot, principal, caller);
  const largest = settingsOf(snapshot)["data.max_response_bytes"];
  const isBudgeted = isRead(request) && on === undefined;
  const bytesExpected = isBudgeted ? Math.min(compiled.largeBytes, largest) : 0;
  return { request, compiled, largest, isBudgeted, bytesExpected };
}

function bind(
  { caller, reservation }: Answering,
  { snapshot, principal }: Rights,
  { request, compiled, largest, isBudgeted }: CompiledAttempt,
): Execution {
  const bytesMax = isBudgeted
    ? Math.min(Math.max(reservation.bytes, smallAnswerBytes), largest)
    : largest;
  const context = { request, snapshot, principal, caller, bytesMax };
  const parameters = bindParameters(compiled.statement, context);
  compiled.uses += 1;
  return { compiled, context, parameters, largest, bytesMax };
}

function execute(
  { dependencies, on, isAbandoned }: Answering,
  execution: Execution,
): Promise<StatementRow> {
  const { compiled, context, parameters } = execution;
  const { estimate, statement, uses, runsCode } = compiled;
  const { userId } = context.principal;
  const lane = compiled.lane === null ? undefined : `${compiled.lane} ${userId}`;
  const queryable = on ?? dependencies.database;
  // A shape that occurs once is not worth a prepared statement on every connection.
  const options = {
    prepare: uses > 1,
    userId,
    isAbandoned,
    lane,
    readOnly: isRead(context.request),
    runsCode,
  };
  const run = (): Promise<StatementRow> =>
    queryable.query<StatementRow>(statement.text, parameters, options).then(onlyRow);
  if (compiled.again !== null) {
    return inTransaction(dependencies.database, on, userId, (transaction) =>
      writeAndReadAgain(execution, transaction),
    );
  }
  if (estimate === null) {
    const isShared = on === undefined && uses > 1 && mayShare(execution);
    const read = { compiled, parameters, userId, isAbandoned };
    return (isShared ? dependencies.shared.join(read, run) : undefined) ?? run();
  }
  return estimateRows(queryable, estimate, bindParameters(estimate, context), userId).then(
    async (estimated) => {
      const row = await run();
      return { ...row, count: row.count ?? estimated };
    },
  );
}

/** Runs a write of several statements; one of them has an effect only if the rights are proven. */
async function inTransaction(
  database: Database,
  on: Queryable | undefined,
  userId: string,
  work: (transaction: Queryable) => Promise<StatementRow>,
): Promise<StatementRow> {
  if (on !== undefined) return work(on);
  const permit = await database.charge(userId);
  try {
    return await database.transaction(work);
  } finally {
    permit?.();
  }
}

async function writeAndReadAgain(
  { compiled, context, parameters }: Execution,
  on: Queryable,
): Promise<StatementRow> {
  const { statement, uses } = compiled;
  await on.query(ownNamesSql);
  const row = onlyRow(
    await on.query<StatementRow>(statement.text, parameters, { prepare: uses > 1 }),
  );
  const { request } = context;
  if (row.data === null || (request.kind !== "CREATE" && request.kind !== "UPDATE")) return row;
  // Deferred triggers change rows as well.
  await on.query(`set constraints all immediate; ${afterCodeSql}`);
  return { ...row, data: await readAgain(compiled, request, row.data, context, on) };
}

/** Whether the settings permit shared statements, and the response is a small one. */
function mayShare({ context, bytesMax }: Execution): boolean {
  return bytesMax <= smallAnswerBytes && settingsOf(context.snapshot)["data.share_statements"];
}

function onlyRow([row]: readonly StatementRow[]): StatementRow {
  if (row === undefined) throw createError("INTERNAL_ERROR");
  return row;
}

/**
 * Returns 0 if the row holds the whole data, otherwise the bytes to reserve for the next attempt.
 *
 * @throws AppError if the response exceeds the setting `data.max_response_bytes`
 */
function requiredBytes({ compiled, largest, bytesMax }: Execution, { size }: StatementRow): number {
  const bytes = Number(size ?? 0);
  compiled.largeBytes = bytes > smallAnswerBytes ? bytes : 0;
  if (bytes > largest) throw answerTooLarge(false);
  // The rows may have grown by the next attempt.
  return bytes <= bytesMax ? 0 : Math.min(Math.ceil(bytes * 1.125), largest);
}

function render(
  { received, clock }: Answering,
  { snapshot, principal }: Rights,
  { compiled, context }: Execution,
  row: StatementRow,
): DataAnswer {
  const { lists } = compiled.statement;
  const { request } = context;
  const cursorAt = (path: string, position: string) =>
    writeDeepCursor(position, request, path, snapshot.cursorKey);
  const shown =
    row.data === null || lists.length === 0
      ? row
      : { ...row, ...takeMarks(row.data, lists, cursorAt) };
  const rendered = renderAnswer(request, shown, snapshot.cursorKey);
  clock?.ended("render");
  return clock !== undefined &&
    received.origin?.isTimed === true &&
    standingOf(principal, snapshot).isAdministrator
    ? { ...rendered, headers: { ...rendered.headers, "Server-Timing": clock.text() } }
    : rendered;
}

async function explainRefusedStatement(
  error: unknown,
  { dependencies: { database }, caller }: Answering,
  { principal }: Rights,
  { compiled, context, parameters }: Execution,
): Promise<AppError> {
  const failed = failedStatement(compiled, context, parameters, database);
  const refusal = await explainFailure(error, failed);
  const codes = codesOf(refusal, error);
  await recordRefusedChange(database, compiled.plan, context.request, principal, caller, codes);
  return refusal;
}

function isRead(request: DataRequest): boolean {
  return actionOf(request) === "READ";
}
