import type { ColumnType } from "@rowhouse/db";
import { rangeValueType } from "./range-type.ts";

/** Longest text of a date, a time, an interval or a boolean; PostgreSQL prints fewer characters. */
const charsMax = 160;

const formOf = (source: string): RegExp => new RegExp(`^(?:${source})$`);

const date = "[0-9]{4,7}-[0-9]{2}-[0-9]{2}";
const time = "[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]{1,9})?)?";
const offset = "(?:Z|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?)";
/** A time without a time zone: PostgreSQL would ignore another offset. */
const utc = "(?:Z|[+-]00(?::?00)?)";
const endless = "-?infinity";
const amount = "[+-]?[0-9]{1,18}(?:\\.[0-9]{1,9})?";
const part = (letters: string): string =>
  [...letters].map((letter) => `(?:${amount}${letter})?`).join("");
const number = "[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?";
const float = `(?:${number}|NaN|-?Infinity)`;
/** PostgreSQL would also read other bases and digits with underscores. */
export const integerForm = formOf("[+-]?[0-9]{1,40}");
const numberForm = formOf(`${number}|NaN|[+-]?Infinity`);
const point = `\\(${float},${float}\\)`;
const points = `${point}(?:,${point})*`;

/**
 * The forms of values whose text PostgreSQL would read in several ways, or by the settings of a session. They are the
 * forms of responses and what ISO 8601 permits beside them. Each matches in linear time.
 */
const forms: Readonly<Record<string, RegExp>> = {
  date: formOf(`${date}(?: BC)?|${endless}`),
  "time without time zone": formOf(time),
  "time with time zone": formOf(`${time}${offset}`),
  "timestamp without time zone": formOf(`${date}(?:[T ]${time}${utc}?)?(?: BC)?|${endless}`),
  "timestamp with time zone": formOf(`${date}(?:[T ]${time}${offset}?)?(?: BC)?|${endless}`),
  money: formOf("[+-]?[0-9]{1,20}(?:\\.[0-9]{1,20})?"),
  boolean: formOf("true|false|t|f"),
  point: formOf(point),
  lseg: formOf(`\\[${point},${point}\\]`),
  box: formOf(`${point},${point}`),
  path: formOf(`\\[${points}\\]|\\(${points}\\)`),
  polygon: formOf(`\\(${points}\\)`),
  circle: formOf(`<${point},${float}>`),
  line: formOf(`\\{${float},${float},${float}\\}`),
};

/** Numbers have any length. */
const numbers: Readonly<Record<string, RegExp>> = {
  smallint: integerForm,
  integer: integerForm,
  bigint: integerForm,
  numeric: numberForm,
  real: numberForm,
  "double precision": numberForm,
};

const duration = formOf(`P${part("YMWD")}(?:T${part("HMS")})?|${endless}`);
const amountForm = formOf(amount);
const clock = /^[+-]?[0-9]{1,10}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?$/;
const unit = /^(?:year|mon|month|week|day|hour|min|minute|sec|second)s?$/i;

/** Whether the text is an ISO 8601 duration, or amounts with spelled units and at most one time: `1 day 02:00:00`. */
function isInterval(text: string): boolean {
  if (duration.test(text)) return !/[PT]$/.test(text);
  const words = text.split(" ");
  const rest = clock.test(words.at(-1) ?? "") ? words.slice(0, -1) : words;
  return (
    rest.length % 2 === 0 &&
    rest.every((word, index) => (index % 2 === 0 ? amountForm : unit).test(word))
  );
}

/**
 * Whether a text has the documented form of a type's values: of the elements of an array and the bounds of a range too.
 * True for a type that has no such form here.
 */
export function hasValueForm(type: ColumnType, text: string): boolean {
  if (type.array) {
    const element = { ...type, array: false };
    return !isFormed(element) || everyElement(text, type.base, element);
  }
  if (type.kind === "RANGE") {
    const value = rangeValueType(type);
    return value === undefined || everyBound(text, value);
  }
  if (type.base === "interval") return text.length <= charsMax && isInterval(text);
  const bytesMax = Object.hasOwn(bytes, type.base) ? bytes[type.base] : undefined;
  if (bytesMax !== undefined) return isByteCode(type, text) || Buffer.byteLength(text) <= bytesMax;
  if (Object.hasOwn(numbers, type.base)) return numbers[type.base]?.test(text) ?? true;
  const form = Object.hasOwn(forms, type.base) ? forms[type.base] : undefined;
  if (form === undefined) return true;
  if (geometric.has(type.base)) return form.test(text.replaceAll(", ", ","));
  return text.length <= charsMax && form.test(text);
}

/** Types to whose number of bytes PostgreSQL truncates a text. */
const bytes: Readonly<Record<string, number>> = { name: 63, '"char"': 1 };

/** Whether the text is the octal form of a byte above 127. */
function isByteCode({ base }: ColumnType, text: string): boolean {
  return base === '"char"' && /^\\[0-3][0-7]{2}$/.test(text);
}

const geometric: ReadonlySet<string> = new Set([
  "point",
  "lseg",
  "box",
  "path",
  "polygon",
  "circle",
  "line",
]);

function isFormed(type: ColumnType): boolean {
  return (
    type.base === "interval" ||
    Object.hasOwn(bytes, type.base) ||
    Object.hasOwn(forms, type.base) ||
    Object.hasOwn(numbers, type.base) ||
    rangeValueType(type) !== undefined
  );
}

/** An element in an array's text, quoted or unquoted; the elements of an array of `box` end with a semicolon. */
const elements = /"((?:[^"\\]|\\.)*)"|((?:[^{}",\\]|\\.)+)/gs;
const boxes = /"((?:[^"\\]|\\.)*)"|((?:[^{}";\\]|\\.)+)/gs;

function everyElement(text: string, base: string, element: ColumnType): boolean {
  const found = text.slice(text.indexOf("{")).matchAll(base === "box" ? boxes : elements);
  for (const [, quoted, plain = ""] of found) {
    if (quoted === undefined && (plain.trim() === "" || /^\s*null\s*$/i.test(plain))) continue;
    const own = (quoted ?? plain.trim()).replace(/\\(.)/gs, "$1");
    if (!hasValueForm(element, own)) return false;
  }
  return true;
}

/** A bound in the text of a range or a multirange, quoted or unquoted. */
const bounds = /"((?:[^"\\]|\\.|"")*)"|((?:[^{}"()[\],\\]|\\.)+)/gs;

function everyBound(text: string, value: ColumnType): boolean {
  if (/^\s{0,9}empty\s{0,9}$/i.test(text)) return true;
  for (const [, quoted, plain = ""] of text.matchAll(bounds)) {
    const own = (quoted ?? plain).replace(/\\(.)/gs, "$1").trim();
    if (own !== "" && !hasValueForm(value, own)) return false;
  }
  return true;
}
