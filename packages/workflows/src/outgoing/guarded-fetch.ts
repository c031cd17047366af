import type { HostRules, ResolveName } from "./address-guard.ts";
import { sendRequest } from "./send-request.ts";

/** A request with the fields that `fetch` accepts. A redirect is returned and not followed. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: ConstructorParameters<typeof Response>[0];
  readonly signal?: AbortSignal | undefined;
}

export interface GuardedFetchOptions {
  readonly rules: () => HostRules | Promise<HostRules>;
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
  readonly resolveName?: ResolveName;
}

export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<Response>;

/**
 * Returns a `fetch` with the limits of `sendRequest`, for libraries that accept a `fetch`. It throws what
 * `sendRequest` throws.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { rules, timeoutMs, responseBytesMax, resolveName } = options;
  return async (url, { method, headers, body, signal }) => {
    const bytes = body == null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
    const answer = await sendRequest(
      { method, url, headers, body: bytes, timeoutMs, responseBytesMax, redirectsMax: 0 },
      await rules(),
      signal,
      resolveName,
    );
    const isEmpty = answer.body.length === 0;
    return new Response(isEmpty ? null : Buffer.from(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}
