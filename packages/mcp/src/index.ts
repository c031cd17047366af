export { createMcpGate, type McpAccessDependencies, type McpGate } from "./base/gate.ts";
export { protocolError, type RpcAnswer } from "./base/json-rpc.ts";
export { type McpBackend, type ToolName, toolNames } from "./calls/tool.ts";
export type { McpRequest, McpServerOptions } from "./create-mcp-answer.ts";
export type {
  McpCall,
  McpCallFilter,
  McpCallOutcome,
  McpObserver,
  RecordedMcpCall,
} from "./journal/call.ts";
export { createMcpCallJournal, type McpCallJournal } from "./journal/call-journal.ts";
export {
  isCallId,
  listMcpCalls,
  type McpCallChange,
  purgeMcpCalls,
  watchMcpCalls,
} from "./journal/read-calls.ts";
export { createMcpServer, type McpServer } from "./mcp-server.ts";
