import { isObject, type Message, readObject } from "./message.ts";
import { protocolHeaders } from "./protocol-headers.ts";
import { oneLine, responseTexts } from "./response-texts.ts";

/** Where messages are sent. */
export type Server = {
  /** Address of the MCP endpoint. */
  readonly url: string;
  readonly token: string;
  /** Protocol version of the response to `initialize`. */
  readonly version: string | undefined;
};

/** A message that the server did not process. Its text is for the person who configures the bridge. */
export class RefusedError extends Error {}

/**
 * Sends a message and yields the messages of the response as JSON text.
 *
 * @throws RefusedError if the server is unavailable, or its response is not of the protocol
 */
export async function* forward(
  message: Message,
  server: Server,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const response = await send(message, server, signal);
  if (response.ok) {
    for await (const text of responseTexts(response)) {
      // The output must have messages only, whatever server the address leads to.
      if (readObject(text)?.jsonrpc !== "2.0") throw refusal(response, {}, server.url);
      yield text;
    }
    return;
  }
  const text = await response.text();
  const body = readObject(text) ?? {};
  if (body.jsonrpc !== "2.0" || !isObject(body.error)) throw refusal(response, body, server.url);
  // Before the server has read the id, its error has none; the client waits for its own.
  if (message.id === undefined) throw new RefusedError(`${body.error.message}.`);
  const error = JSON.stringify(body.error);
  const hasId = body.id !== null && body.id !== undefined;
  yield hasId ? oneLine(text) : `{"jsonrpc":"2.0","id":${message.id},"error":${error}}`;
}

async function send(message: Message, server: Server, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(server.url, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${server.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...protocolHeaders(message, server.version),
      },
      body: message.text,
      signal,
      // A redirect could carry the rows of a call to another origin.
      redirect: "manual",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = reason instanceof Error ? reason.message : String(reason);
    throw new RefusedError(`${server.url} did not respond (${detail}).`);
  }
}

function refusal({ status }: Response, body: object, url: string): RefusedError {
  const { errors } = body as { readonly errors?: unknown };
  const [first] = Array.isArray(errors) ? errors : [];
  const code = isObject(first) && typeof first.code === "string" ? ` ${first.code}` : "";
  const reasons: Readonly<Record<number, string>> = {
    401: "the token is not valid, has expired, or is a session",
    404: "there is no MCP server, or the setting mcp.enabled is off",
  };
  const message = isObject(first) && typeof first.message === "string" ? first.message : undefined;
  const reason = reasons[status] ?? message ?? "the response is not of an MCP server";
  return new RefusedError(`${url} returned ${status}${code}: ${reason}.`);
}
