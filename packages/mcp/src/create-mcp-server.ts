import { ProtocolError } from "@modelcontextprotocol/server";
import type { Caller } from "@rowhouse/access";
import type { AccessSource } from "./access.ts";
import { createLibraryAnswerer } from "./answer-by-library.ts";
import { callTool, type Report } from "./call-tool.ts";
import { createProtocolServer } from "./create-protocol-server.ts";
import { Exchange } from "./exchange.ts";
import type { McpObserver } from "./observer.ts";
import { type CallForm, formOfPlainCall } from "./plain-call.ts";
import type { McpPorts } from "./ports.ts";
import { protocolError, type RpcAnswer } from "./protocol-error.ts";
import { recordOf } from "./record-of.ts";
import { readMessage } from "./rpc-message.ts";
import { writeToolAnswer } from "./tool-answer.ts";
import { toolByName } from "./tools.ts";

export interface McpServerOptions {
  readonly ports: McpPorts;
  /** The version that the server states. */
  readonly version: string;
  readonly observer?: McpObserver | undefined;
  /** Receives unexpected errors. */
  readonly report: Report;
}

/** A request whose credential has the right form. */
export interface McpRequest {
  /** Its method and headers; the body was read. */
  readonly request: Request;
  /** The parsed body, with exact numbers. */
  readonly body: unknown;
  readonly caller: Caller;
  readonly source: AccessSource;
  readonly requestId: string;
}

export interface McpServer {
  /**
   * Answers one POST.
   *
   * @throws AppError NOT_FOUND while MCP is disabled, AUTHENTICATION_REQUIRED for an invalid credential
   */
  answer(request: McpRequest): Promise<RpcAnswer>;
}

/** Creates the server of `POST /mcp`. It keeps nothing between requests. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { ports, version, observer, report } = options;
  const serverInfo = { name: "rowhouse", title: "Rowhouse", version };
  const answerByLibrary = createLibraryAnswerer((exchange) =>
    createProtocolServer(exchange, serverInfo, report),
  );
  const answerPlainCall = async (exchange: Exchange, form: CallForm): Promise<RpcAnswer> => {
    const { id } = exchange.parts.message;
    try {
      const answer = await callTool(exchange, report);
      const body = writeToolAnswer(answer, id, { form, serverInfo });
      return { status: 200, body, isError: false };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return protocolError(200, error.code, error.message, id);
    }
  };
  return {
    answer: async ({ body, source, caller, request, requestId }) => {
      const started = performance.now();
      const message = readMessage(body);
      const tool = message?.method === "tools/call" ? toolByName(message.params.name) : undefined;
      const isProven = tool?.provesItself !== true;
      const access = await (isProven ? source.proven() : source.known());
      const refusal = refuse(body);
      if (refusal !== undefined) return refusal;
      const call = {
        caller,
        isAbandoned: () => request.signal.aborted,
        signal: () => request.signal,
      };
      const exchange = new Exchange({
        ...{ source, access, ports, call, requestId, tool, isProven },
        message: message ?? { method: "", params: {} },
      });
      const form =
        tool === undefined || message === undefined
          ? undefined
          : formOfPlainCall(request, body, message);
      const answer = await (form === undefined
        ? answerByLibrary(exchange, request, body)
        : answerPlainCall(exchange, form));
      if (exchange.failure !== undefined) throw exchange.failure;
      if (!exchange.isProven) await source.proven();
      observer?.(recordOf(exchange, answer, performance.now() - started));
      return answer;
    },
  };
}

/** Refuses what the protocol's library would serve and this server does not. */
function refuse(body: unknown): RpcAnswer | undefined {
  if (Array.isArray(body)) {
    return protocolError(400, -32_600, "A batch is not supported: send one message per request");
  }
  const message = readMessage(body);
  if (message?.method === "subscriptions/listen") {
    return protocolError(404, -32_601, "Method not found", message.id);
  }
  return undefined;
}
