import { writeJson } from "@rowhouse/client";
import { bytesText, numberText } from "./show-number.ts";
import { clockText, dateText, intervalText, timestampText } from "./show-time.ts";
import {
  elementOf,
  hasEmptyText,
  type ValueColumn,
  type ValueKind,
  valueKindOf,
} from "./value-kind.ts";
import type { Ways } from "./ways.ts";

/** Characters of a value that a line shows; the rest is in the record. */
const shownMax = 500;
const elementsMax = 50;

/** Returns one line for people: null and the empty text are empty. */
export function valueText(column: ValueColumn, value: unknown, ways: Ways): string {
  if (value === null || value === undefined) return "";
  return oneLine(shownText(column, value, ways));
}

function shownText(column: ValueColumn, value: unknown, ways: Ways): string {
  const kind = valueKindOf(column);
  if (kind === "ARRAY" && Array.isArray(value)) {
    const element = elementOf(column);
    const shown = value
      .slice(0, elementsMax)
      .map((item) => (item === null ? ways.say("none") : valueText(element, item, ways)));
    return `${shown.join(", ")}${value.length > elementsMax ? ", …" : ""}`;
  }
  if (kind === "JSON" || typeof value === "object") return jsonLine(value);
  return scalarText(kind, column, value, ways);
}

function scalarText(kind: ValueKind, column: ValueColumn, value: unknown, ways: Ways): string {
  const { format } = column;
  const text = String(value);
  switch (kind) {
    case "INTEGER":
    case "DECIMAL":
    case "FLOAT":
      return numberText(value, format, ways);
    case "BOOLEAN": {
      const captions = format?.type === "boolean" ? format : undefined;
      return text === "true"
        ? (captions?.true ?? ways.say("yes"))
        : (captions?.false ?? ways.say("no"));
    }
    case "DATE":
      return dateText(text, format, ways);
    case "TIMESTAMP":
    case "INSTANT":
      return timestampText(text, format, ways);
    case "TIME":
      return clockText(text, format, ways);
    case "INTERVAL":
      return intervalText(text, ways);
    case "BYTES":
      return ways.say("size", { size: bytesText(String(bytesIn(text)), ways.locale) });
    default:
      return text;
  }
}

/** Returns the number of bytes that a base64 text has. */
function bytesIn(base64: string): number {
  return Math.floor((base64.replace(/={1,2}$/, "").length * 3) / 4);
}

function jsonLine(value: unknown): string {
  return typeof value === "object" && value !== null ? writeJson(value) : JSON.stringify(value);
}

function oneLine(text: string): string {
  const start = text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
  return start.replace(/\s+/g, " ");
}

/** The text for null where the empty text is a value; PostgreSQL's own in the text form of COPY. */
const nullMark = "\\N";

/**
 * Returns the exact text of a value, for the clipboard: digits, ISO dates, JSON. Null is the empty text, and `\N` in
 * columns that may have empty texts; a text of that form has one more backslash. `readText` reads all of them.
 */
export function plainText(column: ValueColumn, value: unknown): string {
  if (value === null || value === undefined) return hasEmptyText(column) ? nullMark : "";
  if (valueKindOf(column) === "JSON" || typeof value === "object") return writeJson(value);
  const text = String(value);
  return hasEmptyText(column) && /^\\+N$/.test(text) ? `\\${text}` : text;
}
