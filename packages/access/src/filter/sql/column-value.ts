import type { ColumnType } from "@rowhouse/db";
import { hasValueForm, integerForm } from "./value-form.ts";

const integerRanges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  smallint: [-32_768n, 32_767n],
  integer: [-2_147_483_648n, 2_147_483_647n],
  bigint: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
};
const uuidForm = /^[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$/;

/**
 * Whether a text can be a value of the type, as far as this can be decided without PostgreSQL. False is certain. For
 * types without a form of ours (addresses, domains' checks, a day of the calendar, …) PostgreSQL decides when the
 * statement runs.
 */
export function isPossibleValue(type: ColumnType, text: string): boolean {
  if (type.array) {
    return (text.startsWith("{") || text.startsWith("[")) && hasValueForm(type, text);
  }
  if (type.labels !== null) return type.labels.includes(text);
  switch (type.base) {
    case "smallint":
    case "integer":
    case "bigint": {
      const range = integerRanges[type.base];
      if (!integerForm.test(text) || range === undefined) return false;
      const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
      return value >= range[0] && value <= range[1];
    }
    case "uuid":
      return uuidForm.test(text);
    default:
      return hasValueForm(type, text);
  }
}

/**
 * Returns the text that PostgreSQL parses for a caller's text that is compared with a column. Bytes are base64, as in
 * responses, or PostgreSQL's hex form; that begins with `\x`, which is not base64.
 *
 * @returns undefined if the text certainly is not a value of the type
 */
export function comparedText(type: ColumnType, text: string): string | undefined {
  if (!isPossibleValue(type, text)) return undefined;
  if (type.base !== "bytea") return text;
  return type.array ? bytesInArray(text) : bytesText(text);
}

function bytesText(text: string): string | undefined {
  return text.startsWith("\\x") ? text : base64ToHex(text);
}

/** A PostgreSQL array whose elements are bytes; undefined if one of them certainly is not. */
function bytesInArray(text: string): string | undefined {
  return mapElements(text, (own) => {
    const bytes = bytesText(own);
    return bytes === undefined ? undefined : `"\\${bytes}"`;
  });
}

/** An element in an array's text, quoted or unquoted. */
const arrayElement = /"(?:[^"\\]|\\.)*"|(?:[^{}",\s\\]|\\.)+/gs;

/**
 * Replaces the elements in the text of an array, except nulls.
 *
 * @param map receives the value of an element and the text that stands for it, and returns its new text
 * @returns undefined if `map` returns undefined for an element
 */
export function mapElements(
  text: string,
  map: (own: string, element: string) => string | undefined,
): string | undefined {
  const start = text.indexOf("{");
  let isPossible = true;
  const elements = text.slice(start).replace(arrayElement, (element) => {
    if (element.toUpperCase() === "NULL") return element;
    const own = element.startsWith('"') ? element.slice(1, -1) : element;
    const mapped = map(own.replace(/\\(.)/gs, "$1"), element);
    if (mapped === undefined) isPossible = false;
    return mapped ?? element;
  });
  return isPossible ? `${text.slice(0, start)}${elements}` : undefined;
}

/** Converts base64 to PostgreSQL's hex form; undefined for a text that is not base64. */
export function base64ToHex(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)) {
    return undefined;
  }
  return `\\x${Buffer.from(text, "base64").toString("hex")}`;
}

/** Types without an equality operator. */
const withoutEquality: ReadonlySet<string> = new Set(["json", "xml", "point", "polygon"]);
/** Types whose values are text, so that patterns apply to them. */
const textual: ReadonlySet<string> = new Set([
  "text",
  "character varying",
  "bpchar",
  "character",
  "name",
  "citext",
  "enum",
]);

/** Whether `=` and `<` exist for the type. */
export function isComparable(type: ColumnType): boolean {
  return !withoutEquality.has(type.base);
}

/** Whether the type compares texts case-insensitively. */
export function ignoresCase(type: ColumnType): boolean {
  return unqualified(type) === "citext";
}

/** Whether values of the type map keys to texts, and are JSON objects in responses. */
export function isMap(type: ColumnType): boolean {
  return unqualified(type) === "hstore";
}

/** Whether the type holds JSON documents. */
export function isDocument(type: ColumnType): boolean {
  return !type.array && (type.base === "jsonb" || type.base === "json");
}

/** Whether patterns and `search` apply to the type. */
export function isTextual(type: ColumnType): boolean {
  return !type.array && textual.has(unqualified(type));
}

/** The base type's name without its schema. */
function unqualified({ base }: ColumnType): string {
  return base.replace(/^.*\."?|"$/g, "");
}
