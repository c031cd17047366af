import { isRecord } from "../errors/read-error.ts";
import { randomId } from "../json/random-id.ts";
import type { Transport } from "../request/transport.ts";
import { clientError } from "../request/transport.ts";
import type { CreateOptions } from "./write-options.ts";

declare const result: unique symbol;

/** One write of a batch, as `from(name).writes` makes it. `Result` is the type of its result. */
export type BatchWrite<Result = unknown> = {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** With its query. */
  readonly path: string;
  readonly data?: unknown;
  readonly ifMatch?: string;
  readonly [result]?: Result;
};

/** The results of the writes, in their order. */
export type BatchResults<W extends readonly BatchWrite[]> = {
  readonly [I in keyof W]: W[I] extends BatchWrite<infer Result> ? Result : never;
};

export type BatchOptions = Pick<CreateOptions, "idempotencyKey" | "returning" | "signal">;

/** Sends up to 100 writes as one transaction. */
export async function sendBatch<const W extends readonly BatchWrite[]>(
  transport: Transport,
  writes: W,
  options: BatchOptions = {},
): Promise<BatchResults<W>> {
  const { idempotencyKey = randomId(), returning, signal } = options;
  const request = {
    method: "POST",
    path: "/api/batch",
    body: { data: writes },
    headers: {
      "Idempotency-Key": idempotencyKey === false ? undefined : idempotencyKey,
      Prefer: returning === "minimal" ? "return=minimal" : undefined,
    },
    signal,
    repeatable: idempotencyKey === false ? "UNLESS_EXECUTED" : "ALWAYS",
  } as const;
  const { status, body } = await transport.json(request);
  const results = isRecord(body) ? body.data : undefined;
  if (!Array.isArray(results) || results.length !== writes.length) {
    const message = "The response does not have a result for each write";
    throw clientError(request, status, "RESPONSE_INVALID", message);
  }
  return results.map((each, index) => resultOf(each, writes[index])) as BatchResults<W>;
}

function resultOf(answer: unknown, write: BatchWrite | undefined): unknown {
  const { data, etag, meta } = isRecord(answer) ? answer : {};
  if (write?.method === "DELETE") return {};
  if (Array.isArray(data)) {
    const count = isRecord(meta) ? meta.count : undefined;
    return { rows: data, ...(typeof count === "number" ? { count } : {}) };
  }
  if (Array.isArray(write?.data)) return { rows: [] };
  return { row: data ?? null, ...(typeof etag === "string" ? { etag } : {}) };
}
