import { isRecord } from "../errors/read-error.ts";
import { randomId } from "../json/random-id.ts";
import type { Transport } from "../request/transport.ts";
import { clientError } from "../request/transport.ts";
import type { UnknownField } from "../types/paths.ts";
import type { AnyResources } from "../types/resource.ts";
import type { CreateOptions } from "./write-options.ts";

declare const result: unique symbol;
declare const places: unique symbol;

/** One write of a batch, as `from(name).writes` makes it. Result: the type of its result; P: the places that it refers to */
export type BatchWrite<Result = unknown, P extends string = string> = {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** With its query. */
  readonly path: string;
  readonly data?: unknown;
  readonly ifMatch?: string | undefined;
  readonly [result]?: Result;
  readonly [places]?: P;
};

/** Each write if the fields exist that it refers to, else a message of the compiler with their places. */
export type ReferredWrites<W extends readonly BatchWrite[]> = {
  readonly [I in keyof W]: W[I] extends BatchWrite<unknown, infer P>
    ? UnknownPlaces<W, P> extends infer U
      ? [U] extends [never]
        ? W[I]
        : UnknownField<U>
      : never
    : W[I];
};

/** The places `write.field` or `write.row.field` that no result has. */
type UnknownPlaces<W extends readonly BatchWrite[], P extends string> = string extends P
  ? never
  : P extends `${infer I}.${infer F}`
    ? I extends keyof W
      ? W[I] extends BatchWrite<infer Result>
        ? F extends FieldOf<Result>
          ? never
          : P
        : never
      : P
    : never;

type FieldOf<Result> = Result extends { readonly rows: readonly (infer Row)[] }
  ? `${number}.${NameOf<Row>}`
  : Result extends { readonly row: infer Row }
    ? NameOf<Row>
    : never;

/** The names of every member of a union: a row, or the key alone. */
type NameOf<Row> = Row extends null ? never : keyof Row & string;

/** The results of the writes, in their order. */
export type BatchResults<W extends readonly BatchWrite[]> = {
  readonly [I in keyof W]: W[I] extends BatchWrite<infer Result> ? Result : never;
};

export type BatchOptions = Pick<
  CreateOptions<AnyResources, string>,
  "idempotencyKey" | "returning" | "signal"
>;

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
