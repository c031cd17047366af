import { isObject, type Message, readObject } from "./message.ts";

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

/**
 * Yields the messages of a response as lines of JSON text: its body, or the data of each event of an event stream. No
 * number is parsed.
 */
async function* responseTexts(response: Response): AsyncGenerator<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) {
    const text = await response.text();
    if (text.trim() !== "") yield oneLine(text);
    return;
  }
  let data: string[] = [];
  for await (const line of eventLines(response)) {
    if (line.startsWith("data:")) data.push(line.slice(5));
    if (line !== "" || data.length === 0) continue;
    const text = oneLine(data.join("\n"));
    data = [];
    // An event without data only sets the id of the stream.
    if (text !== "") yield text;
  }
}

async function* eventLines(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield* rest.split(/\r\n?|\n/);
}

/** Returns JSON text as one line; it has line ends only between its tokens. */
function oneLine(text: string): string {
  return text.trim().replace(/[\r\n]+/g, " ");
}

const versionKey = "io.modelcontextprotocol/protocolVersion";

/** The member of `params` that `Mcp-Name` repeats, by method. */
const nameMembers = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/**
 * Returns the headers that the protocol requires beside the body. From revision 2026-07-28 on they repeat what each
 * message states; before it, only the version is sent, as the server chose it in its response to `initialize`.
 *
 * @param chosen the version of the response to `initialize`, if there was one
 */
function protocolHeaders(
  { id, method, params }: Message,
  chosen: string | undefined,
): Readonly<Record<string, string>> {
  const meta = params._meta;
  const stated = isObject(meta) ? meta[versionKey] : undefined;
  if (typeof stated !== "string" || id === undefined || method === undefined) {
    const version = typeof stated === "string" ? stated : chosen;
    return version === undefined ? {} : { "MCP-Protocol-Version": version };
  }
  const name = params[nameMembers.get(method) ?? ""];
  return {
    "MCP-Protocol-Version": encoded(stated),
    "Mcp-Method": encoded(method),
    ...(typeof name === "string" ? { "Mcp-Name": encoded(name) } : {}),
  };
}

/** Encodes a text as a header value: as it is if it is printable ASCII, otherwise as Base64 of its UTF-8. */
function encoded(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
