import { parseTime, utcOf, wallAt, writeWall } from "../../shell/time/zone.ts";
import { prettyJson } from "../values/pretty-json.ts";
import { separatorsOf } from "../values/read-number.ts";
import { readText } from "../values/read-text.ts";
import { plainText } from "../values/show-value.ts";
import { type ValueColumn, valueKindOf } from "../values/value-kind.ts";
import { isRead, type Ways } from "../values/ways.ts";

/** A text that an editor could not read. It takes the place of the value, so that what was typed is not lost. */
export class UnreadText {
  readonly text: string;
  /** A sentence for the person. */
  readonly fault: string;

  constructor(text: string, fault: string) {
    this.text = text;
    this.fault = fault;
  }
}

/** A text that is being looked up among the rows that it may name. */
export class PendingText extends UnreadText {
  constructor(text: string) {
    super(text, "");
  }
}

/** A list of which some items could not be read; they are `UnreadText`. */
export class UnreadList extends UnreadText {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[], fault: string) {
    super(
      items.map((item) => (item instanceof UnreadText ? item.text : String(item))).join(", "),
      fault,
    );
    this.items = items;
  }
}

/** A column with what an editor of its values must know. */
export type EditedColumn = ValueColumn & {
  readonly name: string;
  readonly label: string | null;
  readonly lengthMax?: number | null;
  readonly hasDefault?: boolean;
};

/** Returns the text that a person edits: local decimals and times, without grouping. */
export function editText(column: ValueColumn, value: unknown, ways: Ways): string {
  if (value === null || value === undefined) return "";
  if (value instanceof UnreadText) return value.text;
  const kind = valueKindOf(column);
  const text = String(value);
  switch (kind) {
    case "DECIMAL":
    case "FLOAT":
      return text.replace(".", separatorsOf(ways.locale).decimal);
    case "INSTANT": {
      const time = parseTime(text);
      if (time?.offsetS == null) return text;
      const utcMs = utcOf(time) - time.offsetS * 1000;
      return writeWall(wallAt(utcMs, time.microsecond, ways.timeZone), " ");
    }
    case "TIMESTAMP": {
      const time = parseTime(text);
      return time === undefined ? text : writeWall(time, " ");
    }
    case "TIME":
      return text.replace(/^(\d\d:\d\d):00$/, "$1");
    case "TEXT":
    case "ENUM":
      return text;
    case "JSON":
      return prettyJson(plainText(column, value));
    case "ARRAY":
      return listText(column, value, ways);
    default:
      return typeof value === "object" ? prettyJson(plainText(column, value)) : text;
  }
}

/** A list as `a, b` if that reads back as the same list, else as JSON. */
function listText(column: ValueColumn, value: unknown, ways: Ways): string {
  const exact = plainText(column, value);
  if (!Array.isArray(value) || value.length === 0) return exact;
  const short = value.join(", ");
  const reading = readText(column, short, ways);
  return isRead(reading) && plainText(column, reading.value) === exact ? short : exact;
}

/** Returns the value of a typed text, or the text with its fault. */
export function typedValue(column: EditedColumn, text: string, ways: Ways): unknown {
  const reading = readText(column, text, { ...ways, isTyped: true });
  return isRead(reading) ? reading.value : new UnreadText(text, reading.fault);
}
