import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "@rowhouse/db";
import type { McpCallFilter, RecordedMcpCall } from "./call.ts";
import { callJson, filterParameters, filterSql } from "./call-sql.ts";

/** What a poll found. */
export type McpCallChange =
  /** Calls that are new, oldest first; the first report may be empty. */
  | { readonly kind: "CALLS"; readonly cursor: string; readonly calls: readonly RecordedMcpCall[] }
  /** A poll found no call. */
  | { readonly kind: "IDLE" };

export interface WatchCallsOptions {
  /** The id of the call after which the watch begins; undefined for calls from now on. */
  readonly from: string | undefined;
  /** Ends the watch at once. */
  readonly signal: AbortSignal;
}

/** Calls in one report. */
const callsMax = 200;
/** The pause between two polls: it grows while there is no call. */
const pauseMinMs = 250;
const pauseMaxMs = 2000;

// The ids are in the order of the commits: the journal writes under a lock.
const pollSql = `
with last as materialized (select coalesce(max(id), 0) as id from system.mcp_calls)
select (select id::text from last) as last, coalesce((select json_agg(page.call order by page.id) from (
  select c.id, ${callJson} as call from system.mcp_calls c
  where ${filterSql} and c.id > coalesce($5::bigint, (select id from last)) and c.id <= (select id from last)
  order by c.id limit ${callsMax}) page), '[]') as calls`;

/** Reports the calls that pass a filter as they are recorded. One statement a poll. */
export async function* watchMcpCalls(
  database: Queryable,
  filter: McpCallFilter,
  { from, signal }: WatchCallsOptions,
): AsyncGenerator<McpCallChange, void, undefined> {
  let cursor = from;
  let isFirst = true;
  for (let pauseMs = pauseMinMs; !signal.aborted; ) {
    const [poll] = await database.query<{ last: string; calls: readonly RecordedMcpCall[] }>(
      pollSql,
      [...filterParameters(filter), cursor ?? null],
      { prepare: true },
    );
    if (poll === undefined) return;
    const { calls } = poll;
    const isFull = calls.length === callsMax;
    cursor = (isFull ? calls.at(-1)?.id : undefined) ?? poll.last;
    if (isFirst || calls.length > 0) yield { kind: "CALLS", cursor, calls };
    else yield { kind: "IDLE" };
    isFirst = false;
    if (isFull) continue;
    pauseMs = calls.length > 0 ? pauseMinMs : Math.min(pauseMs * 1.5, pauseMaxMs);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
