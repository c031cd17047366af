import { type Caller, callerKindOf, type Principal, writeName } from "@rowhouse/access";
import {
  appendAuditEntry,
  auditActions,
  type Database,
  isOfUserCode,
  type Parameter,
  type PostgresFailure,
  type Queryable,
  type Relation,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import {
  AppError,
  createError,
  createFault,
  type ErrorCode,
  type Fault,
  faultsMax,
} from "@rowhouse/errors";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { compileStatement, isAdministrative } from "../compile/compile-statement.ts";
import { answerTooLarge, type Statement, tooLargeState } from "../compile/statement.ts";
import { type CreateRequest, type DataRequest, rowIdOf } from "../parse/request.ts";
import { readRequestOf } from "../parse/typed-read.ts";
import { planRequest } from "../plan/plan-request.ts";
import { type BindingContext, bindParameters } from "./bind-parameters.ts";
import { findImpossibleValues, mayBeText } from "./find-impossible-values.ts";
import { findRefusedRows, isOfRow, isRepeatedKey, repeatedKeys } from "./find-refused-rows.ts";
import { failureOfCode, nameViolation, sentRowOf } from "./name-violation.ts";

/** A statement that PostgreSQL refused, and its origin. */
export interface FailedStatement {
  readonly statement: Statement;
  readonly plan: AuthorizedPlan;
  readonly request: DataRequest;
  readonly parameters: readonly Parameter[];
  /** The parameters of the statement for a request of the same shape. */
  readonly bind: (request: DataRequest) => Parameter[];
  readonly userId: string;
  readonly database: Database;
  /** All relations that the statement names. */
  readonly relations: readonly Relation[];
  /** Returns how many rows of a to-many relation of the one written row the caller may see; undefined if that is unknown. */
  readonly countRows: (relation: string) => Promise<number | undefined>;
}

/** Describes a statement that failed for `explainFailure`. */
export function failedStatement(
  { plan, statement }: Pick<FailedStatement, "plan" | "statement">,
  context: BindingContext,
  parameters: readonly Parameter[],
  database: Database,
): FailedStatement {
  const { request, principal, snapshot } = context;
  const relations = statement.scope.flatMap((oid) => snapshot.catalogue.relationByOid(oid) ?? []);
  return {
    ...{ statement, plan, request, parameters, database, relations, userId: principal.userId },
    bind: (other) => bindParameters(statement, { ...context, request: other }),
    countRows: (relation) => countRelated(relation, context, database),
  };
}

async function countRelated(
  relation: string,
  context: BindingContext,
  database: Queryable,
): Promise<number | undefined> {
  const { request, snapshot, principal, caller } = context;
  const id = rowIdOf(request);
  if (id === null) return undefined;
  const read = readRequestOf(request.target, id, [`${writeName(relation)}.count`]);
  const plan = authorizePlan(planRequest(read, snapshot.catalogue), snapshot, principal);
  const statement = compileStatement(plan, snapshot, callerKindOf(caller));
  const parameters = bindParameters(statement, { ...context, request: read });
  const [row] = await database.query<{ data: string | null }>(statement.text, parameters);
  const [counted] = Object.values(
    JSON.parse(row?.data ?? "{}") as Record<string, { count?: number }>,
  );
  return counted?.count === undefined ? undefined : Number(counted.count);
}

/**
 * Returns the caller's error for a statement that PostgreSQL refused. The rights must be proven before. If only
 * PostgreSQL can judge a value or a row, another statement tests these alone, so that the fault has a path.
 */
export async function explainFailure(error: unknown, failed: FailedStatement): Promise<AppError> {
  const { statement, plan, request, parameters, database } = failed;
  const known = toAppError(error, statement.relation);
  const failure = readPostgresFailure(error);
  if (
    (isWrite(request) && failure?.code === tooLargeState) ||
    failure?.code === "ERR_STRING_TOO_LONG"
  ) {
    return answerTooLarge(isWrite(request), error);
  }
  const exceeded = failure && exceededLimit(failure, isWrite(request), error);
  if (exceeded !== undefined) return exceeded;
  const isOfCode = failure !== undefined && isOfUserCode(failure);
  if (
    !isOfCode &&
    failure?.code === "42704" &&
    statement.text.includes("::regconfig") &&
    failure.routine !== "find_option"
  ) {
    return createError("QUERY_INVALID", {
      message: "There is no such text search configuration",
      cause: error,
    });
  }
  const isOfText = failure?.position !== undefined;
  if (!isOfCode && isOfText && (failure?.code === "42883" || failure?.code === "42725")) {
    return createError("QUERY_INVALID", {
      message: "An operator does not apply to its field",
      cause: error,
    });
  }
  if (failure?.code === "55000" && failure.routine === "ExecOpenScanRelation") {
    return createError("SERVICE_UNAVAILABLE", {
      message: "A materialized view has not been filled yet",
      headers: { "Retry-After": "10" },
      cause: error,
    });
  }
  // A foreign table that is read-only, or a published table without a replica identity.
  const isUnsupported =
    failure?.code === "0A000" ||
    (failure?.code === "55000" && !ofSession.has(failure.routine ?? ""));
  if (isWrite(request) && !isOfCode && isUnsupported) {
    return createError("ACTION_DENIED", {
      message: "The database does not let the service do this",
      cause: error,
    });
  }
  const isRepeated =
    isRepeatedKey(error) && !isOfCode && request.kind === "CREATE" && request.conflict !== null;
  if (isRepeated) return new AppError(faultsOfRepeated(request, plan), { cause: error });
  const found: Fault[] = [];
  if (known.code === "VALUE_INVALID" || failure?.code === "23514" || mayBeText(failure)) {
    const faults = await findImpossibleValues(statement, request, parameters, database);
    if (faults === "KEY") return createError("NOT_FOUND");
    found.push(...faults);
  }
  if (request.kind === "CREATE" && request.isList && (found.length > 0 || isOfRow(error))) {
    found.push(...(await faultsOfRows(failed, request, found)));
    found.sort((one, other) => positionOf(one) - positionOf(other));
  }
  const [first, ...rest] = found;
  if (first !== undefined) {
    return new AppError([first, ...rest], { cause: error, isLogged: known.isLogged });
  }
  // The impossible value is an attribute of the user.
  if (mayBeText(failure) && statement.text.includes('"$USER.')) {
    return createError("VALUE_INVALID", { cause: error });
  }
  if (
    known.code === "INTERNAL_ERROR" &&
    statement.requested.some(({ kind }) => kind === "FOREIGN_TABLE")
  ) {
    return createError("SERVICE_UNAVAILABLE", {
      message: "The server behind a foreign table refused the statement",
      headers: { "Retry-After": "10" },
      cause: error,
    });
  }
  if (known.code === "VALUE_INVALID" && !isWrite(request)) return uncomputable(failed, error);
  if (known.code === "INTERNAL_ERROR") {
    return failureOfCode(error, failed.relations, isWrite(request)) ?? known;
  }
  return nameViolation(error, plan, sentRowOf(request), database, failed.countRows);
}

/** States of computations, and how their causes are called. */
const causes: Readonly<Record<string, string>> = {
  "22003": "a number is out of range",
  "22008": "a date or time is out of range",
  "22012": "a division by zero",
};

/** The error of a read that fails although every value of its request is possible: it computes another value. */
function uncomputable({ plan, statement }: FailedStatement, error: unknown): AppError {
  const isOfView = statement.requested.some(({ resource }) => resource.kind === "VIEW");
  const what =
    plan.kind === "AGGREGATE"
      ? "A result of this aggregation"
      : `A ${isOfView ? "column of this view" : "computed value of these rows"}`;
  const cause = causes[readPostgresFailure(error)?.code ?? ""] ?? "an input has no valid form";
  return createError("VALUE_INVALID", {
    message: `${what} cannot be computed: ${cause}`,
    cause: error,
  });
}

function faultsOfRepeated(request: CreateRequest, plan: AuthorizedPlan): [Fault, ...Fault[]] {
  const message = "Another row of the list has the same key";
  // Rows outside the condition of a partial index may have the same fields.
  const isPartial = plan.kind === "CREATE" && plan.conflict?.predicate != null;
  const faults = (isPartial ? [] : repeatedKeys(request)).map((position) =>
    createFault("BODY_INVALID", { path: `/data/${position}`, message }),
  );
  const [first, ...rest] = faults;
  if (first !== undefined) return [first, ...rest.slice(0, faultsMax - 1)];
  // PostgreSQL considers the keys equal as values of their types, although their JSON texts differ.
  return [
    createFault("BODY_INVALID", {
      path: "/data",
      message: "Two rows of the list have the same key",
    }),
  ];
}

/** Returns the faults of the rows of a list that contain no impossible value. */
async function faultsOfRows(
  failed: FailedStatement,
  request: CreateRequest,
  found: readonly Fault[],
): Promise<Fault[]> {
  if (found.length >= faultsMax) return [];
  const faulty = new Set(found.map(positionOf));
  const positions = [...request.rows.keys()].filter((position) => !faulty.has(position));
  const faults = await findRefusedRows({ ...failed, request }, positions);
  return faults.slice(0, faultsMax - found.length);
}

/** Returns the position of a fault's row in its list. */
function positionOf({ path }: Fault): number {
  return Number(/^\/data\/([0-9]+)/.exec(path ?? "")?.[1] ?? 0);
}

function isWrite({ kind }: DataRequest): boolean {
  return kind === "CREATE" || kind === "UPDATE" || kind === "DELETE";
}

/**
 * Returns the caller's error for a statement that exceeds a limit of PostgreSQL: the length of a text, the depth of the stack,
 * or a number of columns. Undefined for any other failure.
 */
function exceededLimit(
  { code, routine = "" }: PostgresFailure,
  isWrite: boolean,
  cause: unknown,
): AppError | undefined {
  if (!code.startsWith("54")) return undefined;
  // A text of at most 1 GB, in which PostgreSQL builds the JSON of a response.
  if (routine === "enlargeStringInfo" && !isWrite) return answerTooLarge(false, cause);
  if (routine === "make_tsvector") {
    const message = "A text has too many words for a full-text search";
    return createError("QUERY_INVALID", { message, cause });
  }
  if (indexRoutines.has(routine)) {
    const message = "A value is too long for an index of its table";
    return createError("VALUE_INVALID", { message, cause });
  }
  return createError("QUERY_INVALID", { message: messages[code] ?? otherLimit, cause });
}

/** Of B-tree, GIN, and what all kinds of indexes share. */
const indexRoutines: ReadonlySet<string> = new Set([
  ...["_bt_check_third_page", "GinFormTuple", "index_form_tuple", "index_form_tuple_context"],
]);

const messages: Readonly<Record<string, string>> = {
  "54001": "The request, or a function that it runs, is nested too deep for the database",
  "54011": "The request has more columns than the database supports",
};

/** Functions of PostgreSQL that a default may call before its sequence has a value in the session. */
const ofSession: ReadonlySet<string> = new Set(["currval_oid", "lastval"]);

const otherLimit =
  "The request, or a value that it reads or writes, exceeds a limit of the database";

const verbs: Partial<Record<DataRequest["kind"], string>> = {
  CREATE: "create",
  UPDATE: "update",
  DELETE: "delete",
};

/**
 * Adds an audit entry if PostgreSQL refuses a change of an administrative record with ACTION_DENIED or CONFLICT. The
 * caller's grants permit the action, so a caller without rights cannot cause an entry. Any other refusal adds none.
 *
 * @param codes of all refusals: a response has only the first of them
 */
export async function recordRefusedChange(
  database: Queryable,
  plan: AuthorizedPlan,
  request: DataRequest,
  principal: Pick<Principal, "userId" | "tokenId">,
  { origin }: Caller,
  codes: readonly ErrorCode[],
): Promise<void> {
  const verb = verbs[plan.kind];
  if (verb === undefined || !isAdministrative(plan.relation)) return;
  if (!codes.includes("ACTION_DENIED") && !codes.includes("CONFLICT")) return;
  const kind = plan.relation.name.replace(/s$/, "");
  const action = auditActions.find((one) => one === `${kind}.${verb}`);
  if (action === undefined) return;
  const actor = {
    userId: principal.userId,
    tokenId: principal.tokenId,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
  };
  await appendAuditEntry(database, actor, {
    action,
    targetKind: kind,
    // Null for several records or a new one.
    targetId: rowIdOf(request)?.join("/") ?? null,
    changedFields: fieldsOf(plan),
    outcome: "FAILED",
  });
}

/** Returns the codes of a refusal and of its cause, which may concern a row beyond the faults of the response. */
export function codesOf(refusal: AppError, cause: unknown): readonly ErrorCode[] {
  return [toAppError(cause).code, ...refusal.faults.map(({ code }) => code)];
}

function fieldsOf(plan: AuthorizedPlan): readonly string[] {
  const groups = plan.kind === "CREATE" ? plan.groups : plan.kind === "UPDATE" ? [plan] : [];
  return [...new Set(groups.flatMap(({ sent }) => sent.map(({ column }) => column.name)))];
}
