import { toStorableText } from "@rowhouse/wire";
import type { Exchange } from "./exchange.ts";
import type { McpCallRecord } from "./observer.ts";
import type { RpcAnswer } from "./protocol-error.ts";
import { isObject } from "./rpc-message.ts";

const nameMax = 100;

/** Returns the entry of a request in the journal. */
export function recordOf(exchange: Exchange, answer: RpcAnswer, durationMs: number): McpCallRecord {
  const { access, message, tool } = exchange.parts;
  const { userId, tokenId, client } = access.identity;
  const isRefused = exchange.result.outcome === "SUCCEEDED" && answer.isError;
  return {
    at: new Date(Date.now() - durationMs),
    userId,
    tokenId,
    clientName: shortened(client?.name ?? statedName(message.params)),
    method: shortened(message.method) ?? "",
    tool: tool?.name ?? null,
    ...(isRefused ? { outcome: "REFUSED", code: "PROTOCOL" } : exchange.result),
    durationMs,
    rows: exchange.rows,
    bytes: answer.body === null ? 0 : Buffer.byteLength(answer.body),
    resource: shortened(exchange.resource),
  };
}

/** The name in the envelope of a request of 2026, or in `initialize` of 2025. */
function statedName(params: Readonly<Record<string, unknown>>): string | null {
  const envelope = member(params._meta, "io.modelcontextprotocol/clientInfo");
  const name = member(envelope ?? params.clientInfo, "name");
  return typeof name === "string" ? name : null;
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function shortened(text: string | null): string | null {
  return text === null ? null : toStorableText(text.slice(0, nameMax));
}
