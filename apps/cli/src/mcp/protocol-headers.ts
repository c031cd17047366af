import { isObject, type Message } from "./message.ts";

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
export function protocolHeaders(
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
