import { isObject } from "@rowhouse/wire";

/** A message of JSON-RPC with exact numbers. */
export interface RpcMessage {
  readonly id?: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Reads a body as a message; undefined for anything else, which the protocol's library refuses. */
export function readRpcMessage(body: unknown): RpcMessage | undefined {
  if (!isObject(body) || typeof body.method !== "string") return undefined;
  const { id, method, params } = body;
  return { id, method, params: isObject(params) ? params : {} };
}

/** A response of the protocol; `null` has no body. */
export interface RpcAnswer {
  readonly status: number;
  /** A message of JSON-RPC as text. */
  readonly body: string | null;
  /** Whether the message is an error of the protocol. */
  readonly isError: boolean;
}

export function protocolError(
  status: number,
  code: number,
  message: string,
  id: unknown = null,
): RpcAnswer {
  const isId = typeof id === "string" || typeof id === "number";
  const error = { code, message };
  return {
    status,
    body: JSON.stringify({ jsonrpc: "2.0", id: isId ? id : null, error }),
    isError: true,
  };
}

/** What the server says of itself. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}
