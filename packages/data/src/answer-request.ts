import { type Caller, standingOf } from "@rowhouse/access";
import { type Parameter, proofOf, type Queryable } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { answerTooLarge } from "./compile/answer-size.ts";
import { estimateRows } from "./compile/compile-estimate.ts";
import { takeMarks } from "./compile/cut-lists.ts";
import { recordRefusedChange } from "./compile/refused-change.ts";
import type { CompiledRequest, CompileRequest } from "./compile/statement-cache.ts";
import { type AnswerBudget, type Lease, smallAnswerBytes } from "./execute/answer-budget.ts";
import { type BindingContext, bindParameters } from "./execute/bind-parameters.ts";
import type { DataEngineDependencies } from "./execute/engine-dependencies.ts";
import { explainFailure, failedStatement } from "./execute/explain-failure.ts";
import { type Outcome, proveAndRepeat, type Rights } from "./execute/prove-and-repeat.ts";
import { Reservation } from "./execute/reservation.ts";
import { StageClock } from "./execute/stage-clock.ts";
import { openCursor } from "./parse/cursor.ts";
import type { DataRequest } from "./parse/request.ts";
import { underLimitsOf } from "./parse/request-limits.ts";
import { type AnswerRow, type DataAnswer, renderAnswer } from "./render/render-response.ts";

export interface AnswerDependencies extends DataEngineDependencies {
  readonly compile: CompileRequest;
  readonly budget: AnswerBudget;
}

export interface HeldAnswer {
  readonly answer: DataAnswer;
  /** Null for a small answer. */
  readonly lease: Lease | null;
}

/** The row of a statement: proof and version of the moment, and the data if both match the compiled ones. */
interface StatementRow extends AnswerRow {
  readonly proof: string;
  readonly version: string | null;
}

/** A request in progress, over all its attempts. */
interface Answering extends AnswerDependencies {
  readonly received: DataRequest;
  readonly caller: Caller;
  /** The transaction of someone else; undefined if the statement is its own. */
  readonly on: Queryable | undefined;
  /** Aborts a read. A write continues, because its caller may have left before it knew the result. */
  readonly signal: AbortSignal | undefined;
  readonly reservation: Reservation;
  readonly clock: StageClock | undefined;
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
  const { observer } = dependencies;
  const isTimed = observer !== undefined || received.isTimed === true;
  const reservation = new Reservation(dependencies.budget);
  const signal = isRead(received) ? received.signal : undefined;
  const answering: Answering = {
    ...dependencies,
    ...{ received, caller, on, signal, reservation },
    clock: isTimed ? new StageClock(observer?.stageEnded) : undefined,
  };
  try {
    const answer = await proveAndRepeat(dependencies, { caller, on, signal }, (rights) =>
      attemptAnswer(answering, rights),
    );
    return { answer, lease: reservation.lease };
  } catch (error) {
    reservation.release();
    throw error;
  }
}

async function attemptAnswer(answering: Answering, rights: Rights): Promise<Outcome<DataAnswer>> {
  const execution = await prepare(answering, rights);
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
  const { statement } = execution.compiled;
  const isSnapshotStale = row.proof !== proofOf(rights.snapshot, statement.scope);
  const isPrincipalStale = row.version !== rights.principal.version;
  if (isSnapshotStale || isPrincipalStale) {
    const part = { snapshot: isSnapshotStale, principal: isPrincipalStale };
    return { kind: "STALE", part };
  }
  return (await fits(answering, rights, execution, row))
    ? { kind: "PROVEN", value: render(answering, rights, execution, row) }
    : { kind: "REPEAT" };
}

/** Compiles and binds the request, and reserves the memory that its last response needed. */
async function prepare(
  { compile, received, caller, on, reservation, clock }: Answering,
  { snapshot, principal }: Rights,
): Promise<Execution> {
  const request = openCursor(underLimitsOf(received, snapshot), snapshot.cursorKey);
  const compiled = compile(request, snapshot, principal, caller);
  const settings = settingsOf(snapshot);
  const largest = settings["data.max_response_bytes"];
  const isBudgeted = isRead(request) && on === undefined;
  if (isBudgeted && compiled.largeBytes > reservation.bytes) {
    const bytesAtOnce = settings["data.max_response_bytes_at_once"];
    await reservation.reserve(Math.min(compiled.largeBytes, largest), bytesAtOnce);
  }
  const bytesMax = isBudgeted
    ? Math.min(Math.max(reservation.bytes, smallAnswerBytes), largest)
    : largest;
  const context = { request, snapshot, principal, caller };
  const parameters = bindParameters(compiled.statement, { ...context, bytesMax });
  compiled.uses += 1;
  clock?.ended("prepare");
  return { compiled, context, parameters, largest, bytesMax };
}

async function execute(
  { database, on, signal, clock }: Answering,
  { compiled, context, parameters }: Execution,
): Promise<StatementRow> {
  const { estimate, statement, uses } = compiled;
  const { userId } = context.principal;
  const queryable = on ?? database;
  const estimated =
    estimate === null
      ? null
      : await estimateRows(queryable, estimate, bindParameters(estimate, context), userId);
  const [row] = await queryable.query<StatementRow>(statement.text, parameters, {
    // A shape that occurs once is not worth a prepared statement on every connection.
    prepare: uses > 1,
    userId,
    signal,
  });
  clock?.ended("execute");
  if (row === undefined) throw createError("INTERNAL_ERROR");
  return { ...row, count: row.count ?? estimated };
}

/**
 * Returns whether the row holds the whole data; otherwise reserves the memory for the next attempt.
 *
 * @throws AppError if the response exceeds the setting `data.max_response_bytes`
 */
async function fits(
  { reservation }: Answering,
  { snapshot }: Rights,
  { compiled, largest, bytesMax }: Execution,
  row: StatementRow,
): Promise<boolean> {
  const size = Number(row.size ?? 0);
  compiled.largeBytes = size > smallAnswerBytes ? size : 0;
  if (size > largest) throw answerTooLarge(false);
  if (size <= bytesMax) return true;
  // The rows may have grown by the next attempt.
  const bytes = Math.min(Math.ceil(size * 1.125), largest);
  await reservation.reserve(bytes, settingsOf(snapshot)["data.max_response_bytes_at_once"]);
  return false;
}

function render(
  { received, clock }: Answering,
  { snapshot, principal }: Rights,
  { compiled, context }: Execution,
  row: StatementRow,
): DataAnswer {
  const { cuts } = compiled.statement;
  const shown = row.data === null ? row : { ...row, ...takeMarks(row.data, cuts) };
  const rendered = renderAnswer(context.request, shown, snapshot.cursorKey);
  clock?.ended("render");
  return clock !== undefined &&
    received.isTimed === true &&
    standingOf(principal, snapshot).isAdministrator
    ? { ...rendered, headers: { ...rendered.headers, "Server-Timing": clock.text() } }
    : rendered;
}

async function explainRefusedStatement(
  error: unknown,
  { database, caller }: Answering,
  { principal }: Rights,
  { compiled, context, parameters }: Execution,
): Promise<AppError> {
  const failed = failedStatement(compiled, context, parameters, database);
  const refusal = await explainFailure(error, failed);
  await recordRefusedChange(database, compiled.plan, context.request, principal, caller, refusal);
  return refusal;
}

function isRead({ kind }: DataRequest): boolean {
  return kind === "LIST" || kind === "AGGREGATE" || kind === "READ";
}
