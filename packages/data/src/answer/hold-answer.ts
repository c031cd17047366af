import { type Caller, standingOf } from "@rowhouse/access";
import { type Queryable, toAppError } from "@rowhouse/db";
import type { AppError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { isReadRequest } from "../authorize/authorize-plan.ts";
import { answerTooLarge } from "../compile/statement.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { openCursor, takeMarks, writeDeepCursor } from "../execute/cursor.ts";
import {
  codesOf,
  explainFailure,
  failedStatement,
  recordRefusedChange,
} from "../execute/explain-failure.ts";
import {
  type AnswerBudget,
  type Lease,
  Reservation,
  smallAnswerBytes,
} from "../execute/process-bounds.ts";
import {
  type BoundStatement,
  runBoundStatement,
  type StatementRow,
} from "../execute/run-statement.ts";
import type { SharedStatements } from "../execute/shared-statements.ts";
import type { CompiledRequest, CompileRequest } from "../execute/statement-cache.ts";
import { parseRequest, underSettingsOf } from "../parse/parse-request.ts";
import type { DataRequest } from "../parse/request.ts";
import { type DataAnswer, renderAnswer } from "../render/render-response.ts";
import { type DataEngineDependencies, StageClock } from "./engine-dependencies.ts";
import { type ProofOutcome, proveAndRepeat, type Rights } from "./prove-and-repeat.ts";

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
interface Execution extends BoundStatement {
  /** Bytes of a response at most, by the setting. */
  readonly largest: number;
}

/**
 * Answers one request: the stages of docs/architecture.md, repeated until their rights are proven.
 *
 * @returns the response, with a lease of its memory if it is a large one
 * @throws AppError of the contract
 */
export async function holdAnswer(
  dependencies: AnswerDependencies,
  received: DataRequest,
  caller: Caller,
  on?: Queryable,
): Promise<HeldAnswer> {
  const { observer, budget } = dependencies;
  const isTimed = observer !== undefined || received.origin?.isTimed === true;
  const reservation = new Reservation(budget);
  const isAbandoned = isReadRequest(received) ? received.origin?.isAbandoned : undefined;
  const clock = isTimed ? new StageClock(observer?.stageEnded) : undefined;
  const answering = { dependencies, received, caller, on, isAbandoned, reservation, clock };
  try {
    const answer = await proveAndRepeat(dependencies, answering, (rights) =>
      attemptAnswer(answering, rights),
    );
    return { answer, lease: reservation.lease };
  } catch (error) {
    reservation.release();
    throw toAppError(error);
  }
}

async function attemptAnswer(
  answering: Answering,
  rights: Rights,
): Promise<ProofOutcome<DataAnswer>> {
  const { reservation, clock } = answering;
  const bytesAtOnce = settingsOf(rights.snapshot)["data.max_response_bytes_at_once"];
  const compiled = compileAttempt(answering, rights);
  if (compiled.bytesExpected > reservation.bytes) {
    await reservation.reserve(compiled.bytesExpected, bytesAtOnce);
  }
  const execution = bindAttempt(answering, rights, compiled);
  clock?.ended("prepare");
  let row: StatementRow;
  try {
    row = await runBoundStatement(answering, execution);
  } catch (error) {
    return {
      kind: "FAILED",
      error,
      explain: (cause) => explainRefusedStatement(cause, answering, rights, execution),
    };
  }
  clock?.ended("execute");
  const isSnapshotStale = row.proof !== execution.compiled.proof;
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
  return { kind: "PROVEN", value: renderAttempt(answering, rights, execution, row) };
}

/** Compiles the request, and returns the bytes to reserve for its response: 0 for a small one. */
function compileAttempt(
  { dependencies, received, caller, on }: Answering,
  { snapshot, principal }: Rights,
): CompiledAttempt {
  const request = openCursor(underSettingsOf(snapshot, received, parseRequest), snapshot.cursorKey);
  const compiled = dependencies.compile(request, snapshot, principal, caller);
  const largest = settingsOf(snapshot)["data.max_response_bytes"];
  const isBudgeted = isReadRequest(request) && on === undefined;
  const bytesExpected = isBudgeted ? Math.min(compiled.largeBytes, largest) : 0;
  return { request, compiled, largest, isBudgeted, bytesExpected };
}

function bindAttempt(
  { caller, reservation }: Answering,
  { snapshot, principal, leftMs }: Rights,
  { request, compiled, largest, isBudgeted }: CompiledAttempt,
): Execution {
  const bytesMax = isBudgeted
    ? Math.min(Math.max(reservation.bytes, smallAnswerBytes), largest)
    : largest;
  const context = { request, snapshot, principal, caller, bytesMax };
  const parameters = bindParameters(compiled.statement, context, compiled.proof);
  // A statement of a narrowed snapshot is not worth preparing.
  if (snapshot.unrelatedSql === undefined) compiled.uses += 1;
  return { compiled, context, parameters, largest, bytesMax, leftMs };
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

function renderAttempt(
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
  const rendered = renderAnswer(request, shown, snapshot.cursorKey, compiled.plan);
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
