import { type AuditEntry, appendAuditEntry, type SqlSession } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { type ConsoleLogin, type ConsoleSession, openConsoleSession } from "./console-session.ts";
import { describeFailure } from "./describe-failure.ts";
import {
  readLoginSettings,
  requireOnlyRows,
  runStatements,
  touchedRelations,
} from "./run-statements.ts";
import { RunWatch } from "./run-watch.ts";
import { placeRun } from "./runs-under-way.ts";
import type { SqlPart } from "./split-statements.ts";
import type { SqlCaller, SqlRequest } from "./sql-request.ts";

/** A request that was admitted. */
export interface ConsoleRun {
  readonly id: string;
  readonly request: SqlRequest;
  readonly parts: readonly SqlPart[];
  readonly limits: {
    readonly rowsMax: number;
    readonly bytesMax: number;
    readonly timeoutMs: number;
  };
  readonly caller: SqlCaller;
}

/** Allowance for the size of a result beyond its values: a batch of rows is received before it is counted. */
const overheadBytes = 16_777_216;

/**
 * Executes an admitted run in its own session.
 *
 * @returns the JSON of id, results and notices
 * @throws AppError; SQL_FAILED, SQL_CANCELLED, QUERY_TIMEOUT
 */
export async function executeRun(login: ConsoleLogin, run: ConsoleRun): Promise<string> {
  const { timeoutMs, bytesMax } = run.limits;
  const deadline = Date.now() + timeoutMs;
  const console = await openConsoleSession(login, {
    timeoutMs,
    statementBytesMax: bytesMax + overheadBytes,
  });
  const watch = new RunWatch(login, console, { deadline, signal: run.caller.signal });
  try {
    if (!(await placeRun(login.database, run.id, console.backend))) {
      throw createError("SQL_CANCELLED");
    }
    return await transact(login, run, console);
  } catch (error) {
    throw watch.explain(error);
  } finally {
    await watch.close();
    await console.session.close();
  }
}

async function transact(
  { database }: ConsoleLogin,
  run: ConsoleRun,
  { session, notices }: ConsoleSession,
): Promise<string> {
  const { id, request, parts, limits, caller } = run;
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
    appendAuditEntry(transaction, caller.actor, entryOf(run, touched)),
  );
  await session.query(readOnly ? "rollback" : "commit");
  const durationMs = Math.round(performance.now() - startedAt);
  const head = JSON.stringify({ id, durationMs, notices });
  return `${head.slice(0, -1)},"results":[${results.join(",")}]}`;
}

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

/** Returns the audit entry of a run. It never contains the text: a statement contains values. */
export function entryOf(
  { id, request, parts }: Pick<ConsoleRun, "id" | "request" | "parts">,
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
