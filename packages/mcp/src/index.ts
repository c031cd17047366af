export {
  createMcpServer,
  type McpRequest,
  type McpServer,
  type McpServerOptions,
} from "./create-mcp-server.ts";
export { createMcpGate, type McpAccessDependencies, type McpGate } from "./gate.ts";
export type {
  McpCall,
  McpCallFilter,
  McpCallOutcome,
  McpObserver,
  RecordedMcpCall,
} from "./journal/call.ts";
export { createMcpCallJournal, type McpCallJournal } from "./journal/call-journal.ts";
export { isCallId } from "./journal/call-sql.ts";
export { listMcpCalls } from "./journal/list-calls.ts";
export { purgeMcpCalls } from "./journal/purge-calls.ts";
export { type McpCallChange, watchMcpCalls } from "./journal/watch-calls.ts";
export { protocolError, type RpcAnswer } from "./protocol-error.ts";
export { type McpBackend, type ToolName, toolNames } from "./tool.ts";
