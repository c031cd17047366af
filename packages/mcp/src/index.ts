export type { AccessSource, McpAccess, McpIdentity, McpScope } from "./access.ts";
export {
  createMcpServer,
  type McpRequest,
  type McpServer,
  type McpServerOptions,
} from "./create-mcp-server.ts";
export type { McpCallRecord, McpObserver } from "./observer.ts";
export type {
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
  FieldDescription,
  RelationDescription,
  ResourceDescription,
} from "./resource-description.ts";
export { type ToolName, toolNames } from "./tool.ts";
