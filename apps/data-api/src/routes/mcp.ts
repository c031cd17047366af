import { parseAuthorization } from "@rowhouse/access";
import { AppError, createError } from "@rowhouse/errors";
import {
  type JsonValue,
  jsonText,
  noContent,
  parseJson,
  readJsonBodyText,
  type Service,
  type ServiceEnvironment,
  standardHeaders,
} from "@rowhouse/http";
import {
  createMcpGate,
  type McpAccessDependencies,
  type McpGate,
  type McpServer,
  protocolError,
  type RpcAnswer,
} from "@rowhouse/mcp";
import type { Context } from "hono";
import { callerWith } from "../caller/request-headers.ts";

export interface McpRouteDependencies extends McpAccessDependencies {
  readonly mcp: McpServer;
}

/** `POST /mcp`. Its bodies are those of JSON-RPC, not the envelope. */
export function mountMcpRoute(service: Service, dependencies: McpRouteDependencies): void {
  // Any method: while MCP is disabled, the path does not exist.
  service.all("/mcp", (c) => answerMcp(c, dependencies));
}

async function answerMcp(
  c: Context<ServiceEnvironment>,
  dependencies: McpRouteDependencies,
): Promise<Response> {
  const request = c.req.raw;
  const { requestId } = c.env.edge;
  const authorization = request.headers.get("authorization");
  const credential = parseAuthorization(authorization);
  const caller =
    credential?.kind === "TOKEN"
      ? ({ ...callerWith(credential, c.env.edge), audience: "MCP" } as const)
      : undefined;
  const origin = request.headers.get("origin");
  const gate = createMcpGate(dependencies, { authorization, origin }, caller);
  if (request.method !== "POST") {
    await gate.challenge();
    throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: "POST" } });
  }
  const { "limits.body_bytes": bytesMax } = await gate.admit();
  if (caller === undefined) throw await gate.challenge();
  const body = await readBody(request, bytesMax, gate);
  if (body instanceof AppError) {
    return respond(protocolError(400, -32_700, body.message), requestId);
  }
  const answer = await dependencies.mcp.answer({ request, body, caller, source: gate, requestId });
  return respond(answer, requestId);
}

/** @returns an error of the body itself, which is one of the protocol */
async function readBody(
  request: Request,
  bytesMax: number,
  gate: McpGate,
): Promise<JsonValue | AppError> {
  try {
    return parseJson(await readJsonBodyText(request, { bytesMax }));
  } catch (error) {
    await gate.proven();
    if (error instanceof AppError && error.code === "BODY_INVALID") return error;
    throw error;
  }
}

function respond({ status, body }: RpcAnswer, requestId: string): Response {
  if (body !== null) return jsonText(status, body, requestId);
  if (status === 204) return noContent(requestId);
  return new Response(null, { status, headers: standardHeaders(requestId) });
}
