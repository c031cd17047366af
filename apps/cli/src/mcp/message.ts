import { readJson, writeJson } from "@rowhouse/client";

/** The parts of a JSON-RPC message that the bridge uses. The text is forwarded as it is, so that numbers keep every digit. */
export type Message = {
  readonly text: string;
  /** The id as JSON text; undefined for a notification. */
  readonly id: string | undefined;
  /** Undefined for a response to the server. */
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
};

/** Reads a line as a message; undefined if it is not a JSON object. */
export function readMessage(text: string): Message | undefined {
  const body = readObject(text);
  if (body === undefined) return undefined;
  return {
    text,
    id: body.id === undefined ? undefined : writeJson(body.id),
    method: typeof body.method === "string" ? body.method : undefined,
    params: isObject(body.params) ? body.params : {},
  };
}

/** Reads a JSON object with its own members only; undefined for any other text. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = readJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an error response of JSON-RPC. `id` is JSON text. */
export function errorMessage(id: string, error: { code: number; message: string }): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}
