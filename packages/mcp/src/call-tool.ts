import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { AppError, renderError } from "@rowhouse/errors";
import type { McpAccess } from "./base/access.ts";
import type { Exchange } from "./calls/exchange.ts";
import type { AnyTool, PreparedCall, ToolResult } from "./calls/tool.ts";
import type { ToolAnswer } from "./calls/tool-answer.ts";

/** Receives unexpected errors, for the log. */
export type ReportToolError = (error: unknown, requestId: string) => void;

/**
 * Calls the tool of an exchange. A refusal is a result; an error that concerns the whole request, such as a credential
 * that has just become invalid, is stored as the failure of the exchange.
 *
 * @throws ProtocolError for a tool that does not exist for the caller
 */
export async function callTool(exchange: Exchange, report: ReportToolError): Promise<ToolAnswer> {
  const { access, source, tool } = exchange.parts;
  if (tool === undefined || !isOffered(tool, access)) throw unknownTool(exchange);
  try {
    const result = await run(exchange, tool);
    // The statement has proven the snapshot of this process, so its settings are those of this moment.
    if (tool.provesItself) await requireStillOffered(exchange, tool, source.known);
    exchange.rows = result.rows;
    return { json: result.json, isError: false };
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!exchange.isProven) await requireStillOffered(exchange, tool, source.proven);
    if (error instanceof AppError && error.status === 401) throw fail(exchange, error);
    return refuse(exchange, error, report);
  }
}

async function run(exchange: Exchange, tool: AnyTool): Promise<ToolResult> {
  const { access, backend, call, message, source } = exchange.parts;
  const prepared: PreparedCall = tool.prepare(message.params.arguments ?? {});
  exchange.resource = prepared.subject;
  return prepared.run({
    ...{ access, backend, call },
    bytesMax: async () => (await source.known()).settings["mcp.max_result_bytes"],
  });
}

async function requireStillOffered(
  exchange: Exchange,
  tool: AnyTool,
  currentAccess: () => Promise<McpAccess>,
): Promise<void> {
  let access: McpAccess;
  try {
    access = await currentAccess();
  } catch (error) {
    throw fail(exchange, error);
  }
  exchange.isProven = true;
  if (!isOffered(tool, access)) throw unknownTool(exchange);
}

function isOffered(tool: AnyTool, { settings, identity }: McpAccess): boolean {
  return tool.isOffered(settings, identity);
}

/** Stores the error as that of the whole request. */
function fail(exchange: Exchange, error: unknown): ProtocolError {
  exchange.failure = error;
  return new ProtocolError(ProtocolErrorCode.InternalError, "The request failed");
}

function unknownTool(exchange: Exchange): ProtocolError {
  exchange.result = { outcome: "REFUSED", code: "TOOL_UNKNOWN" };
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool: ${String(exchange.parts.message.params.name)}`,
  );
}

function refuse(exchange: Exchange, error: unknown, report: ReportToolError): ToolAnswer {
  const { requestId } = exchange.parts;
  const { body, unexpected, isLogged } = renderError(error, requestId);
  const { requestId: _, ...meta } = body.meta;
  if (isLogged) report(error, requestId);
  exchange.result = {
    outcome: unexpected ? "FAILED" : "REFUSED",
    code: body.errors[0]?.code ?? null,
  };
  const refusal = {
    errors: body.errors,
    ...(Object.keys(meta).length === 0 ? {} : { meta }),
  };
  return { json: JSON.stringify(refusal), isError: true };
}
