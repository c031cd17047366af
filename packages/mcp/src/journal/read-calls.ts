import { setTimeout as sleep } from "node:timers/promises";
import {
  type Database,
  deletePiecewise,
  type Page,
  type PageRequest,
  type Parameter,
  type Queryable,
  readCursor,
  toPage,
} from "@rowhouse/db";
import type { McpCallFilter, RecordedMcpCall } from "./call.ts";

/** A row `c` of `system.mcp_calls` as JSON. */
const callJson = `pg_catalog.json_build_object('id', c.id::text, 'at', c.called_at, 'userId', c.user_id,
  'userName', (select coalesce(nullif(u.name, ''), u.email) from system.users u where u.id = c.user_id),
  'tokenId', c.token_id, 'tokenName', (select t.name from system.tokens t where t.id = c.token_id),
  'clientName', c.client_name, 'method', c.method, 'tool', c.tool, 'outcome', c.outcome, 'code', c.code,
  'durationMs', c.duration_ms, 'rows', c.row_count, 'bytes', c.byte_count, 'resource', c.resource)`;

/** The condition of a filter on a row `c`, with its parameters from `$1` to `$4`. */
const filterSql = `($1::text is null or c.tool = $1::text) and ($2::text is null or c.outcome = $2::text)
  and ($3::uuid is null or c.user_id = $3::uuid) and ($4::uuid is null or c.token_id = $4::uuid)`;

/** The parameters of `filterSql`. */
function filterParameters(filter: McpCallFilter): readonly Parameter[] {
  return [filter.tool, filter.outcome, filter.userId, filter.tokenId];
}

/** Whether a text is the id of a call, or 0. */
export function isCallId(text: string): boolean {
  return /^[0-9]{1,18}$/.test(text);
}

/**
 * Lists calls, newest first; `search` matches resources and names of clients.
 *
 * @throws AppError QUERY_INVALID for a cursor of another list
 */
export async function listMcpCalls(
  database: Queryable,
  request: PageRequest & McpCallFilter,
): Promise<Page<RecordedMcpCall>> {
  const [before] = readCursor(request.cursor, [isCallId]);
  const rows = await database.query<{ call: RecordedMcpCall }>(
    `select ${callJson} as call from system.mcp_calls c
     where ${filterSql} and ($5::bigint is null or c.id < $5::bigint)
       and ($6::text is null or position(system.fold($6::text) in system.fold(pg_catalog.concat_ws(' ', c.resource, c.client_name))) > 0)
     order by c.id desc limit $7::integer`,
    [...filterParameters(request), before, request.search, String(request.limit + 1)],
  );
  const calls = rows.map((row) => row.call);
  return toPage(calls, request.limit, (call) => [call.id]);
}

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
with last as materialized (select coalesce(pg_catalog.max(id), 0) as id from system.mcp_calls)
select (select id::text from last) as last, coalesce((select pg_catalog.json_agg(page.call order by page.id) from (
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

/**
 * Deletes the calls that are older than a number of days.
 *
 * @param days `mcp.call_retention_days`
 */
export async function purgeMcpCalls(database: Database, days: number): Promise<void> {
  await deletePiecewise(database, {
    table: "system.mcp_calls",
    key: "id",
    where: "called_at <= system.clock() - make_interval(days => $1::text::integer)",
    parameters: [String(days)],
    skipsLocked: false,
  });
}
