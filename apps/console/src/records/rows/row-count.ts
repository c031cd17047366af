/**
 * The number of all rows that a filter matches, whatever their order. It is a request of its own, because the rows of a
 * large table arrive long before they are counted.
 */
export class RowCount {
  #value: number | undefined;
  #abort: AbortController | undefined;
  readonly #load: (signal: AbortSignal) => Promise<number>;
  readonly #listeners = new Set<() => void>();

  constructor(load: (signal: AbortSignal) => Promise<number>) {
    this.#load = load;
  }

  /** Undefined until the rows are counted, and where that failed: the rows are shown without it. */
  get value(): number | undefined {
    return this.#value;
  }

  /** Calls `listener` after each change; returns the function that ends this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Counts the rows if their number is not known and not under way. */
  start(): void {
    if (this.#value === undefined && this.#abort === undefined) this.refresh();
  }

  /** Counts the rows again. The last number stays until the new one has arrived. */
  refresh(): void {
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    this.#load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) this.set(value);
      },
      () => {
        if (!abort.signal.aborted) this.#abort = undefined;
      },
    );
  }

  /** Takes a number that is known without a request. */
  set(value: number): void {
    this.stop();
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** Counts rows in or out that this person has created or deleted. */
  add(rows: number): void {
    // The request that runs may have counted before or after them.
    if (this.#abort !== undefined) this.refresh();
    if (this.#value === undefined) return;
    this.#value += rows;
    for (const listener of this.#listeners) listener();
  }

  /** Ends the request that runs. */
  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }
}
