import { readJson } from "@rowhouse/client";
import { findJsonFault } from "./json-fault.ts";
import { readDecimal, readInteger } from "./read-number.ts";
import { readClock, readDate, readInstant, readTimestamp } from "./read-time.ts";
import { elementOf, hasEmptyText, type ValueColumn, valueKindOf } from "./value-kind.ts";
import { isRead, type Reading, type Ways } from "./ways.ts";

const uuidForm = /^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i;
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const labelsShown = 12;

/**
 * Reads a text that was typed or pasted. `\N` is null everywhere; the empty text is null in columns that cannot have an
 * empty text. A typed `\N` is a text like any other where texts are values. Digits of `bigint` and `numeric` stay texts.
 */
export function readText(
  column: ValueColumn & { readonly lengthMax?: number | null },
  text: string,
  ways: Ways,
): Reading {
  const isMarked = text === "\\N" && !(ways.isTyped === true && hasEmptyText(column));
  const isNull = isMarked || (!hasEmptyText(column) && text.trim() === "");
  if (isNull) {
    return column.nullable ? { value: null } : { fault: ways.say("fault.required") };
  }
  const kind = valueKindOf(column);
  const trimmed = text.trim();
  switch (kind) {
    case "INTEGER":
      return readInteger(column, trimmed, ways);
    case "DECIMAL":
    case "FLOAT":
      return readDecimal(column, trimmed, ways);
    case "BOOLEAN":
      return readBoolean(column, trimmed, ways);
    case "DATE":
      return readDate(trimmed, ways);
    case "TIME":
      return readClock(trimmed, ways);
    case "TIMESTAMP":
      return readTimestamp(trimmed, ways);
    case "INSTANT":
      return readInstant(trimmed, ways);
    case "ENUM":
      return readLabel(column, text, ways);
    case "UUID":
      return uuidForm.test(trimmed) ? { value: trimmed } : { fault: ways.say("fault.uuid") };
    case "JSON":
      return readDocument(text, ways);
    case "BYTES":
      return readBytes(trimmed, ways);
    case "ARRAY":
      return readArray(column, trimmed, ways);
    case "INTERVAL":
    case "RANGE":
      return { value: trimmed };
    case "TEXT": {
      const value = ways.isTyped === true ? text : unmarked(text);
      const max = column.lengthMax ?? null;
      // PostgreSQL counts code points.
      return max !== null && value.length > max && [...value].length > max
        ? { fault: ways.say("fault.length", { max }) }
        : { value };
    }
    case "OTHER":
      return { value: objectIn(text) ?? unmarked(text) };
    default:
      return kind satisfies never;
  }
}

/** Returns the text that `plainText` marked with a backslash because it looks like null. */
function unmarked(text: string): string {
  return /^\\{2,}N$/.test(text) ? text.slice(1) : text;
}

/** Returns the object that a composite value or a map has as its text. */
function objectIn(text: string): unknown {
  if (!/^\{\s*["}]/.test(text) || findJsonFault(text) !== undefined) return undefined;
  const value = readJson(text);
  return text === "{}" ? undefined : value;
}

function readBoolean(column: ValueColumn, text: string, ways: Ways): Reading {
  const { format } = column;
  const captions = format?.type === "boolean" ? format : undefined;
  const lower = text.toLowerCase();
  const among = (...words: readonly (string | undefined)[]) =>
    words.some((word) => word?.toLowerCase() === lower);
  if (among(captions?.true, ways.say("yes"), "true", "t", "yes", "y", "on", "1", "ja", "wahr")) {
    return { value: true };
  }
  if (
    among(captions?.false, ways.say("no"), "false", "f", "no", "n", "off", "0", "nein", "falsch")
  ) {
    return { value: false };
  }
  return { fault: ways.say("fault.boolean") };
}

/** Reads a label of an enum; differences of case and of blanks around it do not count if one label remains. */
function readLabel(column: ValueColumn, text: string, ways: Ways): Reading {
  const labels = column.values ?? [];
  if (labels.includes(text)) return { value: text };
  const wanted = text.trim().toLowerCase();
  const alike = labels.filter((label) => label.toLowerCase() === wanted);
  const [only] = alike;
  if (alike.length === 1 && only !== undefined) return { value: only };
  const shown = labels.slice(0, labelsShown).join(", ");
  return {
    fault: ways.say("fault.enum", {
      labels: `${shown}${labels.length > labelsShown ? ", …" : ""}`,
    }),
  };
}

/** Reads JSON with the digits of its numbers. */
function readDocument(text: string, ways: Pick<Ways, "say">): Reading {
  const fault = findJsonFault(text);
  if (fault === undefined) return { value: readJson(text) };
  const { line, column } = fault;
  return { fault: ways.say("fault.json", { line, column }) };
}

/** Reads base64, or PostgreSQL's hexadecimal form; the value is base64, as the Data API returns it. */
function readBytes(text: string, ways: Ways): Reading {
  const hex = /^\\x((?:[0-9a-f]{2})*)$/i.exec(text)?.[1];
  if (hex !== undefined) {
    const bytes = (hex.match(/../g) ?? []).map((pair) =>
      String.fromCharCode(Number.parseInt(pair, 16)),
    );
    return { value: btoa(bytes.join("")) };
  }
  const compact = text.replace(/\s/g, "");
  return base64Form.test(compact) ? { value: compact } : { fault: ways.say("fault.bytes") };
}

/** Reads a list as JSON, as PostgreSQL's `{…}`, or as values with commas between them. */
function readArray(column: ValueColumn, text: string, ways: Ways): Reading {
  if (/^(?:\{|\[-?\d+:)/.test(text)) return { value: text };
  if (text.startsWith("[") && findJsonFault(text) === undefined) {
    const value: unknown = readJson(text);
    if (Array.isArray(value)) return { value };
  }
  if (/^[[{]/.test(text) || valueKindOf(elementOf(column)) === "JSON") {
    return { fault: ways.say("fault.list") };
  }
  const element = elementOf(column);
  const value: unknown[] = [];
  for (const [index, part] of text.split(/[,;\n]/).entries()) {
    const reading = readText(element, part.trim(), ways);
    if (!isRead(reading)) {
      const { fault } = reading;
      return { fault: ways.say("fault.element", { position: index + 1, fault }) };
    }
    value.push(reading.value);
  }
  return { value };
}
