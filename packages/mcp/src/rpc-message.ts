/** A message of JSON-RPC with exact numbers. */
export interface RpcMessage {
  readonly id?: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Reads a body as a message; undefined for anything else, which the protocol's library refuses. */
export function readMessage(body: unknown): RpcMessage | undefined {
  if (!isObject(body) || typeof body.method !== "string") return undefined;
  const { id, method, params } = body;
  return { id, method, params: isObject(params) ? params : {} };
}

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
