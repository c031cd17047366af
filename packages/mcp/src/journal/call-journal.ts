import { advisoryLocks, type Queryable } from "@rowhouse/db";
import { createSerialTask, settleWithin } from "@rowhouse/limits";
import { toStorableText } from "@rowhouse/wire";
import type { McpCall } from "./call.ts";

export interface McpCallJournal {
  /** Takes a call. It returns at once; the call is written with others within a quarter of a second. */
  record(call: McpCall): void;
  /** Writes the calls that wait; resolves once no write is in progress. */
  idle(): Promise<void>;
  /** Writes the calls that wait, for at most five seconds. */
  close(): Promise<void>;
}

export interface McpCallJournalDependencies {
  readonly database: Queryable;
  /** Receives the error of a failed write, with the number of calls that it lost. */
  readonly report: (error: unknown, lost: number) => void;
}

/** Calls collect for this time, so that many calls are one statement. */
const collectMs = 250;
/** Calls of one statement. */
const batchMax = 500;
/** Calls that wait. While the database is away, the newest ones are dropped and counted. */
const waitingMax = 10_000;
const textMax = 200;
const closeMs = 5000;

// The lock puts the ids in the order of the commits, which the watch of calls relies on.
const insertSql = `
with lock as materialized (select pg_advisory_xact_lock(${advisoryLocks.mcpCalls}))
insert into system.mcp_calls (called_at, user_id, token_id, client_name, method, tool, outcome, code, duration_ms,
  row_count, byte_count, resource)
select c."at", c."userId", c."tokenId", c."clientName", c."method", c."tool", c."outcome", c."code", c."durationMs",
  c."rows", c."bytes", c."resource"
from lock, json_to_recordset($1::json) as c ("at" timestamptz, "userId" uuid, "tokenId" uuid, "clientName" text, "method" text,
  "tool" text, "outcome" text, "code" text, "durationMs" integer, "rows" bigint, "bytes" bigint, "resource" text)`;

/** Creates the journal of one process. */
export function createMcpCallJournal({
  database,
  report,
}: McpCallJournalDependencies): McpCallJournal {
  const waiting: McpCall[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const writing = createSerialTask(
    async () => {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, batchMax);
        const calls = JSON.stringify(batch.map(toStored));
        await database.query(insertSql, [calls], { prepare: true }).catch((error: unknown) => {
          report(error, batch.length);
        });
      }
      if (dropped === 0) return;
      const lost = dropped;
      dropped = 0;
      report(new Error("More calls arrived than the database accepted"), lost);
    },
    (error) => report(error, 0),
  );
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writing.trigger();
  };
  const idle = async (): Promise<void> => {
    flush();
    await writing.idle();
  };
  return {
    record: (call) => {
      if (waiting.length >= waitingMax) {
        dropped += 1;
        return;
      }
      waiting.push(call);
      timer ??= setTimeout(flush, collectMs).unref();
    },
    idle,
    close: () => settleWithin(closeMs, idle()),
  };
}

/** A caller chooses some of the texts: bounds them, and makes them storable. */
function toStored(call: McpCall): McpCall {
  return {
    ...call,
    clientName: bounded(call.clientName),
    method: bounded(call.method) ?? "",
    tool: bounded(call.tool),
    code: bounded(call.code),
    durationMs: Math.round(call.durationMs),
    resource: bounded(call.resource),
  };
}

function bounded(text: string | null): string | null {
  return text === null ? null : toStorableText(text.slice(0, textMax));
}
