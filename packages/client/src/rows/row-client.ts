import { isRecord } from "../errors/read-error.ts";
import { randomId } from "../json/random-id.ts";
import type { CallOptions } from "../request/client-options.ts";
import { writeQuery } from "../request/query.ts";
import { type Answer, clientError, type Outgoing, type Transport } from "../request/transport.ts";
import type { AggregateRow, AggregateTerm, GroupTerm } from "../types/aggregate.ts";
import type { Selected } from "../types/fields.ts";
import type { Filter } from "../types/filter.ts";
import type { ChangeOf, KeyOf, KeyValue, NewOf, WrittenOf } from "../types/resource.ts";
import { affectedQuery, keySegment } from "./address.ts";
import { RowExport } from "./export.ts";
import type { HistoryOptions, HistoryPage } from "./history.ts";
import {
  type Imported,
  type ImportOptions,
  type ImportSource,
  importedOf,
  importRequest,
} from "./import.ts";
import { Page, type PageOptions } from "./page.ts";
import {
  type Deep,
  type ExportOptions,
  type GetOptions,
  type ListOptions,
  type ReadParts,
  readBody,
  readQuery,
} from "./read-options.ts";
import { RowWrites } from "./row-writes.ts";
import type {
  Affected,
  CreateOptions,
  RemoveOptions,
  RemoveRowOptions,
  Returned,
  RowOptions,
  RowResult,
  UpsertOptions,
  WriteOptions,
  Written,
  WrittenRows,
} from "./write-options.ts";

export type AggregateOptions<R, N extends keyof R, A, G> = CallOptions & {
  readonly aggregate: A;
  readonly groupBy?: G;
  readonly where?: Filter<R, N>;
  /** A filter on the results, by their names: `{ sum_price: { _gt: 10 } }`. */
  readonly having?: Readonly<Record<string, unknown>>;
  readonly orderBy?: string | readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  readonly search?: string;
  readonly count?: "exact" | "estimated";
};

type NoDeep = Record<never, never>;

/** Reads and writes the rows of one table or view. */
export class RowClient<R, N extends keyof R> {
  readonly #transport: Transport;
  readonly #path: string;
  /** The same writes for `client.batch`; these send nothing by themselves. */
  readonly writes: RowWrites<R, N>;

  /** @param path of the table or view, encoded */
  constructor(transport: Transport, path: string) {
    this.#transport = transport;
    this.#path = path;
    this.writes = new RowWrites(path);
  }

  /** Reads a page of rows. */
  list<const F extends readonly string[] = readonly ["*"], const D extends Deep = NoDeep>(
    options: ListOptions<R, N, F, D> = {},
  ): Promise<Page<Selected<R, N, F[number], D>>> {
    return this.#page(options, options);
  }

  /** Reads a page of rows by `POST …/query`, whose options may have any length; `list` does so for a long URL. */
  query<const F extends readonly string[] = readonly ["*"], const D extends Deep = NoDeep>(
    options: ListOptions<R, N, F, D> = {},
  ): Promise<Page<Selected<R, N, F[number], D>>> {
    return this.#page({ ...options, inBody: true }, options);
  }

  /** Reads one row by its key; the values of a composite key in the key's order. */
  async get<const F extends readonly string[] = readonly ["*"], const D extends Deep = NoDeep>(
    key: KeyOf<R, N>,
    options: GetOptions<R, N, F, D> = {},
  ): Promise<RowResult<Selected<R, N, F[number], D>>> {
    const path = this.#rowPath(key);
    const request = { method: "GET", path, query: readQuery(options), signal: options.signal };
    const answer = await this.#transport.json({ ...request, repeatable: "ALWAYS" });
    const { data, meta } = members(answer);
    if (data === undefined) throw clientError(request, answer.status, "RESPONSE_INVALID", noRow);
    const etag = answer.headers.get("etag") ?? undefined;
    return { row: data as Selected<R, N, F[number], D>, etag, meta: isRecord(meta) ? meta : {} };
  }

