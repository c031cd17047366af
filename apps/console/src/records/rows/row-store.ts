import type { Row, RowKey } from "../model/resource.ts";
import type { RowCount } from "./row-count.ts";

/** What happened to a row since it was loaded. Such a row stays in its place until the next refresh. */
type RowMark = "EDITED" | "NEW";

/** A row of the grid. */
export interface GridRow {
  /** Unique in the grid: the key as JSON, or the position of a row without a key. */
  readonly id: string;
  /** Null for a row without an address, which cannot be changed. */
  readonly key: RowKey | null;
  readonly values: Row;
  /** The tag for `If-Match`; undefined for rows that cannot be changed. */
  readonly etag: string | undefined;
  readonly mark?: RowMark;
}

/** Some rows, and the function that loads those after them; null after the last. */
export interface RowPage {
  readonly rows: readonly GridRow[];
  readonly next: LoadRows | null;
  /** Whether the rows are all from the first on, in place of those that are loaded. */
  readonly isFromStart?: boolean;
  readonly unreadable?: Unreadable;
}

/** Fields without which a list was loaded, since they cannot be computed. */
export interface Unreadable {
  readonly fields: ReadonlySet<string>;
  readonly error: unknown;
}

/** Loads a page. */
export type LoadRows = (signal: AbortSignal) => Promise<RowPage>;

/** The state of a store at one moment. */
export interface RowsState {
  readonly rows: readonly GridRow[];
  readonly isLoading: boolean;
  /** Whether the last row is loaded. */
  readonly isComplete: boolean;
  readonly error: unknown;
  /** The number of all rows; undefined until it is known. */
  readonly count: number | undefined;
  readonly unreadable: Unreadable | undefined;
}

const empty: RowsState = {
  rows: [],
  isLoading: false,
  isComplete: false,
  error: undefined,
  count: undefined,
  unreadable: undefined,
};

/** The loaded rows of a list. Pages are appended in order, one request at a time. */
export class RowStore {
  #state = empty;
  #next: LoadRows | null;
  readonly #first: LoadRows;
  readonly #count: RowCount | null;
  readonly #start: number;
  readonly #listeners = new Set<() => void>();
  #abort: AbortController | undefined;
  /** Ends with the request that runs. */
  #running: Promise<void> = Promise.resolve();

  /**
   * @param count the number of all rows, which other orders of the same rows share; null if nobody asks for it
   * @param start the number of rows before the first one of the list
   */
  constructor(first: LoadRows, count: RowCount | null = null, start = 0) {
    this.#start = start;
    this.#first = first;
    this.#next = first;
    this.#count = count;
    this.#state = { ...empty, count: count?.value };
  }

  get state(): RowsState {
    return this.#state;
  }

  /** Calls `listener` after each change; returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    const end = this.#count?.subscribe(() => this.#showCount());
    this.#showCount();
    return () => {
      end?.();
      this.#listeners.delete(listener);
    };
  };

  /** Loads the next page. Does nothing while one is loading, after the last, and after a failure. */
  loadMore(): void {
    if (this.#state.isLoading || this.#state.error !== undefined) return;
    if (this.#next !== null) this.#load(this.#next, false);
  }

  /** Loads pages until the list has this many rows or its last one, a request fails or the list is loaded anew. */
  async loadTo(count: number): Promise<RowsState> {
    for (;;) {
      const { rows, isComplete, error } = this.#state;
      if (rows.length >= count || isComplete || error !== undefined) break;
      this.loadMore();
      const abort = this.#abort;
      await this.#running;
      if (abort?.signal.aborted === true) break;
    }
    return this.#state;
  }

  /** Tries again after a failure. */
  retry(): void {
    this.#set({ error: undefined });
    this.loadMore();
  }

  /** Loads the list again from its start. The rows stay until the new ones have arrived. */
  refresh(): void {
    this.#abort?.abort();
    this.#set({ error: undefined, isLoading: false });
    this.#load(this.#first, true);
  }

  /** Ends the request that runs. A later `loadMore` begins it again. */
  stop(): void {
    this.#abort?.abort();
    this.#set({ isLoading: false });
  }

  /** Replaces rows in place by their ids. */
  replace(changed: ReadonlyMap<string, GridRow>): void {
    if (changed.size === 0) return;
    this.#set({ rows: this.#state.rows.map((row) => changed.get(row.id) ?? row) });
  }

  /** Adds rows at the start. */
  insert(rows: readonly GridRow[]): void {
    this.#set({ rows: [...rows, ...this.#state.rows] });
    this.#count?.add(rows.length);
  }

  /** Adds rows at the end of a list that is loaded to its last row. */
  append(rows: readonly GridRow[]): void {
    this.#set({ rows: appended(this.#state.rows, rows) });
    this.#count?.add(rows.length);
  }

  /** Takes rows out by their ids. */
  remove(ids: ReadonlySet<string>): void {
    const { rows } = this.#state;
    const kept = rows.filter(({ id }) => !ids.has(id));
    if (kept.length === rows.length) return;
    this.#set({ rows: kept });
    this.#count?.add(kept.length - rows.length);
  }

  #load(load: LoadRows, isAgain: boolean): void {
    const abort = new AbortController();
    this.#abort = abort;
    this.#set({ isLoading: true });
    this.#running = load(abort.signal).then(
      ({ rows, next, unreadable, isFromStart = false }) => {
        if (abort.signal.aborted) return;
        this.#next = next;
        const isFirst = load === this.#first || isFromStart;
        const all = isFirst ? rows : appended(this.#state.rows, rows);
        this.#set({ rows: all, isLoading: false, isComplete: next === null });
        if (isFirst) this.#set({ unreadable });
        // Beyond the last row, nothing is known of those before.
        const isCounted = next === null && (all.length > 0 || this.#start === 0);
        if (isFirst && isCounted) this.#count?.set(this.#start + all.length);
        else if (isAgain) this.#count?.refresh();
        else this.#count?.start();
      },
      (error: unknown) => {
        if (!abort.signal.aborted) this.#set({ isLoading: false, error });
      },
    );
  }

  #showCount(): void {
    const count = this.#count?.value;
    if (count !== this.#state.count) this.#set({ count });
  }

  #set(change: Partial<RowsState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** A row that moved to a later page while the list was read is there once, and so is a new row of this person. */
function appended(rows: readonly GridRow[], more: readonly GridRow[]): readonly GridRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...more.filter(({ id }) => !known.has(id))];
}
