/** A response of the protocol; `null` has no body. */
export interface RpcAnswer {
  readonly status: number;
  /** A message of JSON-RPC as text. */
  readonly body: string | null;
  /** Whether the message is an error of the protocol. */
  readonly isError: boolean;
}

/** Creates an error of JSON-RPC. */
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