  /** Reads a page of the changes of one row, newest first, of a table that records its row history. */
  async history(key: KeyOf<R, N>, options: HistoryOptions = {}): Promise<HistoryPage> {
    const { limit, cursor, signal } = options;
    const query = [
      ["limit", limit?.toString()],
      ["cursor", cursor],
    ] as const;
    const path = `${this.#rowPath(key)}/history`;
    const request = { method: "GET", path, query, signal, repeatable: "ALWAYS" } as const;
    const answer = await this.#transport.json(request);
    const { data, meta } = members(answer);
    if (!Array.isArray(data)) {
      throw clientError(request, answer.status, "RESPONSE_INVALID", "The response has no entries");
    }
    const nextCursor = isRecord(meta) ? meta.nextCursor : undefined;
    return {
      entries: data,
      nextCursor: typeof nextCursor === "string" ? nextCursor : null,
    };
  }

  /** Creates one row, or a list of rows in one transaction. */
  create(
    data: readonly NewOf<R, N>[],
    options?: CreateOptions,
  ): Promise<WrittenRows<WrittenOf<R, N>>>;
  create(data: NewOf<R, N>, options?: CreateOptions): Promise<Written<WrittenOf<R, N>>>;
  async create(
    data: unknown,
    options: CreateOptions = {},
  ): Promise<Written<WrittenOf<R, N>> | WrittenRows<WrittenOf<R, N>>> {
    const { onConflict, resolution, idempotencyKey = randomId() } = options;
    const answer = await this.#write(options, {
      method: "POST",
      path: this.#path,
      query: [
        ["on_conflict", onConflict?.join()],
        ["resolution", resolution],
      ],
      body: { data },
      headers: { "Idempotency-Key": idempotencyKey === false ? undefined : idempotencyKey },
      repeatable: idempotencyKey === false ? "UNLESS_EXECUTED" : "ALWAYS",
    });
    return Array.isArray(data) ? { rows: rowsOf(answer) } : { row: rowOf(answer) };
  }

  /** Creates rows, and updates those whose key exists; with `resolution: "ignore"` it skips them. */
  upsert(
    data: readonly NewOf<R, N>[],
    options: UpsertOptions,
  ): Promise<WrittenRows<WrittenOf<R, N>>>;
  upsert(data: NewOf<R, N>, options: UpsertOptions): Promise<Written<WrittenOf<R, N>>>;
  upsert(
    data: NewOf<R, N> & readonly NewOf<R, N>[],
    options: UpsertOptions,
  ): Promise<Written<WrittenOf<R, N>> | WrittenRows<WrittenOf<R, N>>> {
    return this.create(data, { resolution: "merge", ...options });
  }

  /** Updates one row. */
  async update(
    key: KeyOf<R, N>,
    change: ChangeOf<R, N>,
    options: RowOptions = {},
  ): Promise<Written<WrittenOf<R, N>>> {
    const { ifMatch } = options;
    const answer = await this.#write(options, {
      method: "PATCH",
      path: this.#rowPath(key),
      body: { data: change },
      headers: { "If-Match": ifMatch },
      // A second execution would find the tag that the first one has changed.
      repeatable: ifMatch === undefined ? "ALWAYS" : "UNLESS_EXECUTED",
    });
    return { row: rowOf(answer) };
  }

  /** Updates the rows that match a filter, or none if they are more than `maxAffected`. */
  async updateMany(
    affected: Affected<R, N>,
    change: ChangeOf<R, N>,
    options: WriteOptions = {},
  ): Promise<WrittenRows<WrittenOf<R, N>>> {
    const request = { method: "PATCH", path: this.#path, query: affectedQuery(affected) };
    const answer = await this.#write(options, {
      ...{ ...request, body: { data: change }, repeatable: "UNLESS_EXECUTED" },
    });
    return writtenRowsOf(answer);
  }

  /**
   * Deletes one row. With `returning`, the row as it was; null if the service had deleted it, and the response was lost.
   */
  remove(key: KeyOf<R, N>, options: RemoveRowOptions & Returned): Promise<Written<WrittenOf<R, N>>>;
  remove(key: KeyOf<R, N>, options?: RemoveRowOptions): Promise<void>;
  async remove(key: KeyOf<R, N>, options: RemoveRowOptions = {}): Promise<unknown> {
    const { ifMatch } = options;
    const answer = await this.#remove(options, {
      method: "DELETE",
      path: this.#rowPath(key),
      headers: { "If-Match": ifMatch },
      repeatable: ifMatch === undefined ? "ALWAYS" : "UNLESS_EXECUTED",
    });
    return options.returning === undefined ? undefined : { row: rowOf(answer) };
  }

  /** Deletes the rows that match a filter, or none if they are more than `maxAffected`. */
  removeMany(
    affected: Affected<R, N>,
    options: RemoveOptions & Returned,
  ): Promise<WrittenRows<WrittenOf<R, N>>>;
  removeMany(affected: Affected<R, N>, options?: RemoveOptions): Promise<void>;
  async removeMany(affected: Affected<R, N>, options: RemoveOptions = {}): Promise<unknown> {
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
    const G extends readonly GroupTerm<R, N>[] = readonly [],
  >(
    options: AggregateOptions<R, N, A, G>,
  ): Promise<Page<AggregateRow<R, N, A[number], G[number]>>> {
    return this.#page(options, options);
  }

  /** Starts an export of all rows that match: `csv` for people, `ndjson` for programs. */
  async export<const F extends readonly string[] = readonly ["*"], const D extends Deep = NoDeep>(
    format: "csv" | "ndjson",
    options: ExportOptions<R, N, F, D> = {},
  ): Promise<RowExport<Selected<R, N, F[number], D>>> {
    const accept = format === "csv" ? "text/csv" : "application/x-ndjson";
    const read = this.#read(options, false);
    const request = { ...read, headers: { Accept: accept }, signal: options.signal };
    return new RowExport(await this.#transport.stream(request), format, request);
  }

  /**
   * Creates the rows of a file, or of an (asynchronous) list, all or none.
   *
   * @throws RowhouseError whose faults have the line of the file in `details.line`
   */
  async import(source: ImportSource<NewOf<R, N>>, options: ImportOptions = {}): Promise<Imported> {
    const request = importRequest(this.#path, source, options);
    return importedOf(request, await this.#transport.json(request));
  }

  /** Returns the request of a read: a GET, or a POST if the URL would be long. */
  #read(parts: ReadParts, inBody: boolean): Outgoing {
    const query = readQuery(parts);
    const isLong = inBody || this.#path.length + writeQuery(query).length > urlCharsMax;
    return isLong
      ? {
          ...{ method: "POST", path: `${this.#path}/query`, repeatable: "ALWAYS" },
          body: { data: readBody(parts) },
        }
      : { method: "GET", path: this.#path, query, repeatable: "ALWAYS" };
  }

  async #page<Row>(
    parts: ReadParts &
      CallOptions &
      PageOptions & { readonly etags?: boolean; readonly inBody?: boolean },
    options: PageOptions,
  ): Promise<Page<Row>> {
    const { limit, offset, cursor, count } = options;
    const read = this.#read({ ...parts, limit, offset, cursor, count }, parts.inBody === true);
    const headers = { Prefer: parts.etags === true ? "etags" : undefined };
    const request: Outgoing = { ...read, headers, signal: parts.signal };
    const answer = await this.#transport.json(request);
    const load = (next: PageOptions) => this.#page<Row>(parts, next);
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

/** Characters of a path with its query; many proxies accept 8 KiB for the first line of a request. */
const urlCharsMax = 7000;

const noRow = "The response has no row";

function members({ body }: Answer): Readonly<Record<string, unknown>> {
  return isRecord(body) ? body : {};
}

function rowOf<Row>(answer: Answer): Row | null {
  return (members(answer).data ?? null) as Row | null;
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
