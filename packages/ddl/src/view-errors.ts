import { readPostgresFailure, toAppError } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { isStatementsFault } from "./base/attempt.ts";
import { schemaNotFound } from "./require-schema.ts";
import { nameTaken } from "./verify-table.ts";

/**
 * Converts errors that can occur after the checks: a concurrent change, or a limit that only the statement itself
 * meets.
 */
export function toViewError(error: unknown, path: string): AppError {
  const code = readPostgresFailure(error)?.code ?? "";
  // 23505 is a unique index of the system catalog: another transaction took the name at the same moment.
  if (code === "42P07" || code === "42710" || code === "23505") {
    return nameTaken(error) as AppError;
  }
  if (code === "3F000") return schemaNotFound(error) as AppError;
  if (code === "42501") {
    const message = "The service's database login lacks the privilege for this";
    return createError("ACTION_DENIED", { message, cause: error });
  }
  if (code === "55P03") {
    const message = "The view, or a table that it reads, is locked; try again";
    return createError("CONFLICT", { path, message, cause: error });
  }
  if (code === "2BP01") {
    const message = "Other objects depend on this view";
    return createError("CONFLICT", { message, cause: error });
  }
  if (!isStatementsFault(code)) return toAppError(error);
  const message = "The database does not accept this";
  return createError("VALUE_INVALID", { path, message, cause: error });
}
