import { type AppError, createError } from "@rowhouse/errors";
import {
  CsvReader,
  type CsvRecord,
  csvDelimiters,
  isExactNumber,
  parseExactJson,
  scanJson,
} from "@rowhouse/wire";

/** Reads records of CSV in parts, each of a bounded length. */
export class CsvParser {
  readonly #charsMax: number;
  readonly #reader: CsvReader;
  readonly #delimiter: string | null;

  /**
   * @param charsMax maximum length of a record
   * @param delimiter the sign between cells; null for the one that the file names, or a comma
   */
  constructor(charsMax: number, delimiter: string | null) {
    this.#charsMax = charsMax;
    this.#delimiter = delimiter;
    this.#reader = new CsvReader(delimiter);
  }

  /**
   * Returns the records that the text completes.
   *
   * @throws AppError BODY_TOO_LARGE for a record above the maximum; BODY_INVALID if the file names another delimiter
   */
  push(part: string, isLast: boolean): CsvRecord[] {
    const records = this.#reader.push(part, isLast);
    const { heldChars, line, namedDelimiter: named } = this.#reader;
    if (named !== undefined) requireDelimiter(named, this.#delimiter);
    if (heldChars > this.#charsMax) throw rowTooLarge(this.#charsMax, line);
    return records;
  }
}

/** @throws AppError BODY_INVALID if a file names a sign that it cannot have, or another than the parameter */
function requireDelimiter(named: string, chosen: string | null): void {
  const signs = Object.entries(csvDelimiters);
  const nameOf = (sign: string) => signs.find(([, each]) => each === sign)?.[0];
  const name = nameOf(named);
  if (name !== undefined && (chosen === null || chosen === named)) return;
  const message =
    chosen === null || name === undefined
      ? `The first line (sep=) must name one of ${signs.map(([each]) => each).join(" ")} as the sign between cells`
      : `The first line (sep=) names ${name} as the sign between cells, and the parameter delimiter ${nameOf(chosen)}`;
  throw createError("BODY_INVALID", { message, details: { line: 1 } });
}

function rowTooLarge(charsMax: number, line: number): AppError {
  return createError("BODY_TOO_LARGE", {
    message: `A row of an import has at most ${charsMax} bytes (limits.body_bytes)`,
    details: { line },
  });
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
    if (this.#length > this.#charsMax) throw rowTooLarge(this.#charsMax, this.#line);
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
