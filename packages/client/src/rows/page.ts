import { isRecord } from "../errors/read-error.ts";
import { type Answer, clientError, type Outgoing } from "../request/transport.ts";

/** What a list returns beside its rows. */
export type PageMeta = {
  /** Number of all matching rows, if `count` asked for it. */
  readonly count?: number;
  readonly nextCursor?: string;
  /** The tag of each row in the order of the rows, if `etags` asked for them. */
  readonly etags?: readonly string[];
  /** Paths of relations with more rows than the response has. */
  readonly more?: readonly string[];
};

type PageParts<Row> = {
  readonly answer: Answer;
  readonly request: Outgoing;
  /** The options that select this page. */
  readonly options: PageOptions;
  readonly load: (options: PageOptions) => Promise<Page<Row>>;
};

/** The options that differ between the pages of a list. */
export type PageOptions = {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly count?: "exact" | "estimated" | undefined;
  readonly orderBy?: string | readonly string[] | undefined;
};

/** One page of a list. `for await` over it yields its rows and those of all pages after it. */
export class Page<Row> implements AsyncIterable<Row> {
  readonly rows: readonly Row[];
  readonly meta: PageMeta;
  /** The tag of the page, if `ifNoneMatch` asked for it. */
  readonly etag: string | undefined;
  /** Whether the page has the tag that `ifNoneMatch` named, and no rows here. */
  readonly notModified: boolean;
  readonly #parts: PageParts<Row>;

  constructor(parts: PageParts<Row>) {
    const { answer, request } = parts;
    this.notModified = answer.status === 304;
    this.etag = answer.headers.get("etag") ?? undefined;
    const { data, meta } = isRecord(answer.body)
      ? answer.body
      : { data: this.notModified ? [] : null, meta: null };
    if (!Array.isArray(data)) {
      throw clientError(request, answer.status, "RESPONSE_INVALID", "The response has no rows");
    }
    this.rows = data;
    this.meta = isRecord(meta) ? meta : {};
    this.#parts = parts;
  }

  /**
   * Loads the next page, or returns null after the last, and for a page that was not read again.
   *
   * Rows without a key have no cursor. Their pages continue by `offset` if the list has an order.
   *
   * @throws RowhouseError NO_CURSOR for further rows without a cursor and without an order, because pages could repeat
   * and omit rows
   */
  async next(): Promise<Page<Row> | null> {
    const { nextCursor } = this.meta;
    const { options, load, request } = this.#parts;
    const same = { limit: options.limit, orderBy: options.orderBy };
    if (nextCursor !== undefined) return load({ ...same, cursor: nextCursor });
    const isLast = this.rows.length === 0 || this.rows.length < (options.limit ?? 0);
    if (isLast || options.cursor !== undefined) return null;
    const page = await load({ ...same, offset: (options.offset ?? 0) + this.rows.length });
    if (page.rows.length === 0) return null;
    if (options.orderBy !== undefined) return page;
    // A page that grows when it is read again was not full, so it was the last.
    if (options.limit === undefined) {
      const again = await load({ ...same, offset: options.offset });
      if (again.rows.length > this.rows.length) return null;
    }
    const message = "These rows have no key, hence no cursor: pass orderBy, or use export";
    throw clientError(request, 0, "NO_CURSOR", message);
  }

  /** Yields this page and all after it. */
  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    for (let page: Page<Row> | null = this; page !== null; page = await page.next()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* page.rows;
  }
}
