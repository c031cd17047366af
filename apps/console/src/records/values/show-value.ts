import { writeJson } from "@rowhouse/client";
import { timeText } from "../../shell/time/time-text.ts";
import { isPossible, parseTime, utcOf } from "../../shell/time/zone.ts";
import { closeMarks } from "../../ui/isolated.tsx";
import { intervalUnits, readInterval } from "./interval-parts.ts";
import { bytesText, numberText, unitText, withoutFiller } from "./show-number.ts";
import {
  elementOf,
  hasEmptyText,
  titleIn,
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
  return oneLine(titleIn(column, value) ?? shownText(column, value, ways));
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
    case "FLOAT":
      return numberText(value, format, ways);
    case "DECIMAL":
      return numberText(withoutFiller(text, column), format, ways);
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
  return closeMarks(start.replace(/\s+/g, " "));
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

type Format = ValueColumn["format"];

const endless: Readonly<Record<string, "infinity" | "minusInfinity">> = {
  infinity: "infinity",
  "-infinity": "minusInfinity",
};

/** Shows a date; one that no calendar of the browser has, such as of the year 44 BC, as it is. */
function dateText(text: string, shown: Format, ways: Ways): string {
  const known = endless[text];
  if (known !== undefined) return ways.say(known);
  const date = parseTime(text);
  if (date === undefined) return text;
  const dateStyle = shown?.type === "date" ? (shown.style ?? "medium") : "medium";
  return timeText(utcOf(date), ways.locale, { dateStyle, timeZone: "UTC" });
}

/** Shows a timestamp: an instant in the person's zone, a time without a zone on its own clock. */
function timestampText(text: string, shown: Format, ways: Ways): string {
  const known = endless[text];
  if (known !== undefined) return ways.say(known);
  const time = parseTime(text);
  if (time === undefined) return text;
  const timeZone = time.offsetS === null ? "UTC" : ways.timeZone;
  const utcMs = utcOf(time) - (time.offsetS ?? 0) * 1000;
  if (shown?.type === "date") {
    return timeText(utcMs, ways.locale, { dateStyle: shown.style ?? "medium", timeZone });
  }
  const seconds = "seconds" in (shown ?? {}) && (shown as { seconds?: boolean }).seconds === true;
  const timeStyle = seconds ? "medium" : "short";
  if (shown?.type === "time") return timeText(utcMs, ways.locale, { timeStyle, timeZone });
  const dateStyle = shown?.type === "datetime" ? (shown.style ?? "medium") : "medium";
  return timeText(utcMs, ways.locale, { dateStyle, timeStyle, timeZone });
}

const clockForm = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?([+-]\d\d(?::\d\d){0,2}|Z)?$/;

/** Shows a time of day; seconds if it has any. */
function clockText(text: string, shown: Format, ways: Ways): string {
  const [, hour, minute, second = "0", , zone = ""] = clockForm.exec(text) ?? [];
  const clock = {
    ...{ year: 1970, month: 1, day: 1, microsecond: 0 },
    ...{ hour: Number(hour), minute: Number(minute), second: Number(second) },
  };
  if (hour === undefined || !isPossible(clock)) return text;
  const wanted = shown?.type === "time" ? shown.seconds : undefined;
  const timeStyle = (wanted ?? Number(second) > 0) ? "medium" : "short";
  return `${timeText(utcOf(clock), ways.locale, { timeStyle, timeZone: "UTC" })}${zone}`;
}

/** Shows an interval with the units of the person's language. */
function intervalText(text: string, ways: Ways): string {
  const parts = readInterval(text);
  if (parts === undefined) return text;
  const shown = intervalUnits
    .filter((unit) => parts[unit] !== "" && Number(parts[unit]) !== 0)
    .map((unit) => unitText(parts[unit], unit, ways.locale));
  return shown.length === 0 ? unitText("0", "second", ways.locale) : shown.join(" ");
}
