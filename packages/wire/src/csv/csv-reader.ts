/** A record of a CSV file. */
export type CsvRecord = {
  /** The line of its beginning, counted from 1. */
  readonly line: number;
} & (
  | {
      /** An empty cell without quotes is null. */
      readonly cells: readonly (string | null)[];
    }
  | {
      /** A quote is not closed, or text stands beside a quoted cell. */
      readonly cells: null;
      /** Its first line; the next record begins after it. */
      readonly text: string;
    }
);

/** The signs between cells that a file may have, by their names. */
export const csvDelimiters: Readonly<Record<string, string>> = {
  ...{ ",": ",", ";": ";", tab: "\t", pipe: "|" },
};

/** The first line that Excel takes as the name of the delimiter. Some programs quote it, or write the tab as `\t`. */
const delimiterLine = /^("?)sep=(\\t|[^\r\n])\1(\r\n?|\n|$)/i;
/** Length of the longest one, with its line end. */
const delimiterLineChars = 10;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Reads CSV by RFC 4180 in parts of any length; lines end with CRLF, LF or CR. Rejected alternative for the service:
 * `COPY … (FORMAT csv)`, which ends at a line `\.` before PostgreSQL 18, stops at the first fault, and knows no forms of
 * values but PostgreSQL's.
 */
export class CsvReader {
  #delimiter: number;
  readonly #isChosen: boolean;
  #named: string | undefined;
  #isStarted = false;
  #rest = "";
  /** The length at which the rest is read again, so that a long record is not scanned for each part of it. */
  #again = 0;
  #line = 1;

  /** @param delimiter the sign between cells; null for the one that the file names, or a comma */
  constructor(delimiter: string | null) {
    this.#isChosen = delimiter !== null;
    this.#delimiter = (delimiter ?? ",").charCodeAt(0);
  }

  /** The sign that the first line of the file names (`sep=;`), whether or not it is used; known with the first record. */
  get namedDelimiter(): string | undefined {
    return this.#named;
  }

  /** Characters of the record that is not complete. */
  get heldChars(): number {
    return this.#rest.length;
  }

  /** The line at which the next record begins, counted from 1. */
  get line(): number {
    return this.#line;
  }

  /** Returns the records that the text completes. Empty lines are no records. */
  push(part: string, isLast: boolean): CsvRecord[] {
    const text = this.#rest + part;
    this.#rest = text;
    if (text.length < this.#again && !isLast) return [];
    let at = 0;
    if (!this.#isStarted) {
      if (text.length < delimiterLineChars && !isLast) return [];
      this.#isStarted = true;
      at = this.#readDelimiter(text);
    }
    const records: CsvRecord[] = [];
    while (at < text.length) {
      const end = this.#record(text, at, isLast, records);
      if (end < 0) break;
      at = end;
    }
    this.#rest = text.slice(at);
    this.#again = at === 0 ? text.length * 2 : 0;
    return records;
  }

  /** Returns the position after the line that names the delimiter. */
  #readDelimiter(text: string): number {
    const [line = "", , sign] = delimiterLine.exec(text) ?? [];
    if (sign === undefined) return 0;
    this.#named = sign === "\\t" ? "\t" : sign;
    this.#line += 1;
    const isUsed = !this.#isChosen && Object.values(csvDelimiters).includes(this.#named);
    if (isUsed) this.#delimiter = this.#named.charCodeAt(0);
    return line.length;
  }

  /** Reads one record; returns the position after it, or -1 if the text ends within it. */
  #record(text: string, start: number, isLast: boolean, records: CsvRecord[]): number {
    const cells: (string | null)[] = [];
    const delimiter = this.#delimiter;
    let lines = 1;
    let at = start;
    for (;;) {
      let isPlain = true;
      if (text.charCodeAt(at) === quote) {
        const close = closingQuote(text, at + 1);
        // The next part may begin with the second of two quotes.
        if ((close < 0 || close + 1 >= text.length) && !isLast) return -1;
        if (close < 0) return this.#malformed(text, start, isLast, records);
        const inner = text.slice(at + 1, close);
        lines += countLineBreaks(inner);
        cells.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
        at = close + 1;
      } else {
        let end = at;
        let code = text.charCodeAt(end);
        while (
          code !== delimiter &&
          code !== lineFeed &&
          code !== carriageReturn &&
          end < text.length
        ) {
          if (code === quote) isPlain = false;
          end += 1;
          code = text.charCodeAt(end);
        }
        if (end >= text.length && !isLast) return -1;
        cells.push(end > at ? text.slice(at, end) : null);
        at = end;
      }
      const code = text.charCodeAt(at);
      if (isPlain && code === delimiter) {
        at += 1;
        if (at >= text.length && !isLast) return -1;
        continue;
      }
      const end = lineEnd(text, at, isLast);
      if (!isPlain || end === undefined) return this.#malformed(text, start, isLast, records);
      if (end < 0) return -1;
      if (cells.length > 1 || cells[0] !== null) records.push({ line: this.#line, cells });
      this.#line += lines;
      return end;
    }
  }

  /** Skips a malformed record up to the end of its first line. */
  #malformed(text: string, start: number, isLast: boolean, records: CsvRecord[]): number {
    let at = start;
    let end = lineEnd(text, at, isLast);
    for (; end === undefined; end = lineEnd(text, at, isLast)) at += 1;
    if (end < 0 || (at >= text.length && !isLast)) return -1;
    records.push({ line: this.#line, cells: null, text: text.slice(start, at) });
    this.#line += 1;
    return end;
  }
}

/** Returns the position after the line end at a position: undefined if there is none, -1 if the next part decides. */
function lineEnd(text: string, at: number, isLast: boolean): number | undefined {
  if (at >= text.length) return at;
  const code = text.charCodeAt(at);
  if (code === lineFeed) return at + 1;
  if (code !== carriageReturn) return undefined;
  if (at + 1 >= text.length && !isLast) return -1;
  return text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1;
}

function closingQuote(text: string, start: number): number {
  for (let at = start; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 || text.charCodeAt(at + 1) !== quote) return at;
  }
}

/**
 * Counts the line ends of a text: CRLF, LF and CR.
 *
 * @param previous the end of the text before it, which may have the first half of a CRLF
 */
export function countLineBreaks(text: string, previous = ""): number {
  let count = previous.endsWith("\r") && text.startsWith("\n") ? -1 : 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at + 1)) {
    if (text.charCodeAt(at + 1) !== lineFeed) count += 1;
  }
  return count;
}
