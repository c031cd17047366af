import type { Readable } from "node:stream";
import { z } from "zod";
import type { Scanner } from "./scanner.ts";

/** A request with a streamed body, which an app sends with the limits of outgoing requests. */
export interface HookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Readable;
  readonly bytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type SendToHook = (
  request: HookRequest,
) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

const findingLengthMax = 200;

/** The body of the response. Only `"clean": true` releases a file. */
const hookAnswer = z.object({ clean: z.boolean(), finding: z.string().optional() });

/** Creates a scanner that sends files to an HTTP hook by POST. */
export function createHookScanner(url: string, send: SendToHook): Scanner {
  return {
    scan: async (file) => {
      const headers = { "content-type": "application/octet-stream" };
      const { status, body } = await send({ ...file, url, headers });
      if (status !== 200) throw new Error(`The scan hook returned the status ${status}`);
      const { clean, finding } = hookAnswer.parse(JSON.parse(Buffer.from(body).toString()));
      if (clean) return { finding: null };
      return { finding: (finding || "Rejected by the scan hook").slice(0, findingLengthMax) };
    },
  };
}
