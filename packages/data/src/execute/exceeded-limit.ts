import type { PostgresFailure } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import { answerTooLarge } from "../compile/answer-size.ts";

/**
 * Returns the caller's error for a statement that exceeds a limit of PostgreSQL: the length of a text, the depth of the stack,
 * or a number of columns. Undefined for any other failure.
 */
export function exceededLimit(
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

const otherLimit =
  "The request, or a value that it reads or writes, exceeds a limit of the database";
