import { type Page, type PageRequest, type Queryable, readCursor, toPage } from "@rowhouse/db";
import type { McpCallFilter, RecordedMcpCall } from "./call.ts";
import { callJson, filterParameters, filterSql, isCallId } from "./call-sql.ts";

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
       and ($6::text is null or position(lower($6::text) in lower(concat_ws(' ', c.resource, c.client_name))) > 0)
     order by c.id desc limit $7::integer`,
    [...filterParameters(request), before, request.search, String(request.limit + 1)],
  );
  const calls = rows.map((row) => row.call);
  return toPage(calls, request.limit, (call) => [call.id]);
}
