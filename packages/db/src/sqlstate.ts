import { AppError, createError, type ErrorCode, escapePointer } from "@rowhouse/errors";
import type { Relation } from "./catalogue/relation.ts";
import { unguardedState } from "./session-settings.ts";

/** Fields of the driver's error. They reach a caller only through the table below. */
export interface PostgresFailure {
  readonly code: string;
  readonly message: string;
  readonly constraint: string | undefined;
  readonly column: string | undefined;
  readonly table: string | undefined;
  readonly schema: string | undefined;
  /** The text that `raise … using detail` adds. */
  readonly detail: string | undefined;
  /** Whether PostgreSQL raised it, and not the driver. */
  readonly isOfServer: boolean;
  /** The function of PostgreSQL's source that raised the error; unlike the message, it is never translated. */
  readonly routine: string | undefined;
  /** The functions within which it was raised, the innermost first; PostgreSQL translates a part of the text. */
  readonly where: string | undefined;
  /** Position of the fault in the statement's text, in characters from 1. */
  readonly position: number | undefined;
}

/** Returns the fields of an error that PostgreSQL or its driver raised, or undefined for any other error. */
export function readPostgresFailure(error: unknown): PostgresFailure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return undefined;
  }
  const field = (name: string): string | undefined => {
    const value = (error as unknown as Record<string, unknown>)[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    code: error.code,
    message: error.message,
    constraint: field("constraint_name"),
    column: field("column_name"),
    table: field("table_name"),
    schema: field("schema_name"),
    detail: field("detail"),
    isOfServer: field("severity") !== undefined,
    routine: field("routine"),
    where: field("where"),
    position: Number(field("position") ?? Number.NaN) || undefined,
  };
}

/** Connection errors of postgres.js and Node: https://github.com/porsager/postgres#error-handling */
const connectionCodes: ReadonlySet<string> = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
]);

/** SQLSTATE → code: https://www.postgresql.org/docs/18/errcodes-appendix.html */
const codeOfState: Readonly<Record<string, ErrorCode>> = {
  // A database that was made read-only, as some providers do when its disk is full, or a primary that became a standby.
  "25006": "SERVICE_UNAVAILABLE",
  "23502": "REQUIRED_FIELD",
  "23503": "FOREIGN_KEY_VIOLATION",
  "23001": "FOREIGN_KEY_VIOLATION",
  "23505": "UNIQUE_VIOLATION",
  "23514": "CHECK_VIOLATION",
  "23P01": "CONFLICT",
  "2201B": "QUERY_INVALID",
  "22025": "QUERY_INVALID",
  // A view or a row security policy that refers to itself.
  "42P17": "CONFLICT",
  "42804": "VALUE_INVALID",
  "54000": "QUERY_INVALID",
  "54001": "QUERY_INVALID",
  "54011": "QUERY_INVALID",
  "54023": "QUERY_INVALID",
  "57014": "QUERY_TIMEOUT",
  "55P03": "CONFLICT",
  "40001": "SERVICE_UNAVAILABLE",
  "40P01": "SERVICE_UNAVAILABLE",
  // A table of another owner, or a row that its row security rejects.
  "42501": "ACTION_DENIED",
  // Node's error for a response of more than 512 MiB.
  ERR_STRING_TOO_LONG: "QUERY_INVALID",
  P0001: "CHECK_VIOLATION",
  [unguardedState]: "SERVICE_UNAVAILABLE",
  RH403: "ACTION_DENIED",
  RH409: "CONFLICT",
  // Triggers and functions of the user that want to be read.
  RU400: "CHECK_VIOLATION",
  RU403: "ACTION_DENIED",
  RU409: "CONFLICT",
};

const codeOfClass: Readonly<Record<string, ErrorCode>> = {
  "08": "SERVICE_UNAVAILABLE",
  "22": "VALUE_INVALID",
  "44": "CHECK_VIOLATION",
  "53": "SERVICE_UNAVAILABLE",
  "57": "SERVICE_UNAVAILABLE",
  // The source of a foreign table is unavailable: a file, another server, or a table there.
  "58": "SERVICE_UNAVAILABLE",
  HV: "SERVICE_UNAVAILABLE",
};

/**
 * The states that a function of the user's database chose: those outside PostgreSQL's own classes, and those of `strict`, a failed
 * `assert` and constraints that have no code above: https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const userState =
  /^(?!0[0-389ABFLPZ]|10|2[0-24-8BDF]|23000|3[489BDF]|4[024]|5[34578]|72|F0|HV|XX|P0000)/;

/** Returns the condition that a function of the user's database chose a state, as `toAppError` decides. */
export function isUserStateSql(state: string): string {
  return `${state} ~ '${userState.source}'`;
}

/**
 * Converts a database error into the error that the caller receives. With the written relation given, a failed check
 * returns its `checkMessage`, and a missing value returns the path of its column.
 *
 * @returns an `AppError`; an unknown error becomes `INTERNAL_ERROR` with the error as its cause
 */
export function toAppError(error: unknown, relation?: Relation): AppError {
  if (error instanceof AppError) return error;
  const failure = readPostgresFailure(error);
  if (failure === undefined) return createError("INTERNAL_ERROR", { cause: error });
  const code = codeOf(failure);
  if (code === "INTERNAL_ERROR" && isOfUserCode(failure)) return codeFailed(error);
  return createError(code, {
    cause: error,
    ...(code === "SERVICE_UNAVAILABLE" ? { headers: { "Retry-After": "1" } } : {}),
    ...describe(code, failure, relation),
  });
}

