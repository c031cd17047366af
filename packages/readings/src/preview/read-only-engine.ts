import type { DataEngine } from "@rowhouse/data";
import { type Database, readPostgresFailure } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";

/** The part of the engine that reads. */
export type ReadingEngine = Pick<DataEngine, "answer" | "authorize">;

/** SQLSTATE `read_only_sql_transaction`. */
const readOnlyState = "25006";

/**
 * Returns the reading part of an engine whose statements run in read-only transactions. A statement that writes, such
 * as by a function of a view, fails with CONFLICT.
 */
export function readOnlyEngine(engine: DataEngine, database: Database): ReadingEngine {
  return {
    authorize: engine.authorize,
    answer: (request, caller, on) =>
      on === undefined
        ? database
            .transaction((transaction) => engine.answer(request, caller, transaction), {
              readOnly: true,
            })
            .catch(explainWrite)
        : engine.answer(request, caller, on),
  };
}

/** @throws AppError CONFLICT if a read-only transaction refused a write; otherwise the error itself */
export function explainWrite(error: unknown): never {
  const failed = error instanceof AppError ? error.cause : error;
  if (readPostgresFailure(failed)?.code !== readOnlyState) throw error;
  throw createError("CONFLICT", {
    message: "The request writes, such as by a function of a view; a preview is read-only",
    cause: error,
  });
}
