import { createError } from "@rowhouse/errors";
import { isExactNumber, parseExactJson, scanJson } from "@rowhouse/wire";

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
