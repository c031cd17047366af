import { AppError, createError } from "@rowhouse/errors";
import type { SqlPart } from "./split-statements.ts";

/** SQLSTATE classes that concern the server, not the statement: files, memory, internal state. */
const inward = /^(?:53|58|F0|XX)/;

/**
 * Describes the failure of an administrator's own statement: PostgreSQL's message, the SQLSTATE, and the position in
 * the text. The location in the server's source code is omitted.
 *
 * @param index of the statement, from 0
 */
export function describeFailure(error: unknown, part: SqlPart, index: number): AppError {
  if (error instanceof AppError) {
    if (error.code !== "BODY_TOO_LARGE") return error;
    const message =
      "A row of the result is larger than sql_console.max_bytes; the run was rolled back";
    const details = { statement: index };
    return createError("SQL_FAILED", { path: "/data/sql", message, details, cause: error });
  }
  const fields = fieldsOf(error);
  if (fields === undefined) return createError("SERVICE_UNAVAILABLE", { cause: error });
  const { code, message, detail, hint, position } = fields;
  if (code === "57014") return createError("QUERY_TIMEOUT", { cause: error });
  const place = position === undefined ? {} : { position: part.offset + Number(position) };
  const words = inward.test(code)
    ? {}
    : { ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }) };
  return createError("SQL_FAILED", {
    path: "/data/sql",
    cause: error,
    message: inward.test(code) ? "The database could not run the statement" : (message ?? ""),
    details: { statement: index, sqlState: code, ...place, ...words },
  });
}

type Field = "code" | "message" | "detail" | "hint" | "position";

/** The fields of a PostgreSQL error; undefined for any other error, of which no detail is shown. */
function fieldsOf(
  error: unknown,
): (Partial<Record<Field, string>> & { readonly code: string }) | undefined {
  if (!(error instanceof Error) || !("severity" in error)) return undefined;
  const all = error as unknown as Record<Field, unknown>;
  const text = (field: Field) => {
    const value = all[field];
    return typeof value === "string" ? { [field]: value } : {};
  };
  if (typeof all.code !== "string") return undefined;
  return {
    code: all.code,
    ...text("message"),
    ...text("detail"),
    ...text("hint"),
    ...text("position"),
  };
}
