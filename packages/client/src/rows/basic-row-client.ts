import { isRecord } from "../errors/read-error.ts";
import { randomId } from "../json/random-id.ts";
import type { CallOptions } from "../request/client-options.ts";
import { type Answer, clientError, type Outgoing, type Transport } from "../request/transport.ts";
import type {
  AggregateRow,
  AggregateTerm,
  CheckedTerms,
  GroupName,
  GroupTerms,
  Having,
  ResultNames,
} from "../types/aggregate.ts";
import type { Deep } from "../types/deep.ts";
import type { Selected } from "../types/fields.ts";
import type { FilterArgument } from "../types/filter.ts";
import type { OrderOfResults, Valid } from "../types/paths.ts";
import type { ChangeOf, KeyOf, KeyValue, NewOf, WrittenOf } from "../types/resource.ts";
import { affectedQuery, keySegment } from "./address.ts";
import { Page, type PageOptions } from "./page.ts";
import {
  type GetOptions,
  type ListOptions,
  type Order,
  type ReadParts,
  readQuery,
  readRequest,
} from "./read-options.ts";
import type {
  Affected,
  CreateOptions,
  MatchOptions,
  Removed,
  RemoveOptions,
  RemoveRowOptions,
  Returned,
  RowOptions,
  RowOrNotModified,
  RowResult,
  UpsertOptions,
  WriteOptions,
  Written,
  WrittenRows,
} from "./write-options.ts";

/** The terms `A` and `G` name the results, by which `having` and `orderBy` select and order the groups. */
export type AggregateOptions<
  R,
  N extends keyof R,
  A extends readonly string[],
  G extends readonly string[],
  W,
  O,
> = CallOptions & {
  readonly aggregate: Valid<A, CheckedTerms<R, N, A>>;
  readonly groupBy?: Valid<G, GroupTerms<R, N, G>> | undefined;
  /** Names the truncated dates of the groups in the caller's time zone: `2026-02`. */
  readonly labels?: "local" | undefined;
  /** As for a list. */
  readonly ifNoneMatch?: string | null | undefined;
  readonly where?: FilterArgument<R, N, W> | undefined;
  /** A filter on the results, by their names: `{ sum_price: { _gt: 10 } }`. */
  readonly having?: Having<ResultNames<R, N, A[number]>> | undefined;
  readonly orderBy?:
    | Valid<O, OrderOfResults<O, ResultNames<R, N, A[number]> | GroupName<G[number]>>>
    | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly search?: string | undefined;
  readonly count?: "exact" | "estimated" | undefined;
};

type NoDeep = Record<never, never>;

/** The result of `get`. T: the type of `ifNoneMatch`, never without it */
type Got<Row, T> = [T] extends [never] ? RowResult<Row> : RowOrNotModified<Row>;

/** Reads and writes the rows of one table or view. */
export class BasicRowClient<R, N extends keyof R> {
  readonly #transport: Transport;
  readonly #path: string;

