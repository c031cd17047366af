import { base64ToHex, comparedText, isMap, isPossibleValue } from "@rowhouse/access";
import { type Attributes, arrayLiteral, type ColumnType } from "@rowhouse/db";
import {
  createFault,
  escapePointer,
  type Fault,
  type FaultOptions,
  faultsMax,
} from "@rowhouse/errors";
import {
  exactNumberText,
  isExactNumber,
  isObject,
  isStorableText,
  writeExactJson,
} from "@rowhouse/wire";

/**
 * Converts a JSON value to PostgreSQL's text; null for null, undefined if the column cannot hold the value. PostgreSQL
 * itself validates dates, ranges and domains.
 */
export function bindValue(type: ColumnType, value: unknown): string | null | undefined {
  if (value === null) return null;
  if (type.array) return bindArray(type, value);
  return bindElement(type, value);
}

function bindElement(type: ColumnType, value: unknown): string | undefined {
  if (type.kind === "COMPOSITE" && !type.array) {
    return isObject(value) ? compositeText(type, value) : undefined;
  }
  if (type.base === "json" || type.base === "jsonb") {
    return isStorable(value) ? writeExactJson(value) : undefined;
  }
  const text = elementText(type, value);
  const element = type.array ? { ...type, array: false } : type;
  if (text === undefined || !isPossibleValue(element, text)) return undefined;
  if (type.base === "bytea") return base64ToHex(text);
  if (type.lengthMax !== null && charsOf(text) > type.lengthMax) return undefined;
  return text;
}

/** Returns the number of characters without the trailing spaces, which PostgreSQL truncates. */
function charsOf(text: string): number {
  let end = text.length;
  while (text[end - 1] === " ") end -= 1;
  return [...text.slice(0, end)].length;
}

function elementText(type: ColumnType, value: unknown): string | undefined {
  if (isObject(value) && isMap(type)) return mapText(value);
  return isVector(type) && Array.isArray(value) ? vectorText(value) : scalarText(value);
}

/** Their text has spaces between the elements. */
const vectors: ReadonlySet<string> = new Set(["int2vector", "oidvector"]);

/** Whether values of the type are JSON arrays in responses although the type is no array for PostgreSQL. */
export function isVector({ base }: Pick<ColumnType, "base">): boolean {
  return vectors.has(base);
}

function vectorText(items: readonly unknown[]): string | undefined {
  const texts = items.map(scalarText);
  return texts.every((text) => text !== undefined && /^[0-9-]+$/.test(text))
    ? texts.join(" ")
    : undefined;
}

function bindArray(type: ColumnType, value: unknown): string | undefined {
  if (typeof value === "string") {
    return value.startsWith("{") && isStorableText(value) ? comparedText(type, value) : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  if (type.kind === "COMPOSITE" && value.flat(dimensionsMax).some(isObject)) {
    const isList = value.flat(dimensionsMax).every((item) => item === null || isObject(item));
    return isList ? compositeText(type, value) : undefined;
  }
  return arrayText(type, value, 0);
}

function compositeText(type: ColumnType, value: unknown): string | undefined {
  if (!isStorable(value)) return undefined;
  const unknown = unknownKeys(type.attributes, value).next();
  return unknown.done === true ? writeExactJson(value) : undefined;
}

/** Yields pointers to the keys of a value that are no attributes of its composite types, which PostgreSQL ignores. */
function* unknownKeys(attributes: Attributes | null, value: unknown, path = ""): Generator<string> {
  if (attributes === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* unknownKeys(attributes, item, `${path}/${index}`);
    }
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const inside = attributes.get(key);
      const pointer = `${path}/${escapePointer(key)}`;
      if (inside === undefined) yield pointer;
      else yield* unknownKeys(inside, inner, pointer);
    }
  }
}

/** Returns the faults of a value that `bindValue` rejects. */
export function faultsOfValue(
  { attributes }: ColumnType,
  value: unknown,
  path: string,
  options: Pick<FaultOptions, "details"> = {},
): readonly [Fault, ...Fault[]] {
  const faults: Fault[] = [];
  for (const pointer of unknownKeys(attributes, value, path)) {
    faults.push(createFault("FIELD_UNKNOWN", { ...options, path: pointer }));
    if (faults.length === faultsMax) break;
  }
  const [first, ...rest] = faults;
  if (first !== undefined) return [first, ...rest];
  return [createFault("VALUE_INVALID", { ...options, path })];
}

/** Maximum number of dimensions of an array. */
const dimensionsMax = 6;

function arrayText(type: ColumnType, items: readonly unknown[], depth: number): string | undefined {
  if (depth >= dimensionsMax) return undefined;
  if (items.length > 0 && items.every(Array.isArray)) {
    const parts = items.map((item) => arrayText(type, item, depth + 1));
    return parts.includes(undefined) ? undefined : `{${parts.join(delimiterOf(type))}}`;
  }
  const texts: (string | null)[] = [];
  for (const item of items) {
    const text = item === null ? null : bindElement(type, item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return arrayLiteral(texts, delimiterOf(type));
}

/** The only built-in type whose arrays have another delimiter than a comma is `box`. */
function delimiterOf({ base }: ColumnType): string {
  return base === "box" ? ";" : ",";
}

/** Writes an object of plain values in the text form of `hstore`. */
function mapText(value: object): string | undefined {
  const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
  const parts: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const text = inner === null ? null : scalarText(inner);
    if (text === undefined || !isStorableText(key)) return undefined;
    parts.push(`${quote(key)}=>${text === null ? "NULL" : quote(text)}`);
  }
  return parts.join(", ");
}

function scalarText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return isStorableText(value) ? value : undefined;
    case "number":
    case "boolean":
      return String(value);
    default:
      return exactNumberText(value);
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return isStorableText(value);
  if (typeof value !== "object" || value === null || isExactNumber(value)) return true;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner));
}
