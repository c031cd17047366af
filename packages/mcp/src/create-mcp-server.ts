import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Caller } from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { AccessSource } from "./access.ts";
import type { Report } from "./call-tool.ts";
import { createProtocolServer } from "./create-protocol-server.ts";
import { Exchange, readMessage } from "./exchange.ts";
import type { McpObserver } from "./observer.ts";
import type { McpPorts } from "./ports.ts";
import { protocolError, type RpcAnswer } from "./protocol-error.ts";
import { recordOf } from "./record-of.ts";
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
  const exchanges = new WeakMap<AuthInfo, Exchange>();
  const serverOf = (exchange: Exchange) => createProtocolServer(exchange, version, report);
  const modern = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo === undefined ? undefined : exchanges.get(authInfo);
      if (exchange === undefined) throw createError("INTERNAL_ERROR");
      return serverOf(exchange);
    },
    { legacy: "reject" },
  );
  const respond = async ({ request, body }: McpRequest, exchange: Exchange): Promise<Response> => {
    // The handler classifies the request itself; a claim of the new revision is never one of 2025.
    if (!claimsRevision(exchange) && (await isLegacyRequest(request, body))) {
      return answerLegacy(serverOf(exchange), request, body);
    }
    const authInfo: AuthInfo = { token: "", clientId: "", scopes: [] };
    exchanges.set(authInfo, exchange);
    return modern.fetch(request, { authInfo, parsedBody: body });
  };
  return {
    answer: async (received) => {
      const started = performance.now();
      const { body, source, caller, request, requestId } = received;
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
      const response = await respond(received, exchange);
      if (exchange.failure !== undefined) throw exchange.failure;
      if (!exchange.isProven) await source.proven();
      const answer = await readAnswer(response, exchange);
      observer?.(recordOf(exchange, answer, performance.now() - started));
      return answer;
    },
  };
}

/** Whether a request names a revision in its envelope, as all of them do since 2026. */
function claimsRevision({ parts }: Exchange): boolean {
  const envelope = parts.message.params._meta;
  return (
    typeof envelope === "object" &&
    envelope !== null &&
    Object.hasOwn(envelope, PROTOCOL_VERSION_META_KEY)
  );
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

/** Answers a client of a revision of 2025 with one JSON body. */
async function answerLegacy(
  server: ReturnType<typeof createProtocolServer>,
  request: Request,
  body: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

async function readAnswer(response: Response, exchange: Exchange): Promise<RpcAnswer> {
  const text = await response.text();
  if (response.status >= 500) throw createError("INTERNAL_ERROR");
  return {
    status: response.status,
    body: text === "" ? null : exchange.splice(text),
  };
}
