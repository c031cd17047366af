import { parseJson } from "@rowhouse/client";
import { cellText, type Separator, separatorOf } from "./csv-splitter.ts";
import { csvRecords, fileLines, textOf } from "./file-records.ts";

/** A file that is about to be imported. */
export interface Source {
  readonly file: File;
  readonly format: "csv" | "ndjson";
  readonly separator: Separator;
  /** The names in its header, or in its first lines. */
  readonly names: readonly string[];
  /** The first rows, as texts in the order of the names. */
  readonly rows: readonly (readonly string[])[];
}

const previewRows = 5;

/** Reads the beginning of a file. */
export async function readSource(file: File): Promise<Source> {
  const format = /\.(?:ndjson|jsonl?)$/i.test(file.name) ? "ndjson" : "csv";
  const separator = format === "csv" ? await firstSeparator(file) : ",";
  const read = format === "csv" ? csvStart(file, separator) : linesStart(file);
  return { file, format, separator, ...(await read) };
}

async function firstSeparator(file: Blob): Promise<Separator> {
  for await (const part of textOf(file)) return separatorOf(part);
  return ",";
}

async function csvStart(file: Blob, separator: Separator) {
  const records: (readonly string[])[] = [];
  for await (const some of csvRecords(file, separator)) {
    records.push(...some.slice(0, previewRows + 1).map(({ cells }) => cells.map(cellText)));
    if (records.length > previewRows) break;
  }
  const [names = [], ...rows] = records;
  return { names, rows: rows.slice(0, previewRows) };
}

async function linesStart(file: Blob) {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const some of fileLines(file)) {
    for (const { text } of some.slice(0, 100)) {
      const row = parsedObject(text);
      if (row !== undefined) rows.push(row);
    }
    if (rows.length >= previewRows) break;
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const textOfValue = (value: unknown) =>
    typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return {
    names,
    rows: rows.slice(0, previewRows).map((row) => names.map((name) => textOfValue(row[name]))),
  };
}

/** Returns the object of a line; undefined for another value, which the service reports. */
export function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
