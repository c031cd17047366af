export type { AccessSource, McpAccess, McpIdentity } from "./access.ts";
export {
  createMcpServer,
  type McpRequest,
  type McpServer,
  type McpServerOptions,
} from "./create-mcp-server.ts";
export type { McpCallRecord, McpObserver } from "./observer.ts";
export type {
  AggregateTerms,
  ListTerms,
  McpPorts,
  PortCall,
  ResourceName,
  ResourceReader,
  RowReader,
  RowsAnswer,
} from "./ports.ts";
export { protocolError, type RpcAnswer } from "./protocol-error.ts";
export type {
  ActionAccess,
  FieldDescription,
  RelationDescription,
  ResourceDescription,
} from "./resource-description.ts";
export { type ToolName, toolNames } from "./tool.ts";
export type {
  RowWriter,
  SqlRunner,
  WorkflowRunner,
  WriteSelection,
  WrittenRows,
} from "./write-ports.ts";
