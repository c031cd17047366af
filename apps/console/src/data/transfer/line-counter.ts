const lineFeed = 10;
const quote = 34;

/** Counts the rows of a file as its bytes arrive. A line break between quotes of CSV is a part of its row. */
export class LineCounter {
  #lines = 0;
  #isQuoted = false;
  readonly #format: "csv" | "ndjson";

  constructor(format: "csv" | "ndjson") {
    this.#format = format;
  }

  /** The rows that are complete; the header of CSV is none. */
  get rows(): number {
    return this.#format === "csv" ? Math.max(0, this.#lines - 1) : this.#lines;
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === quote && this.#format === "csv") this.#isQuoted = !this.#isQuoted;
      else if (byte === lineFeed && !this.#isQuoted) this.#lines += 1;
    }
  }
}
