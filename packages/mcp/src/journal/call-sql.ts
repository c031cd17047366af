import type { Parameter } from "@rowhouse/db";
import type { McpCallFilter } from "./call.ts";

/** A row `c` of `system.mcp_calls` as JSON. */
export const callJson = `json_build_object('id', c.id::text, 'at', c.called_at, 'userId', c.user_id,
  'userName', (select coalesce(nullif(u.name, ''), u.email) from system.users u where u.id = c.user_id),
  'tokenId', c.token_id, 'tokenName', (select t.name from system.tokens t where t.id = c.token_id),
  'clientName', c.client_name, 'method', c.method, 'tool', c.tool, 'outcome', c.outcome, 'code', c.code,
  'durationMs', c.duration_ms, 'rows', c.row_count, 'bytes', c.byte_count, 'resource', c.resource)`;

/** The condition of a filter on a row `c`, with its parameters from `$1` to `$4`. */
export const filterSql = `($1::text is null or c.tool = $1::text) and ($2::text is null or c.outcome = $2::text)
  and ($3::uuid is null or c.user_id = $3::uuid) and ($4::uuid is null or c.token_id = $4::uuid)`;

/** The parameters of `filterSql`. */
export function filterParameters(filter: McpCallFilter): readonly Parameter[] {
  return [filter.tool, filter.outcome, filter.userId, filter.tokenId];
}

/** Whether a text is the id of a call, or 0. */
export function isCallId(text: string): boolean {
  return /^[0-9]{1,18}$/.test(text);
}
