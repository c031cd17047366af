import { readPostgresFailure, toAppError } from "@rowhouse/db";
import { refreshRegistry, runCatalogueStatement } from "@rowhouse/ddl";
import { createError } from "@rowhouse/errors";
import type { World } from "../../model/part.ts";
import type { Position } from "../../yaml/yaml-text.ts";

/** SQLSTATE of something that is not there yet: a schema, a relation, a column, a function, a type, an index. */
const absent = /^(?:3F000|42P01|42703|42883|42704|42P17|42830)$/;

/**
 * Runs statements of a file as the service's login. Its caller has a savepoint, or ends the transaction after a failure.
 *
 * @param position where the last of them stands in its file
 * @throws AppError with the place of the fault, and whether something is missing
 */
export async function runSqlStatements(
  { database }: Pick<World, "database">,
  statements: readonly string[],
  position: Position | undefined,
): Promise<void> {
  const last = statements.at(-1) ?? "";
  try {
    for (const sql of statements) await runCatalogueStatement(database, sql);
    await refreshRegistry(database);
  } catch (error) {
    throw asFault(error, last, position);
  }
}

/** The SQLSTATE of a failure that a fault was made of. */
export function sqlStateOf(error: unknown): string | undefined {
  return readPostgresFailure(error instanceof Error ? (error.cause ?? error) : error)?.code;
}

function asFault(error: unknown, sql: string, position: Position | undefined): unknown {
  const failure = readPostgresFailure(error);
  if (failure === undefined || !failure.isOfServer || /^(?:40|53|57|58|XX)/.test(failure.code)) {
    return toAppError(error);
  }
  const place = position && within(sql, position, failure.position);
  const details = { ...place, ...(absent.test(failure.code) ? { missing: true } : {}) };
  const code = failure.code === "42501" ? "ACTION_DENIED" : "VALUE_INVALID";
  // A caller who may run statements may read the messages of PostgreSQL about them.
  const message = `PostgreSQL does not accept this statement: ${failure.message}`;
  return createError(code, { path: "", message, details, cause: error });
}

/** The place of a character of a statement in its file; a character counts from 1. */
function within(sql: string, { line, column }: Position, character: number | undefined): Position {
  if (character === undefined) return { line, column };
  const lines = [...sql]
    .slice(0, character - 1)
    .join("")
    .split("\n");
  const last = lines.at(-1) ?? "";
  return lines.length === 1
    ? { line, column: column + last.length }
    : { line: line + lines.length - 1, column: last.length + 1 };
}