  /** @param path of the table or view, encoded */
  constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
  }

  /** Reads a page of rows. */
  list<
    const F extends readonly string[] = readonly ["*"],
    const D extends Deep = NoDeep,
    const W = unknown,
    const O extends Order = Order,
  >(options: ListOptions<R, N, F, D, W, O> = {}): Promise<Page<Selected<R, N, F[number], D>>> {
    return this.#page(options as ReadParts, options);
  }

  /** Reads a page of rows by `POST …/query`, whose options may have any length; `list` does so for a long URL. */
  query<
    const F extends readonly string[] = readonly ["*"],
    const D extends Deep = NoDeep,
    const W = unknown,
    const O extends Order = Order,
  >(options: ListOptions<R, N, F, D, W, O> = {}): Promise<Page<Selected<R, N, F[number], D>>> {
    return this.#page({ ...(options as ReadParts), inBody: true }, options);
  }

  /**
   * Reads one row by its key; the values of a composite key in the key's order. With `ifNoneMatch`, the result has no row if
   * its tag is this one still.
   */
  async get<
    const F extends readonly string[] = readonly ["*"],
    const D extends Deep = NoDeep,
    T extends string | undefined = never,
  >(
    key: KeyOf<R, N>,
    options: GetOptions<R, N, F, D> & { readonly ifNoneMatch?: T | undefined } = {},
  ): Promise<Got<Selected<R, N, F[number], D>, T>> {
    const { ifNoneMatch, signal } = options;
    const request: Outgoing = {
      method: "GET",
      path: this.#rowPath(key),
      query: readQuery(options as ReadParts),
      signal,
      headers: { "If-None-Match": ifNoneMatch },
      repeatable: "ALWAYS",
    };
    const answer = await this.#transport.json(request);
    const etag = answer.headers.get("etag") ?? undefined;
    if (answer.status === 304) {
      return { notModified: true, etag: etag ?? ifNoneMatch } as Got<never, T>;
    }
    const { data, meta } = members(answer);
    if (data === undefined) throw clientError(request, answer.status, "RESPONSE_INVALID", noRow);
    const row = { row: data, etag, meta: isRecord(meta) ? meta : {} };
    const result = "ifNoneMatch" in options ? { notModified: false, ...row } : row;
    return result as Got<Selected<R, N, F[number], D>, T>;
  }

  /** Creates one row, or a list of rows in one transaction. */
  create(
    data: readonly NewOf<R, N>[],
    options?: CreateOptions<R, N>,
  ): Promise<WrittenRows<WrittenOf<R, N>>>;
  create<
    M extends "minimal" | undefined = undefined,
    S extends "merge" | "ignore" | undefined = undefined,
  >(
    data: NewOf<R, N>,
    options?: CreateOptions<R, N, M, S>,
  ): Promise<Written<WrittenOf<R, N>, M, S>>;
  async create(data: unknown, options: CreateOptions<R, N> = {}): Promise<unknown> {
    const { onConflict, resolution, idempotencyKey = randomId(), returning } = options;
    const request: Outgoing = {
      method: "POST",
      path: this.#path,
      query: [
        ["on_conflict", onConflict?.join()],
        ["resolution", resolution],
      ],
      body: { data },
      headers: { "Idempotency-Key": idempotencyKey === false ? undefined : idempotencyKey },
      repeatable: idempotencyKey === false ? "UNLESS_EXECUTED" : "ALWAYS",
    };
    const answer = await this.#write(options, request);
    if (Array.isArray(data)) return { rows: rowsOf(answer) };
    return writtenOf(request, answer, returning === undefined && resolution !== "ignore");
  }

  /** Creates rows, and updates those whose key exists; with `resolution: "ignore"` it skips them. */
  upsert(
    data: readonly NewOf<R, N>[],
    options: UpsertOptions<R, N>,
  ): Promise<WrittenRows<WrittenOf<R, N>>>;
  upsert<
    M extends "minimal" | undefined = undefined,
    S extends "merge" | "ignore" | undefined = undefined,
  >(data: NewOf<R, N>, options: UpsertOptions<R, N, M, S>): Promise<Written<WrittenOf<R, N>, M, S>>;
  upsert(
    data: NewOf<R, N> & readonly NewOf<R, N>[],
    options: UpsertOptions<R, N>,
  ): Promise<unknown> {
    const { resolution = "merge" } = options;
    return this.create(data, { ...options, resolution });
  }

  /** Updates one row. */
  async update<M extends "minimal" | undefined = undefined>(
    key: KeyOf<R, N>,
    change: ChangeOf<R, N>,
    options: RowOptions<M> = {},
  ): Promise<Written<WrittenOf<R, N>, M>> {
    const request: Outgoing = {
      method: "PATCH",
      path: this.#rowPath(key),
      body: { data: change },
      ...matching(options),
    };
    const answer = await this.#write(options, request);
    return writtenOf(request, answer, options.returning === undefined);
  }

  /** Updates the rows that match a filter, or none if they are more than `maxAffected`. */
  async updateMany<const W>(
    affected: Affected<R, N, W>,
    change: ChangeOf<R, N>,
    options: WriteOptions = {},
  ): Promise<WrittenRows<WrittenOf<R, N>>> {
    const request = { method: "PATCH", path: this.#path, query: affectedQuery(affected) };
    const answer = await this.#write(options, {
      ...request,
      body: { data: change },
      repeatable: "UNLESS_EXECUTED",
    });
    return writtenRowsOf(answer);
  }

  /**
   * Deletes one row. With `returning`, the row as it was; null if the service had deleted it, and the response was lost.
   */
  remove(key: KeyOf<R, N>, options: RemoveRowOptions & Returned): Promise<Removed<WrittenOf<R, N>>>;
  remove(key: KeyOf<R, N>, options?: RemoveRowOptions): Promise<void>;
  async remove(key: KeyOf<R, N>, options: RemoveRowOptions = {}): Promise<unknown> {
    const answer = await this.#remove(options, {
      method: "DELETE",
      path: this.#rowPath(key),
      ...matching(options),
    });
    return options.returning === undefined ? undefined : { row: members(answer).data ?? null };
  }

  /** Deletes the rows that match a filter, or none if they are more than `maxAffected`. */
  removeMany<const W>(
    affected: Affected<R, N, W>,
    options: RemoveOptions & Returned,
  ): Promise<WrittenRows<WrittenOf<R, N>>>;
  removeMany<const W>(affected: Affected<R, N, W>, options?: RemoveOptions): Promise<void>;
  async removeMany<const W>(
    affected: Affected<R, N, W>,
    options: RemoveOptions = {},
  ): Promise<unknown> {
    const answer = await this.#remove(options, {
      method: "DELETE",
      path: this.#path,
      query: affectedQuery(affected),
      repeatable: "UNLESS_EXECUTED",
    });
    return options.returning === undefined ? undefined : writtenRowsOf(answer);
  }

  /** Computes aggregates, of all rows or of groups. */
  aggregate<
    const A extends readonly AggregateTerm[],
    const G extends readonly string[] = readonly [],
    const W = unknown,
    const O extends Order = Order,
  >(
    options: AggregateOptions<R, N, A, G, W, O>,
  ): Promise<Page<AggregateRow<R, N, A[number], G[number]>>> {
    return this.#page(options as ReadParts, options as PageOptions);
  }

  async #page<Row>(
    parts: ReadParts &
      CallOptions & {
        readonly etags?: boolean;
        readonly ifNoneMatch?: string | null;
        readonly inBody?: boolean;
      },
    options: PageOptions,
  ): Promise<Page<Row>> {
    const { limit, offset, cursor, count } = options;
    const page = { ...parts, limit, offset, cursor, count };
    const read = readRequest(this.#path, page, parts.inBody === true);
    const headers = {
      Prefer: parts.etags === true ? "etags" : undefined,
      "If-None-Match": parts.ifNoneMatch === null ? '""' : parts.ifNoneMatch,
    };
    const request: Outgoing = { ...read, headers, signal: parts.signal };
    const answer = await this.#transport.json(request);
    const { ifNoneMatch: _, ...same } = parts;
    const load = (next: PageOptions) => this.#page<Row>(same, next);
    return new Page<Row>({ answer, request, options, load });
  }

  #write(options: WriteOptions, request: Outgoing): Promise<Answer> {
    const prefer = options.returning === "minimal" ? "return=minimal" : undefined;
    const headers = { ...request.headers, Prefer: prefer };
    return this.#transport.json({ ...request, headers, signal: options.signal });
  }

  #remove({ returning, signal }: RemoveOptions, request: Outgoing): Promise<Answer> {
    const prefer = returning === undefined ? undefined : `return=${returning}`;
    const headers = { ...request.headers, Prefer: prefer };
    return this.#transport.json({ ...request, headers, signal });
  }

  #rowPath(key: KeyOf<R, N>): string {
    return `${this.#path}/${keySegment(key as KeyValue | readonly KeyValue[])}`;
  }
}

