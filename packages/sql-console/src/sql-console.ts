import { randomUUID } from "node:crypto";
import {
  type AuditActor,
  type AuditEntry,
  appendAuditEntry,
  makeChange,
  type SqlSession,
} from "@rowhouse/db";
import { AppError, createError, throwFaults } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";
import {
  type ConsoleLogin,
  type ConsoleSession,
  endBackend,
  openConsoleSession,
} from "./console-session.ts";
import { describeFailure } from "./describe-failure.ts";
import { blockedMsMax, guardLocks, type LockFault } from "./lock-guard.ts";
import { faultsOfText } from "./refuse-statement.ts";
import {
  readLoginSettings,
  requireOnlyRows,
  runStatements,
  touchedRelations,
} from "./run-statements.ts";
import { beginRun, endRun, markCancelled, placeRun, tooManyRuns } from "./runs-under-way.ts";
import { type SqlPart, splitStatements } from "./split-statements.ts";

/** A request of an administrator to the console. */
export interface SqlRequest {
  /** Chosen by the caller, who can cancel the run by it. */
  readonly id?: string | undefined;
  readonly sql: string;
  /** For a single statement only. */
  readonly parameters?: readonly (string | null)[] | undefined;
  /** Whether the transaction is read-only; true by default. */
  readonly readOnly?: boolean | undefined;
  /** Maximum rows of each result. */
  readonly rowsMax?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface SqlCaller {
  readonly userId: string;
  readonly actor: AuditActor;
  /** Aborted when the caller disconnects: the run is terminated. */
  readonly signal: AbortSignal;
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

/** Why a run was terminated from outside. */
type Ending = "TIMEOUT" | "GONE" | LockFault;

/** Twice the maximum number of runs; further ones would only wait. */
const beginningMax = 80;

/** Allowance for the size of a result beyond its values: a batch of rows is received before it is counted. */
const overheadBytes = 16_777_216;

export function createSqlConsole(login: ConsoleLogin): SqlConsole {
  const { database } = login;

  /** Maximum number of runs of this process that wait to start. */
  let beginning = 0;
  const begin = async (...parts: Parameters<typeof beginRun>) => {
    if (beginning >= beginningMax) throw tooManyRuns(parts[2]);
    beginning += 1;
    try {
      return await beginRun(...parts);
    } finally {
      beginning -= 1;
    }
  };

  const run: SqlConsole["run"] = async (request, settings, caller) => {
    const parts = splitStatements(request.sql);
    throwFaults(faultsOfText(parts, request.parameters));
    const id = request.id ?? randomUUID();
    const timeoutMs = Math.min(
      request.timeoutMs ?? settings["sql_console.default_timeout_ms"],
      settings["sql_console.max_timeout_ms"],
    );
    const left = await begin(
      database,
      { id, userId: caller.userId, timeoutMs },
      settings["sql_console.max_runs"],
    );
    for (const backend of left) await endBackend(login, backend);
    try {
      const limits = {
        rowsMax: Math.min(
          request.rowsMax ?? settings["sql_console.default_rows"],
          settings["sql_console.max_rows"],
        ),
        bytesMax: settings["sql_console.max_bytes"],
      };
      const ran = await runWithin(id, request, parts, { ...limits, timeoutMs }, caller);
      await endRun(database, id);
      return ran;
    } catch (error) {
      const cancelled = await endRun(database, id);
      await database.transaction((transaction) =>
        appendAuditEntry(transaction, caller.actor, {
          ...entryOf(id, request, parts, []),
          outcome: "FAILED",
        }),
      );
      if (cancelled) throw createError("SQL_CANCELLED", { cause: error });
      throw error;
    }
  };

  const runWithin = async (
    id: string,
    request: SqlRequest,
    parts: readonly SqlPart[],
    limits: { readonly rowsMax: number; readonly bytesMax: number; readonly timeoutMs: number },
    caller: SqlCaller,
  ): Promise<string> => {
    const { timeoutMs, bytesMax } = limits;
    const deadline = Date.now() + timeoutMs;
    const console = await openConsoleSession(login, {
      timeoutMs,
      statementBytesMax: bytesMax + overheadBytes,
    });
    let ending: Ending | undefined;
    let ended: Promise<void> | undefined;
    const end = (reason: Ending) => {
      ending ??= reason;
      ended ??= endBackend(login, console.backend).catch(() => console.session.close());
    };
    const onAbort = () => end("GONE");
    const timer = setTimeout(() => end("TIMEOUT"), Math.max(0, deadline - Date.now()));
    const endGuard = guardLocks(database, console.backend, end);
    caller.signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (caller.signal.aborted) onAbort();
      if (!(await placeRun(database, id, console.backend))) throw createError("SQL_CANCELLED");
      return await transact(id, request, parts, limits, caller, console);
    } catch (error) {
      if (ending === "TIMEOUT") throw createError("QUERY_TIMEOUT", { cause: error });
      if (ending === "BLOCKS" || ending === "TOO_MANY") {
        throw createError("SQL_CANCELLED", { message: lockSentences[ending], cause: error });
      }
      throw error;
    } finally {
      clearTimeout(timer);
      endGuard();
      caller.signal.removeEventListener("abort", onAbort);
      await ended;
      await console.session.close();
    }
  };

  const transact = async (
    id: string,
    request: SqlRequest,
    parts: readonly SqlPart[],
    limits: { readonly rowsMax: number; readonly bytesMax: number },
    caller: SqlCaller,
    { session, notices }: ConsoleSession,
  ): Promise<string> => {
    const readOnly = request.readOnly ?? true;
    await session.query(`begin ${readOnly ? "read only" : "read write"}`);
    // A transaction that has a snapshot cannot change from read-only to read-write.
    const loginSettings = await readLoginSettings(session);
    const startedAt = performance.now();
    const results = await runStatements(session, parts, request.parameters ?? [], limits);
    if (!readOnly) {
      await requireOnlyRows(session, loginSettings);
      await checkDeferred(session, parts);
    }
    const touched = await touchedRelations(session);
    // Written before the commit: an entry in the log may belong to a run that failed, but no run is missing from it.
    await database.transaction((transaction) =>
      appendAuditEntry(transaction, caller.actor, entryOf(id, request, parts, touched)),
    );
    await session.query(readOnly ? "rollback" : "commit");
    const durationMs = Math.round(performance.now() - startedAt);
    const head = JSON.stringify({ id, durationMs, notices });
    return `${head.slice(0, -1)},"results":[${results.join(",")}]}`;
  };

  return {
    run: async (request, settings, caller) => {
      try {
        return await run(request, settings, caller);
      } catch (error) {
        throw error instanceof AppError
          ? error
          : createError("SERVICE_UNAVAILABLE", { cause: error, headers: { "Retry-After": "1" } });
      }
    },
    cancel: async (id, actor) => {
      const backend = await makeChange(database, actor, async (transaction) => ({
        result: await markCancelled(transaction, id),
        entry: { action: "sql.cancel", targetKind: "sql", targetId: id },
      }));
      if (backend !== null) await endBackend(login, backend);
    },
  };
}

const lockSentences: Readonly<Record<LockFault, string>> = {
  BLOCKS: `Others waited longer than ${blockedMsMax / 1000} seconds for a lock of the run; it was rolled back`,
  TOO_MANY: "The run held too many locks at once; it was rolled back",
};

/** Deferred constraints fail here, with PostgreSQL's message. */
async function checkDeferred(session: SqlSession, parts: readonly SqlPart[]): Promise<void> {
  const last = parts.length - 1;
  const part = parts[last];
  try {
    await session.query("set constraints all immediate");
  } catch (error) {
    throw part === undefined ? error : describeFailure(error, part, last);
  }
}

/** Never the text: a statement contains values. */
function entryOf(
  id: string,
  request: SqlRequest,
  parts: readonly SqlPart[],
  touched: readonly string[],
): AuditEntry {
  const commands = [...new Set(parts.map(({ words }) => words[0] ?? ""))].sort();
  return {
    action: request.readOnly === false ? "sql.write" : "sql.read",
    targetKind: "sql",
    targetId: id,
    changedFields: [...commands, ...touched],
  };
}
