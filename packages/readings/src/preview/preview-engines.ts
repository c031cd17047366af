import {
  type DataEngine,
  type DataPlaneOptions,
  type ExportEngine,
  openDataPlane,
} from "@rowhouse/data";
import { type Database, readPostgresFailure } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";

/** What reads the rows of previews, read-only. */
export interface PreviewEngines {
  readonly engine: ReadingEngine;
  /** Its callers give `readOnly`. */
  readonly exports: ExportEngine;
}

/** Creates the engines of previews. They record no use of a token. */
export function createPreviewEngines(
  parts: Pick<DataPlaneOptions, "database" | "snapshots" | "bounds">,
): PreviewEngines {
  const { engine, exports } = openDataPlane(parts);
  return { engine: readOnlyEngine(engine, parts.database), exports };
}

/** The part of the engine that reads. */
export type ReadingEngine = Pick<DataEngine, "answer" | "authorize">;

/** SQLSTATE `read_only_sql_transaction`. */
const readOnlyState = "25006";

/**
 * Returns the reading part of an engine whose statements run in read-only transactions. A statement that writes, such
 * as by a function of a view, fails with CONFLICT.
 */
function readOnlyEngine(engine: DataEngine, database: Database): ReadingEngine {
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
