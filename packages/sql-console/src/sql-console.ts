import { randomUUID } from "node:crypto";
import { type AuditActor, appendAuditEntry, makeChange } from "@rowhouse/db";
import { AppError, createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";
import { type ConsoleLogin, endBackend } from "./console-session.ts";
import { type ConsoleRun, entryOf, executeConsoleRun } from "./execute-run.ts";
import { beginRun, endRun, markCancelled, tooManyRuns } from "./runs-under-way.ts";
import { type SqlPart, splitStatements } from "./split-statements.ts";
import type { SqlCaller, SqlRequest } from "./sql-request.ts";

const transactionWords: ReadonlySet<string> = new Set([
  "BEGIN",
  "START",
  "COMMIT",
  "END",
  "ROLLBACK",
  "ABORT",
  "SAVEPOINT",
  "RELEASE",
]);

/**
 * Why a statement cannot run, or undefined. The login's privileges restrict statements; this rejects only those that
 * would end the run's transaction or use another protocol.
 */
function refusalOf({ words }: SqlPart): string | undefined {
  const [first = "", second = ""] = words;
  if (transactionWords.has(first) || (first === "PREPARE" && second === "TRANSACTION")) {
    return `${first} cannot be used here: the statements of a run are one transaction`;
  }
  if (first === "COPY") return "COPY cannot be used here: it reads and writes files and streams";
  return undefined;
}

const statementsMax = 100;

/** Returns the faults of a text before it runs. */
function faultsOfText(
  parts: readonly SqlPart[],
  parameters: readonly unknown[] | undefined,
): Fault[] {
  const path = "/data/sql";
  const faults: Fault[] = [];
  const refuse = (message: string, at = path) =>
    faults.push(createFault("BODY_INVALID", { path: at, message }));
  if (parts.length === 0) refuse("There is no statement");
  if (parts.length > statementsMax) refuse(`A run can have at most ${statementsMax} statements`);
  if (parts.length > 1 && parameters !== undefined) {
    refuse("Parameters require a single statement", "/data/parameters");
  }
  for (const part of parts) {
    const refusal = refusalOf(part);
    if (refusal !== undefined) refuse(refusal);
  }
  return faults;
}

/** Runs SQL of administrators under a separate database login. */
export interface SqlConsole {
  /**
   * Runs statements in one transaction, which is committed or rolled back as a whole.
   *
   * @returns the JSON of id, results and notices
   * @throws AppError; SQL_FAILED with PostgreSQL's message, SQL_CANCELLED, QUERY_TIMEOUT
   */
  run(request: SqlRequest, settings: Settings, caller: SqlCaller): Promise<string>;
  /**
   * Cancels a run in any process.
   *
   * @throws AppError NOT_FOUND for a run that is not in progress
   */
  cancel(id: string, actor: AuditActor): Promise<void>;
}

/** Twice the maximum number of runs; further ones would only wait. */
const beginningMax = 80;

export function createSqlConsole(login: ConsoleLogin): SqlConsole {
  const console = new Console(login);
  return {
    run: async (request, settings, caller) => {
      try {
        return await console.run(request, settings, caller);
      } catch (error) {
        throw error instanceof AppError
          ? error
          : createError("SERVICE_UNAVAILABLE", { cause: error, headers: { "Retry-After": "1" } });
      }
    },
    cancel: (id, actor) => console.cancel(id, actor),
  };
}

class Console implements SqlConsole {
  readonly #login: ConsoleLogin;
  /** Runs of this process that wait to start. */
  #beginning = 0;

  constructor(login: ConsoleLogin) {
    this.#login = login;
  }

  async run(request: SqlRequest, settings: Settings, caller: SqlCaller): Promise<string> {
    const parts = splitStatements(request.sql);
    throwFaults(faultsOfText(parts, request.parameters));
    const id = request.id ?? randomUUID();
    const limits = limitsOf(request, settings);
    const run = { id, request, parts, limits, caller };
    const left = await this.#begin(run, settings["sql_console.max_runs"]);
    for (const backend of left) await endBackend(this.#login, backend);
    return this.#execute(run);
  }

  async cancel(id: string, actor: AuditActor): Promise<void> {
    const backend = await makeChange(this.#login.database, actor, async (transaction) => ({
      result: await markCancelled(transaction, id),
      entry: { action: "sql.cancel", targetKind: "sql", targetId: id },
    }));
    if (backend !== null) await endBackend(this.#login, backend);
  }

  async #begin({ id, limits, caller }: ConsoleRun, runningMax: number) {
    if (this.#beginning >= beginningMax) throw tooManyRuns(runningMax);
    const run = { id, userId: caller.userId, timeoutMs: limits.timeoutMs };
    this.#beginning += 1;
    try {
      return await beginRun(this.#login.database, run, runningMax);
    } finally {
      this.#beginning -= 1;
    }
  }

  async #execute(run: ConsoleRun): Promise<string> {
    const { database } = this.#login;
    try {
      const executed = await executeConsoleRun(this.#login, run);
      await endRun(database, run.id);
      return executed;
    } catch (error) {
      const cancelled = await endRun(database, run.id);
      await database.transaction((transaction) =>
        appendAuditEntry(transaction, run.caller.actor, {
          ...entryOf(run, []),
          outcome: "FAILED",
        }),
      );
      if (cancelled) throw createError("SQL_CANCELLED", { cause: error });
      throw error;
    }
  }
}

function limitsOf(request: SqlRequest, settings: Settings): ConsoleRun["limits"] {
  return {
    rowsMax: Math.min(
      request.rowsMax ?? settings["sql_console.default_rows"],
      settings["sql_console.max_rows"],
    ),
    bytesMax: settings["sql_console.max_bytes"],
    timeoutMs: Math.min(
      request.timeoutMs ?? settings["sql_console.default_timeout_ms"],
      settings["sql_console.max_timeout_ms"],
    ),
  };
}
