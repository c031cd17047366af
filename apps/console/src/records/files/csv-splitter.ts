/** A record of a CSV file. */
export interface CsvRecord {
  /** The line of its beginning, counted from 1. */
  readonly line: number;
  /** The cells as they stand in the file, with their quotes. */
  readonly cells: readonly string[];
}

/** Signs between cells. The Data API takes commas; files of spreadsheets have others too. */
export const separators = [",", ";", "\t", "|"] as const;
export type Separator = (typeof separators)[number];

const quote = '"';

/** Splits CSV into records as its text arrives. Empty lines are no records, as in the Data API. */
export class CsvSplitter {
  readonly #separator: Separator;
  #rest = "";
  #line = 1;
  /** The length at which the rest is split again, so that a long record is not scanned for each part of it. */
  #again = 0;

  constructor(separator: Separator) {
    this.#separator = separator;
  }

  /** Returns the records that a part of the text completes. */
  push(part: string, isLast: boolean): CsvRecord[] {
    const text = this.#rest + part;
    this.#rest = text;
    if (text.length < this.#again && !isLast) return [];
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < text.length) {
      const end = recordEnd(text, start);
      if (end === undefined && !isLast) break;
      const raw = text.slice(start, end ?? text.length);
      const content = raw.replace(/\r?\n$/, "");
      if (content !== "") records.push({ line: this.#line, cells: this.#cells(content) });
      this.#line += countOf(raw, "\n");
      start += raw.length;
    }
    this.#rest = text.slice(start);
    this.#again = start === 0 ? text.length * 2 : 0;
    return records;
  }

  #cells(content: string): string[] {
    const separator = this.#separator;
    if (!content.includes(quote)) return content.split(separator);
    const cells: string[] = [];
    for (let at = 0; at <= content.length; ) {
      let end = at;
      if (content[at] === quote) end = closingQuote(content, at + 1) + 1;
      end = content.indexOf(separator, end);
      if (end < 0) end = content.length;
      cells.push(content.slice(at, end));
      at = end + 1;
    }
    return cells;
  }
}

/** Returns the position after the line break that ends a record; undefined if the text ends before. */
function recordEnd(text: string, start: number): number | undefined {
  for (let at = start; ; ) {
    const lineEnd = text.indexOf("\n", at);
    if (lineEnd < 0) return undefined;
    // Quotes in pairs are closed; within a quoted cell the line break belongs to it.
    const isOpen = countOf(text.slice(start, lineEnd), quote) % 2 === 1;
    if (!isOpen) return lineEnd + 1;
    at = lineEnd + 1;
  }
}

/** Returns the position of the quote that closes a cell, or of the end. */
function closingQuote(text: string, start: number): number {
  for (let at = start; ; at += 2) {
    at = text.indexOf(quote, at);
    if (at < 0) return text.length - 1;
    if (text[at + 1] !== quote) return at;
  }
}

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}

/** Returns the text of a cell without its quotes. */
export function cellText(raw: string): string {
  const isQuoted = raw.length > 1 && raw.startsWith(quote) && raw.endsWith(quote);
  return isQuoted ? raw.slice(1, -1).replaceAll('""', quote) : raw;
}

/** Returns a cell for a file with commas. */
export function cellWithCommas(raw: string): string {
  return raw.startsWith(quote) || !raw.includes(",") ? raw : `"${raw}"`;
}

/** Writes the name of a column for a header with commas. */
export function headerCell(name: string): string {
  return /[",\r\n]/.test(name) || name === "" ? `"${name.replaceAll('"', '""')}"` : name;
}

/** Returns the separator that a header has most often outside of quotes. */
export function separatorOf(text: string): Separator {
  const end = recordEnd(text, 0) ?? text.length;
  const header = text.slice(0, end).replace(/"(?:[^"]|"")*"/g, "");
  const counts = separators.map((sign) => countOf(header, sign));
  return separators[counts.indexOf(Math.max(...counts))] ?? ",";
}
