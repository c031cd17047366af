import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { ServerInfo } from "../base/json-rpc.ts";
import type { CallForm } from "../base/plain-call.ts";

/** The answer of a tool to a call: its result, or its refusal. */
export interface ToolAnswer {
  /** A JSON object as text. */
  readonly json: string;
  readonly isError: boolean;
}

/** Writes the response of JSON-RPC to a call. Its bytes equal those that the protocol's library would write. */
export function writeToolAnswer(
  { json, isError }: ToolAnswer,
  id: unknown,
  { form, serverInfo }: { readonly form: CallForm; readonly serverInfo: ServerInfo },
): string {
  const text = `{"type":"text","text":${JSON.stringify(json)}}`;
  // A refusal is not the object that the tool's schema describes, and clients check what is stated there.
  const rest = isError ? ',"isError":true' : `,"structuredContent":${json}`;
  const stated =
    form === "STATELESS"
      ? `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`
      : "";
  return `{"result":{"content":[${text}]${rest}${stated}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
