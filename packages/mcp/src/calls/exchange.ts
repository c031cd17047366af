import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolCall } from "../backend/tool-call.ts";
import type { AccessSource, McpAccess } from "../base/access.ts";
import type { RpcMessage } from "../base/json-rpc.ts";
import type { AnyTool, McpBackend } from "./tool.ts";
import type { ToolAnswer } from "./tool-answer.ts";

/** The end of a request, for the journal. */
export interface ExchangeResult {
  readonly outcome: "SUCCEEDED" | "REFUSED" | "FAILED";
  readonly code: string | null;
}

/** The constant part of a request. */
export interface ExchangeParts {
  readonly source: AccessSource;
  readonly access: McpAccess;
  readonly backend: McpBackend;
  readonly call: ToolCall;
  readonly requestId: string;
  readonly message: RpcMessage;
  /** The tool that the request calls, offered or not. */
  readonly tool: AnyTool | undefined;
  readonly isProven: boolean;
}

/** The state of one request on its way through the protocol's library. */
export class Exchange {
  readonly parts: ExchangeParts;
  /** An error of HTTP, such as 401. It replaces the response of the protocol. */
  failure: unknown;
  /** Whether the rights of the request are proven. */
  isProven: boolean;
  result: ExchangeResult = { outcome: "SUCCEEDED", code: null };
  rows: number | null = null;
  resource: string | null = null;
  readonly #spliced: [placeholder: string, json: string][] = [];

  constructor(parts: ExchangeParts) {
    this.parts = parts;
    this.isProven = parts.isProven;
  }

  /**
   * Returns the result of a tool with placeholders for its JSON. The protocol's library would parse the JSON, write its
   * numbers as doubles, and copy the text several times.
   */
  placeholderOf({ json, isError }: ToolAnswer): CallToolResult {
    const marker = randomUUID();
    this.#spliced.push([`"${marker}"`, JSON.stringify(json)]);
    const content: CallToolResult["content"] = [{ type: "text", text: marker }];
    // A refusal is not the object that the tool's schema describes.
    if (isError) return { content, isError };
    this.#spliced.push([`{"${marker}":0}`, json]);
    return { content, structuredContent: { [marker]: 0 } };
  }

  /** Replaces the placeholders in a response. */
  splice(text: string): string {
    let spliced = text;
    for (const [placeholder, json] of this.#spliced) {
      const at = spliced.indexOf(placeholder);
      if (at === -1) continue;
      spliced = spliced.slice(0, at) + json + spliced.slice(at + placeholder.length);
    }
    return spliced;
  }
}
