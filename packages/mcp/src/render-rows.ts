import type { BoundedRows } from "./bound-rows.ts";
import { notice } from "./define-tool.ts";
import type { ToolResult } from "./tool.ts";

export interface RenderOptions {
  /** What a caller can do if rows were left out. */
  readonly hint: string;
}

/** Returns rows as the result of a tool: the JSON of PostgreSQL, unparsed, between the other members. */
export function renderRows(
  { answer, rows, isTruncated }: BoundedRows,
  { hint }: RenderOptions,
): ToolResult {
  const { data, rows: _, ...meta } = answer;
  const rest = { ...meta, ...(isTruncated ? { truncated: true, hint } : {}), notice };
  return { json: `{"data":${data},${JSON.stringify(rest).slice(1)}`, rows };
}
