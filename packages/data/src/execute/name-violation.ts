import {
  codeFailed,
  isOfExpression,
  type PostgresFailure,
  type Relation,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { type AppError, createError, escapePointer, type Fault } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { CreateRequest, DataRequest } from "../parse/request.ts";

/**
 * Creates the caller's error for a row that violates a constraint, with the names of the fields visible to the caller.
 */
export function nameViolation(
  error: unknown,
  plan: AuthorizedPlan,
  request: DataRequest,
): AppError {
  const known = toAppError(error, plan.relation);
  const failure = readPostgresFailure(error);
  if (known.code === "INTERNAL_ERROR") return failureOfCode(error, [plan.relation], true) ?? known;
  if (known.code === "REQUIRED_FIELD") {
    const column = requiredColumn(failure, plan);
    if (column === undefined) return createError("REQUIRED_FIELD", { cause: error });
    const isList = request.kind === "CREATE" && request.isList;
    const path = isList ? undefined : `/data/${escapePointer(column)}`;
    return createError("REQUIRED_FIELD", { path, cause: error });
  }
  if (known.code !== "UNIQUE_VIOLATION") return known;
  const fields = readableKey(failure, plan);
  return fields === undefined
    ? known
    : createError("UNIQUE_VIOLATION", { details: { fields }, cause: error });
}

/**
 * Returns the caller's error for an expression of the database's users that failed; undefined if the statement on these
 * relations computes none, or if PostgreSQL refused its text.
 */
export function failureOfCode(
  error: unknown,
  relations: readonly Relation[],
  isWrite: boolean,
): AppError | undefined {
  const failure = readPostgresFailure(error);
  if (failure === undefined || !isOfExpression(failure)) return undefined;
  return relations.some((relation) => computes(relation, isWrite)) ? codeFailed(error) : undefined;
}

/** Whether a statement on a relation computes expressions of the database's users. */
function computes(relation: Relation, isWritten: boolean): boolean {
  const { kind, schema, columns, checks, rowSecurity, runsCode } = relation;
  if (schema === "system") return false;
  if (kind === "VIEW" || rowSecurity !== null || runsCode.reads) return true;
  if (columns.some((column) => column.virtual)) return true;
  if (!isWritten) return false;
  const isComputed = columns.some(
    ({ hasDefault, generated, type }) => hasDefault || generated || type.domain,
  );
  return isComputed || checks.length > 0 || runsCode.writes;
}

export interface RowOfList {
  /** The pointer to the row. */
  readonly path: string;
  /** Whether the caller sent a value for the column. */
  readonly isSent: (column: string) => boolean;
}

/**
 * Creates the error for one row of a list: at the field that alone violates the constraint if the caller may see it,
 * else at the row.
 */
export function faultOfRow(
  error: unknown,
  plan: AuthorizedPlan,
  request: CreateRequest,
  row: RowOfList,
): Fault & { readonly path: string; readonly column: string | undefined } {
  const [fault] = nameViolation(error, plan, request).faults;
  const column = violatedColumn(error, plan, row.isSent);
  const path = column === undefined ? row.path : `${row.path}/${escapePointer(column)}`;
  return { ...fault, path, column };
}

function violatedColumn(
  error: unknown,
  plan: AuthorizedPlan,
  isSent: RowOfList["isSent"],
): string | undefined {
  const failure = readPostgresFailure(error);
  const only = (columns: readonly string[] | undefined): string | undefined =>
    columns?.length === 1 ? columns[0] : undefined;
  const named = (
    constraints: readonly { readonly name: string; readonly columns: readonly string[] }[],
  ) => only(constraints.find(({ name }) => name === failure?.constraint)?.columns);
  const { relation } = plan;
  // Values that the caller sent or may read are not secret. The fields of a key are, unless the caller may read all of
  // them.
  const mayKnow = (column: string | undefined): string | undefined =>
    column !== undefined && (isSent(column) || plan.read.fieldByName(column) !== undefined)
      ? column
      : undefined;
  switch (toAppError(error).code) {
    case "REQUIRED_FIELD":
      return requiredColumn(failure, plan);
    case "UNIQUE_VIOLATION":
      return only(readableKey(failure, plan));
    case "CHECK_VIOLATION":
      return mayKnow(named(relation.checks));
    case "FOREIGN_KEY_VIOLATION":
      return mayKnow(named(relation.foreignKeys));
    default:
      return undefined;
  }
}

/**
 * Returns the column of a missing value; undefined if it is hidden from the caller, whose error then names no field.
 */
function requiredColumn(
  failure: PostgresFailure | undefined,
  { relation, read, write }: AuthorizedPlan,
): string | undefined {
  const column = failure?.column;
  // The missing value may belong to another table that a trigger writes to.
  if (column === undefined || failure?.table !== relation.name) return undefined;
  const mayKnow =
    read.fieldByName(column) !== undefined ||
    (relation.columnByName(column) !== undefined &&
      write.some((grant) => grant.fields === null || grant.fields.has(column)));
  return mayKnow ? column : undefined;
}

/** The fields of a violated key, if the caller may read them all. */
function readableKey(
  failure: PostgresFailure | undefined,
  { relation, read }: AuthorizedPlan,
): readonly string[] | undefined {
  const key = relation.uniqueKeys.find(({ name }) => name === failure?.constraint);
  const mayKnow = key?.columns.every((name) => read.fieldByName(name)?.rows === null);
  return mayKnow === true ? key?.columns : undefined;
}
