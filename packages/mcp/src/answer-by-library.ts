import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createError } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import type { RpcAnswer } from "./base/json-rpc.ts";
import type { Exchange } from "./calls/exchange.ts";

/** Answers a request by the protocol's library. */
export type LibraryAnswerer = (
  exchange: Exchange,
  request: Request,
  body: unknown,
) => Promise<RpcAnswer>;

/**
 * Creates the side of the protocol's library.
 *
 * @param serverOf creates the server of one request
 */
export function createLibraryAnswerer(serverOf: (exchange: Exchange) => Server): LibraryAnswerer {
  const exchanges = new WeakMap<AuthInfo, Exchange>();
  const stateless = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo === undefined ? undefined : exchanges.get(authInfo);
      if (exchange === undefined) throw createError("INTERNAL_ERROR");
      return serverOf(exchange);
    },
    { legacy: "reject" },
  );
  const respond: (...request: Parameters<LibraryAnswerer>) => Promise<Response> = async (
    exchange,
    request,
    body,
  ) => {
    // The handler classifies the request itself; a claim of the new revision is never one of 2025.
    if (!claimsRevision(exchange) && (await isLegacyRequest(request, body))) {
      return answerSession(serverOf(exchange), request, body);
    }
    const authInfo: AuthInfo = { token: "", clientId: "", scopes: [] };
    exchanges.set(authInfo, exchange);
    return stateless.fetch(request, { authInfo, parsedBody: body });
  };
  return async (exchange, request, body) => {
    const response = await respond(exchange, request, body);
    if (exchange.failure !== undefined) throw exchange.failure;
    return readAnswer(response, exchange);
  };
}

/** Whether a request names a revision in its envelope, as all of them do since 2026. */
function claimsRevision({ parts }: Exchange): boolean {
  const envelope = parts.message.params._meta;
  return isObject(envelope) && Object.hasOwn(envelope, PROTOCOL_VERSION_META_KEY);
}

/** Answers a client of a revision of 2025 with one JSON body. */
async function answerSession(server: Server, request: Request, body: unknown): Promise<Response> {
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
  const { status } = response;
  if (status >= 500) throw createError("INTERNAL_ERROR");
  if (text === "") return { status, body: null, isError: status >= 400 };
  const isError = status >= 400 || "error" in JSON.parse(text);
  return { status, body: exchange.splice(text), isError };
}
