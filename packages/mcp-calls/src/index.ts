export type { McpCall, McpCallFilter, McpCallOutcome, RecordedMcpCall } from "./call.ts";
export { createMcpCallJournal, type McpCallJournal } from "./call-journal.ts";
export { isCallId } from "./call-sql.ts";
export { listMcpCalls } from "./list-calls.ts";
export { purgeMcpCalls } from "./purge-calls.ts";
export { type McpCallChange, watchMcpCalls } from "./watch-calls.ts";