function codeOf(failure: PostgresFailure): ErrorCode {
  const { code, isOfServer } = failure;
  if (connectionCodes.has(code) || isWriteOnStandby(failure)) return "SERVICE_UNAVAILABLE";
  if (isOldHstoreFault(failure)) return "VALUE_INVALID";
  if (isSettingOfUser(failure)) return "CHECK_VIOLATION";
  const known = codeOfState[code] ?? codeOfClass[code.slice(0, 2)];
  return known ?? (isOfServer && userState.test(code) ? "CHECK_VIOLATION" : "INTERNAL_ERROR");
}

/** States of damaged data, which are faults of the installation wherever they are found. */
const damagedState = /^XX00[12]$/;

/** Lines of `where` that name a function, the innermost first; in other languages those of SQL have another form. */
const functionLine = /^.*\bPL\/.*$|^SQL function .*$/m;
/** Functions of the service, and statements that it sent to another server. */
const ownLine = /\bsystem\.|inline_code_block|remote SQL/i;

/** Whether a function that the database's users wrote, or a trigger, raised an error or ran the statement that did. */
export function isOfUserCode({ code, isOfServer, where = "" }: PostgresFailure): boolean {
  if (!isOfServer || damagedState.test(code)) return false;
  const [line] = functionLine.exec(where) ?? /^.*\bSQL\b.*$/m.exec(where) ?? [];
  return line !== undefined && !ownLine.test(line);
}

/** Returns the same as a condition on the state and the context of an error in a block of the service. */
export function isOfUserCodeSql(state: string, context: string): string {
  const line = `pg_catalog.substring(${context}, '(?n)^.*PL/.*$|^SQL function .*$')`;
  return String.raw`(${state} !~ '${damagedState.source}' and ${line} !~* '\msystem\.|inline_code_block|remote SQL')`;
}

/**
 * Whether PostgreSQL raised an error while it computed an expression, and did not refuse the statement's text: an expression of
 * a view, a default, a check or a policy leaves no function in the error.
 */
export function isOfExpression({ code, isOfServer, position }: PostgresFailure): boolean {
  return isOfServer && position === undefined && !damagedState.test(code);
}

/** The error of a trigger, view, rule or function of the database that fails; the log has its cause. */
export function codeFailed(cause: unknown): AppError {
  const message = "Code of the database (a trigger, view, rule, default or function) failed";
  return createError("CHECK_VIOLATION", { message, cause, isLogged: true });
}

/** Before PostgreSQL 16, hstore raises an internal error for an unreadable text; that message is never translated. */
function isOldHstoreFault({ code, message }: PostgresFailure): boolean {
  return code === "XX000" && /^(?:Unexpected end of string|Syntax error near )/.test(message);
}

/** Whether a transaction was begun to write on a server that became a standby. */
function isWriteOnStandby({ code, routine = "", isOfServer }: PostgresFailure): boolean {
  return isOfServer && code === "0A000" && routine === "call_bool_check_hook";
}

/** Whether a function of the user's database set a parameter, as a role, to a value that PostgreSQL rejects. */
function isSettingOfUser({ code, routine = "", where = "" }: PostgresFailure): boolean {
  return code === "22023" && /^call_[a-z]+_check_hook$/.test(routine) && where.includes("PL/pgSQL");
}

function describe(
  code: ErrorCode,
  failure: PostgresFailure,
  relation: Relation | undefined,
): { message?: string; path?: string; details?: Readonly<Record<string, unknown>> } {
  if (/^RU40[039]$/.test(failure.code)) return writtenByUser(failure);
  // Raised by triggers of the system schema with messages of ours. The Data API reveals only that an action is denied.
  if (failure.code === "RH403" && relation === undefined) return { message: failure.message };
  // A trigger of a user's table may not speak for the service.
  if (failure.code === "RH409" && (relation?.schema ?? "system") === "system") {
    return { message: failure.message };
  }
  if (failure.code === "ERR_STRING_TOO_LONG") {
    return { message: "The response would be too long: request fewer rows" };
  }
  if (failure.code === "42P17") {
    return { message: "A definition in the database refers to itself" };
  }
  if (failure.code === "42501") {
    return { message: "The database does not let the service do this" };
  }
  if (relation === undefined) return {};
  if (code === "CHECK_VIOLATION") {
    const check = relation.checks.find((candidate) => candidate.name === failure.constraint);
    return check?.message == null ? {} : { message: check.message };
  }
  if (code === "REQUIRED_FIELD" && failure.column !== undefined) {
    // For a column that the caller may not see, the error only states that a required field is missing.
    return relation.columnByName(failure.column) === undefined
      ? {}
      : { path: `/data/${escapePointer(failure.column)}` };
  }
  return {};
}

/** Maximum number of characters of a message or a detail that a function of the user writes. */
const writtenMax = 4000;

/** The message of `RU400`, `RU403` and `RU409`, and their detail if it is a JSON object. */
function writtenByUser({ message, detail }: PostgresFailure): {
  message: string;
  details?: Readonly<Record<string, unknown>>;
} {
  const written = { message: message.slice(0, writtenMax).toWellFormed() };
  if (detail === undefined || detail.length > writtenMax) return written;
  try {
    const details: unknown = JSON.parse(detail);
    const isObject = typeof details === "object" && details !== null && !Array.isArray(details);
    return isObject ? { ...written, details: details as Record<string, unknown> } : written;
  } catch {
    return written;
  }
}
