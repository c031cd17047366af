import type { RpcAnswer } from "./base/json-rpc.ts";
import type { McpRequest, McpServerOptions } from "./create-mcp-answer.ts";

export interface McpServer {
  /**
   * Answers one POST.
   *
   * @throws AppError NOT_FOUND while MCP is disabled, AUTHENTICATION_REQUIRED for an invalid credential
   */
  answer(request: McpRequest): Promise<RpcAnswer>;
}

/** Creates the server of `POST /mcp`. Protocol and tools are loaded with the first request. */
export function createMcpServer(options: McpServerOptions): McpServer {
  let loading: Promise<McpServer["answer"]> | undefined;
  return {
    answer: async (request) => {
      loading ??= import("./create-mcp-answer.ts").then((module) =>
        module.createMcpAnswer(options),
      );
      return (await loading)(request);
    },
  };
}
