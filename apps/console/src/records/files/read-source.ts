import { readJson } from "@rowhouse/client";
import { CsvReader } from "@rowhouse/wire";
import { cellText, separatorOf, separators } from "./csv-text.ts";
import {
  type CsvFile,
  csvRecords,
  type Encoding,
  fileLines,
  possibleEncodings,
  textOf,
} from "./file-records.ts";

/** A file that is about to be imported. */
export interface Source {
  readonly file: File;
  readonly format: "csv" | "ndjson";
  readonly separator: string;
  /** The separators that the file can have. */
  readonly separators: readonly string[];
  readonly encoding: Encoding;
  /** The encodings that the file can have. */
  readonly encodings: readonly Encoding[];
  /** The names in its header, or in its first lines. */
  readonly names: readonly string[];
  /** The first rows, up to a thousand, as texts in the order of the names. */
  readonly rows: readonly (readonly string[])[];
  /** The rows that are not imported, counted from 0 without the header. */
  readonly skipped?: ReadonlySet<number>;
}

const sampleRows = 1000;

/**
 * Reads the beginning of a file.
 *
 * @param chosen what the person has chosen in place of what the file shows
 */
export async function readSource(
  file: File,
  chosen: { readonly encoding?: Encoding; readonly separator?: string } = {},
): Promise<Source> {
  if (/\.(?:ndjson|jsonl?)$/i.test(file.name)) {
    const form = {
      separator: ",",
      separators: [","],
      encoding: "utf-8",
      encodings: ["utf-8"],
    } as const;
    return { file, format: "ndjson", ...form, ...(await linesStart(file)) };
  }
  const encodings = await possibleEncodings(file);
  const encoding = chosen.encoding ?? encodings[0] ?? "utf-8";
  const possible = await possibleSeparators(file, encoding);
  const [first = ","] = possible;
  const separator = possible.find((each) => each === chosen.separator) ?? first;
  const read = await csvStart({ file, separator, encoding });
  const form = { separator, separators: possible, encoding, encodings };
  return { file, format: "csv", ...form, ...read };
}

/** Returns the separators that a file can have, the likely one first: only the one that its first line names, if it does. */
async function possibleSeparators(file: Blob, encoding: Encoding): Promise<readonly string[]> {
  for await (const text of textOf(file, encoding)) {
    const reader = new CsvReader(null);
    reader.push(text, true);
    const named = reader.namedDelimiter;
    if (named !== undefined && separators.includes(named)) return [named];
    const likely = separatorOf(text);
    return [likely, ...separators.filter((each) => each !== likely)];
  }
  return separators;
}

async function csvStart(file: CsvFile) {
  const records: (readonly string[])[] = [];
  for await (const some of csvRecords(file)) {
    // The service reports a malformed record, whose text stands here.
    const texts = some.slice(0, sampleRows + 1).map((record) => record.cells ?? [record.text]);
    records.push(...texts.map((cells) => cells.map((cell) => cell ?? "")));
    if (records.length > sampleRows) break;
  }
  const [names = [], ...rows] = records;
  return { names, rows: rows.slice(0, sampleRows) };
}

async function linesStart(file: Blob) {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const some of fileLines(file)) {
    for (const { text } of some.slice(0, 100)) {
      const row = parsedObject(text);
      if (row !== undefined) rows.push(row);
    }
    if (rows.length >= sampleRows) break;
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const textOfValue = (value: unknown) =>
    typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return {
    names,
    rows: rows.slice(0, sampleRows).map((row) => names.map((name) => textOfValue(row[name]))),
  };
}

/** Returns the object of a line; undefined for another value, which the service reports. */
export function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = readJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A row of a file that is imported. */
export interface FileRow {
  /** Its number in the file, counted from 0. */
  readonly row: number;
  readonly line: number;
  /** The text of its line. */
  readonly text: string;
  /** The cells of CSV; null for a malformed row and for NDJSON. */
  readonly cells: readonly (string | null)[] | null;
}

/** Yields the rows of a file that are not skipped, in the parts in which it is read. */
export async function* fileRows(source: Source): AsyncGenerator<FileRow[]> {
  const isCsv = source.format === "csv";
  let next = isCsv ? -1 : 0;
  const parts = isCsv ? csvRecords(source) : fileLines(source.file);
  for await (const part of parts) {
    yield part.flatMap((one): FileRow[] => {
      const row = next;
      next += 1;
      if (row < 0 || source.skipped?.has(row) === true) return [];
      const cells = "cells" in one ? one.cells : null;
      const text = "text" in one ? one.text : writeCells(one.cells, source.separator);
      return [{ row, line: one.line, cells, text }];
    });
  }
}

function writeCells(cells: readonly (string | null)[], separator: string): string {
  return cells.map((cell) => cellText(cell, separator)).join(separator);
}
