import {
  classifyInboundRequest,
  isJsonContentType,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isObject } from "@rowhouse/wire";
import type { RpcMessage } from "./json-rpc.ts";

/** The revision of the protocol that has no sessions and states itself in each request. */
const statelessRevision = "2026-07-28";

/** The members that a result has besides those of the tool: `STATELESS` since 2026, `SESSION` before. */
export type CallForm = "STATELESS" | "SESSION";

const paramsMembers: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

/**
 * Recognizes a `tools/call` that the protocol's library would pass to the tool: the library classifies it, and each
 * header and member that it checks afterwards has its plain form. Such a call needs neither a server nor a response of
 * the library, which take longer than reading the rows.
 *
 * @returns undefined for any other request, which the library answers
 */
export function formOfPlainCall(
  { method, headers }: Request,
  body: unknown,
  { params }: RpcMessage,
): CallForm | undefined {
  if (!isObject(body) || !hasPlainParams(params)) return undefined;
  if (!isJsonContentType(headers.get("content-type"))) return undefined;
  const [version, calledMethod, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map(
    (header) => headers.get(header) ?? undefined,
  );
  const route = classifyInboundRequest({
    httpMethod: method,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(calledMethod === undefined ? {} : { mcpMethodHeader: calledMethod }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
    body,
  });
  if (route.kind === "modern") {
    const isStated = version === statelessRevision && calledMethod === "tools/call";
    const isPlain = route.messageKind === "request" && isStated && name === params.name;
    return isPlain ? "STATELESS" : undefined;
  }
  if (route.kind !== "legacy" || route.reason !== "no-claim") return undefined;
  const isServed = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  return isServed && acceptsBoth(headers.get("accept")) ? "SESSION" : undefined;
}

function hasPlainParams(params: RpcMessage["params"]): boolean {
  if (!Object.keys(params).every((member) => paramsMembers.has(member))) return false;
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  return typeof name === "string" && isObject(given) && isObject(meta) && hasPlainToken(meta);
}

function hasPlainToken({ progressToken = 0 }: Readonly<Record<string, unknown>>): boolean {
  return typeof progressToken === "string" || Number.isSafeInteger(progressToken);
}

function acceptsBoth(accept: string | null): boolean {
  return accept?.includes("application/json") === true && accept.includes("text/event-stream");
}
