import {
  codeFailed,
  isOfExpression,
  type Queryable,
  type Relation,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { AppError, createFault, type ErrorCode, escapePointer, type Fault } from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { DataRequest } from "../parse/request.ts";
import { findViolatedColumns } from "./violated-columns.ts";

/** The row in a request that violates a constraint. */
export interface WrittenRow {
  /** The pointer to the row. */
  readonly path: string;
  /** Whether the caller sent a value for the column. */
  readonly isSent: (column: string) => boolean;
}

/** Returns the one row of a write; undefined for a list, in which it is unknown. */
export function writtenRow(request: DataRequest): WrittenRow | undefined {
  if (request.kind === "UPDATE") {
    return { path: "/data", isSent: (column) => request.values.has(column) };
  }
  if (request.kind !== "CREATE" || request.isList) return undefined;
  return { path: "/data", isSent: (column) => request.rows[0]?.has(column) === true };
}

/**
 * Creates the caller's error for a write that violates a constraint: at the field, if it is known which one is wrong.
 *
 * @param row undefined if the violating row is unknown: the error then has no path
 * @param on not the transaction that failed
 */
export async function nameViolation(
  error: unknown,
  plan: AuthorizedPlan,
  row: WrittenRow | undefined,
  on: Queryable,
): Promise<AppError> {
  const known = toAppError(error, plan.relation);
  if (known.code === "INTERNAL_ERROR") return failureOfCode(error, [plan.relation], true) ?? known;
  if (!isOfConstraint(error)) return known;
  const place = await findPlace(error, plan, row, on);
  return new AppError([faultAt(place, known.faults[0], place.isKnown ? row : undefined)], {
    cause: error,
  });
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

/**
 * Creates the fault of one row of a list: at its field if it is known which one is wrong, else at the row.
 *
 * @param on not the transaction that failed
 */
export async function faultOfRow(
  error: unknown,
  plan: AuthorizedPlan,
  row: WrittenRow,
  on: Queryable,
): Promise<Fault & { readonly path: string; readonly column: string | undefined }> {
  const place = isOfConstraint(error) ? await findPlace(error, plan, row, on) : nowhere;
  const known = toAppError(error, plan.relation);
  const [fault] =
    known.code === "INTERNAL_ERROR"
      ? (failureOfCode(error, [plan.relation], true) ?? known).faults
      : known.faults;
  return { path: row.path, ...faultAt(place, fault, row), column: place.column };
}

/** States of violated constraints. */
function isOfConstraint(error: unknown): boolean {
  return readPostgresFailure(error)?.code.startsWith("23") === true;
}

/** The place of a violation in a row, as far as its caller may know it. */
interface Place {
  /** The only field of the constraint, or the only one that the caller sent. */
  readonly column: string | undefined;
  /** All fields of the constraint; undefined if one of them is hidden. */
  readonly fields: readonly string[] | undefined;
  /** Whether the caller may know any field of it. */
  readonly isKnown: boolean;
}

const nowhere: Place = { column: undefined, fields: undefined, isKnown: false };

function faultAt(
  { column, fields }: Place,
  { code, message, details }: Fault,
  row: WrittenRow | undefined,
): Fault {
  const end = column === undefined ? "" : `/${escapePointer(column)}`;
  const isTelling = fields !== undefined && (fields.length > 1 || code === "UNIQUE_VIOLATION");
  return createFault(code, {
    message,
    path: row === undefined ? undefined : `${row.path}${end}`,
    details: isTelling ? { fields } : details,
  });
}

async function findPlace(
  error: unknown,
  plan: AuthorizedPlan,
  row: WrittenRow | undefined,
  on: Queryable,
): Promise<Place> {
  const failure = readPostgresFailure(error);
  const found = failure && (await findViolatedColumns(failure, plan.relation, on));
  if (found === undefined) return nowhere;
  const isSent = row?.isSent ?? (() => false);
  const columns =
    found.own.length === 0 || (!found.own.some(isSent) && found.referenced.some(isSent))
      ? found.referenced
      : found.own;
  const known = columns.filter(knowledgeOf(toAppError(error).code, plan, isSent, columns));
  const sent = known.filter(isSent);
  const [only] = sent.length === 1 ? sent : columns.length === 1 ? known : [];
  const isWhole = known.length > 0 && known.length === columns.length;
  return { column: only, fields: isWhole ? columns : undefined, isKnown: known.length > 0 };
}

/** Returns whether the caller may know that a constraint has a column. */
function knowledgeOf(
  code: ErrorCode,
  { relation, read, write }: AuthorizedPlan,
  isSent: (column: string) => boolean,
  columns: readonly string[],
): (column: string) => boolean {
  switch (code) {
    case "REQUIRED_FIELD":
      return (column) =>
        read.fieldByName(column) !== undefined ||
        (relation.columnByName(column) !== undefined &&
          write.some((grant) => grant.fields === null || grant.fields.has(column)));
    case "CHECK_VIOLATION":
    case "FOREIGN_KEY_VIOLATION":
      // Values that the caller sent or may read are not secret.
      return (column) => isSent(column) || read.fieldByName(column) !== undefined;
    default: {
      // The values of the other row are those that the caller sent: a key of fields that it may read tells nothing new.
      const mayKnow = columns.every((column) => read.fieldByName(column) !== undefined);
      return () => mayKnow;
    }
  }
}
