import { notice } from "../calls/define-tool.ts";
import type { ToolResult } from "../calls/tool.ts";

/** Renders a page of a search. @param items as JSON */
export function renderFound(items: readonly string[], nextCursor: string | undefined): ToolResult {
  const rest = JSON.stringify({ nextCursor, notice });
  return { json: `{"data":[${items.join(",")}],${rest.slice(1)}`, rows: items.length };
}
