import { createError } from "@rowhouse/errors";
import { isExactNumber, parseExactJson, scanJson } from "@rowhouse/wire";

export interface CsvRecord {
  /** The line of its beginning, counted from 1. */
  readonly line: number;
  /** An empty cell without quotes is null. Null in place of the cells: the record is malformed. */
  readonly cells: readonly (string | null)[] | null;
}

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Parses CSV by RFC 4180 in parts, with any sign between cells; lines end with CRLF or LF. Rejected alternative: `COPY … (FORMAT csv)`, which ends
 * at a line `\.` before PostgreSQL 18, stops at the first fault, and knows no forms of values but PostgreSQL's.
 */
export class CsvParser {
  readonly #charsMax: number;
  readonly #delimiter: number;
  #rest = "";
  /** The length at which the rest is parsed again, so that a long record is not scanned for each part of it. */
  #again = 0;
  #line = 1;

  /**
   * @param charsMax maximum length of a record
   * @param delimiter the sign between cells
   */
  constructor(charsMax: number, delimiter: string) {
    this.#charsMax = charsMax;
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /**
   * Returns the records that the text completes. Empty lines are no records.
   *
   * @throws AppError BODY_TOO_LARGE for a record above the maximum
   */
  push(part: string, isLast: boolean): CsvRecord[] {
    const text = this.#rest + part;
    if (text.length < this.#again && !isLast) {
      this.#rest = text;
      return [];
    }
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < text.length) {
      const end = this.#record(text, at, isLast, records);
      if (end < 0) break;
      at = end;
    }
    this.#rest = text.slice(at);
    this.#again = at === 0 ? text.length * 2 : 0;
    if (this.#rest.length > this.#charsMax) {
      throw createError("BODY_TOO_LARGE", {
        message: `A row of an import has at most ${this.#charsMax} bytes (limits.body_bytes)`,
        details: { line: this.#line },
      });
    }
    return records;
  }

  /** Parses one record; returns the position after it, or -1 if the text ends within it. */
  #record(text: string, start: number, isLast: boolean, records: CsvRecord[]): number {
    const cells: (string | null)[] = [];
    const delimiter = this.#delimiter;
    const line = this.#line;
    let lines = 1;
    let at = start;
    for (;;) {
      if (text.charCodeAt(at) === quote) {
        const close = closingQuote(text, at + 1);
        // The next part may begin with the second of two quotes.
        if (close < 0 || (close + 1 >= text.length && !isLast)) {
          return isLast ? this.#malformed(text, start, line, records) : -1;
        }
        const inner = text.slice(at + 1, close);
        if (inner.includes("\n")) lines += inner.split("\n").length - 1;
        cells.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
        at = close + 1;
      } else {
        let end = at;
        let code = text.charCodeAt(end);
        let isPlain = true;
        while (code !== delimiter && code !== lineFeed && end < text.length) {
          if (code === quote) isPlain = false;
          end += 1;
          code = text.charCodeAt(end);
        }
        if (end >= text.length && !isLast) return -1;
        if (!isPlain) return this.#malformed(text, start, line, records);
        const stop =
          code !== delimiter && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end;
        cells.push(stop > at ? text.slice(at, stop) : null);
        at = end;
      }
      let code = text.charCodeAt(at);
      if (code === carriageReturn) {
        if (at + 1 >= text.length && !isLast) return -1;
        if (at + 1 >= text.length || text.charCodeAt(at + 1) === lineFeed) at += 1;
        code = text.charCodeAt(at);
      }
      if (code === delimiter) {
        at += 1;
        if (at >= text.length && !isLast) return -1;
        continue;
      }
      if (at < text.length && code !== lineFeed) {
        return this.#malformed(text, start, line, records);
      }
      if (cells.length > 1 || cells[0] !== null) records.push({ line, cells });
      this.#line += lines;
      return at + 1;
    }
  }

  /** Skips a malformed record up to the end of its first line. */
  #malformed(text: string, start: number, line: number, records: CsvRecord[]): number {
    records.push({ line, cells: null });
    this.#line += 1;
    const end = text.indexOf("\n", start);
    return end < 0 ? text.length : end + 1;
  }
}

function closingQuote(text: string, start: number): number {
  for (let at = start; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 || text.charCodeAt(at + 1) !== quote) return at;
  }
}

/** A line of an NDJSON file. */
export interface Line {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Splits a text into lines in parts; empty lines are omitted. */
export class LineParser {
  readonly #charsMax: number;
  #rest: string[] = [];
  #length = 0;
  #line = 1;

  /** @param charsMax maximum length of a line */
  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  /**
   * Returns the lines that the text completes.
   *
   * @throws AppError BODY_TOO_LARGE for a line above the maximum
   */
  push(part: string, isLast: boolean): Line[] {
    const lines: Line[] = [];
    let at = 0;
    for (let end = part.indexOf("\n"); end >= 0; end = part.indexOf("\n", at)) {
      this.#keep(part.slice(at, end));
      this.#take(lines);
      at = end + 1;
    }
    this.#keep(part.slice(at));
    if (isLast) this.#take(lines);
    return lines;
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length > this.#charsMax) {
      throw createError("BODY_TOO_LARGE", {
        message: `A row of an import has at most ${this.#charsMax} bytes (limits.body_bytes)`,
        details: { line: this.#line },
      });
    }
    if (part !== "") this.#rest.push(part);
  }

  #take(lines: Line[]): void {
    const text = this.#rest.join("");
    this.#rest = [];
    this.#length = 0;
    if (text.trim() !== "") lines.push({ line: this.#line, text });
    this.#line += 1;
  }
}

/** Maximum nesting of a document, as in a JSON body. */
const depthMax = 64;

/** A document, or the reason why its text is none. */
export type ParsedDocument = { readonly value: unknown } | { readonly refusal: string };

/** Parses the JSON text of a row or a value under the rules of a JSON body. */
export function parseDocument(text: string): ParsedDocument {
  const scan = scanJson(text);
  if (scan.depth > depthMax) return { refusal: `It is nested deeper than ${depthMax} levels` };
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    return { refusal: "It is not valid JSON" };
  }
  if (membersOf(value) !== scan.members) return { refusal: "A key occurs twice in one object" };
  return { value };
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return 0;
  const items: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : items.length;
  for (const item of items) count += membersOf(item);
  return count;
}
