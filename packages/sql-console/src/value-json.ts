import type { ResultType } from "./result-type.ts";

/** Built-in OIDs by the JSON form of their values, which is that of the Data API. */
const numbers: ReadonlySet<string> = new Set(["21", "23", "26", "700", "701"]);
const documents: ReadonlySet<string> = new Set(["114", "3802"]);
const moments: ReadonlySet<string> = new Set(["1114", "1184"]);
const boolean = "16";
const bytes = "17";

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const momentForm = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)?(:\d\d)?$/;

/**
 * Converts a value from PostgreSQL's text format to JSON: exact numbers become strings, documents keep their digits,
 * bytes become base64, timestamps ISO 8601. If a statement changed PostgreSQL's output format, the value stays text.
 */
export function valueJson(text: string | null, type: ResultType): string {
  if (text === null) return "null";
  if (type.element !== null) return arrayJson(text, type.element) ?? JSON.stringify(text);
  const { base } = type;
  if (base === boolean && (text === "t" || text === "f")) return String(text === "t");
  if (numbers.has(base) && numberForm.test(text)) return text;
  if (documents.has(base)) return text;
  if (base === bytes && text.startsWith("\\x")) {
    return JSON.stringify(Buffer.from(text.slice(2), "hex").toString("base64"));
  }
  if (moments.has(base)) {
    const [, day, time, zone = "", minutes = zone === "" ? "" : ":00"] =
      momentForm.exec(text) ?? [];
    if (day !== undefined) return JSON.stringify(`${day}T${time}${zone}${minutes}`);
  }
  return JSON.stringify(text);
}

interface Items {
  readonly type: ResultType;
  readonly delimiter: string;
}

/** Converts an array's text to JSON; undefined for a text of another form (int2vector has its own). */
function arrayJson(text: string, items: Items): string | undefined {
  // Non-default bounds precede it.
  const start = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  if (text[start] !== "{") return undefined;
  let at = start;
  const item = /"((?:[^"\\]|\\[\s\S])*)"|[^{}"]+/y;

  const list = (): string | undefined => {
    at += 1;
    const parts: string[] = [];
    for (;;) {
      if (text[at] === "}") break;
      if (text[at] === items.delimiter) at += 1;
      if (text[at] === "{") {
        const inner = list();
        if (inner === undefined) return undefined;
        parts.push(inner);
        continue;
      }
      const value = scalar();
      if (value === undefined) return undefined;
      parts.push(value);
    }
    at += 1;
    return `[${parts.join(",")}]`;
  };
  const scalar = (): string | undefined => {
    item.lastIndex = at;
    const [found, quoted] = item.exec(text) ?? [];
    if (found === undefined) return undefined;
    if (quoted !== undefined) {
      at += found.length;
      return valueJson(quoted.replaceAll(/\\([\s\S])/g, "$1"), items.type);
    }
    const end = found.indexOf(items.delimiter);
    const plain = end < 0 ? found : found.slice(0, end);
    at += plain.length;
    return valueJson(plain === "NULL" ? null : plain, items.type);
  };
  return list();
}