const noRow = "The response has no row";

function members({ body }: Answer): Readonly<Record<string, unknown>> {
  return isRecord(body) ? body : {};
}

/** Returns the headers of a write of one row that may have a tag. Without a tag, a second execution has no further effect. */
function matching({
  ifMatch,
  idempotencyKey,
}: MatchOptions): Pick<Outgoing, "headers" | "repeatable"> {
  const key = idempotencyKey ?? (ifMatch === undefined ? false : randomId());
  return {
    headers: { "If-Match": ifMatch, "Idempotency-Key": key === false ? undefined : key },
    repeatable: ifMatch === undefined || key !== false ? "ALWAYS" : "UNLESS_EXECUTED",
  };
}

/** Returns the written row of a response with its tag. @throws RowhouseError if a row is required and missing */
function writtenOf<Result>(request: Outgoing, answer: Answer, isRequired: boolean): Result {
  const { data = null } = members(answer);
  if (isRequired && !isRecord(data)) {
    throw clientError(request, answer.status, "RESPONSE_INVALID", noRow);
  }
  const etag = answer.headers.get("etag");
  return { row: data, ...(etag === null ? {} : { etag }) } as Result;
}

function writtenRowsOf<Row>(answer: Answer): WrittenRows<Row> {
  const { meta } = members(answer);
  const count = isRecord(meta) ? meta.count : undefined;
  return { rows: rowsOf(answer), ...(typeof count === "number" ? { count } : {}) };
}

function rowsOf<Row>(answer: Answer): readonly Row[] {
  const { data } = members(answer);
  return Array.isArray(data) ? data : [];
}
