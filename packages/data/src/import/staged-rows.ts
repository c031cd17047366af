import type { Column } from "@rowhouse/db";
import { createError, createFault, type Fault } from "@rowhouse/errors";
import { bindValue } from "../execute/bind-value.ts";
import { groupsMax } from "../parse/parse-write.ts";
import { type CellReader, cellReaderOf, copyText } from "./cell-text.ts";
import type { FaultList } from "./fault-list.ts";
import type { FileForm } from "./file-form.ts";
import { rowPointer } from "./import-request.ts";
import type { CsvRecord } from "./parse-csv.ts";
import { type Line, parseDocument } from "./parse-lines.ts";

/** The rows of a file on their way to the staging table. */
export interface StagedRows<Item> {
  /** The columns of the staging table that hold values. */
  readonly columns: readonly Column[];
  /** The sets of fields that the rows set; the number of a row's set is stored beside it. */
  readonly fieldSets: readonly (readonly string[])[];
  /** Number of rows, the faulty ones included. */
  readonly count: number;
  /**
   * Returns rows as text for COPY; rows with faults are omitted.
   *
   * @throws AppError BODY_TOO_LARGE for too many rows
   */
  take(items: readonly Item[]): string;
}

/** Returns the details of a fault: its place in the file as a person finds it. */
export function placeOf(line: number, column?: string): Fault["details"] {
  return column === undefined ? { line } : { line, column };
}

function requireRow(count: number, rowsMax: number): void {
  if (count < rowsMax) return;
  throw createError("BODY_TOO_LARGE", {
    message: `An import has at most ${rowsMax} rows (limits.import_rows)`,
  });
}

/** Rows of a CSV file: one set of fields. */
export class StagedCsv implements StagedRows<CsvRecord> {
  readonly columns: readonly Column[];
  readonly fieldSets: readonly (readonly string[])[];
  count = 0;
  readonly #readers: readonly CellReader[];
  readonly #faults: FaultList;
  readonly #rowsMax: number;

  constructor(columns: readonly Column[], form: FileForm, faults: FaultList, rowsMax: number) {
    this.columns = columns;
    this.fieldSets = [columns.map(({ name }) => name)];
    this.#readers = columns.map((column) => {
      const read = cellReaderOf(column, form);
      // An export writes the null of a file with one column as "", because readers skip an empty line.
      const isNull = columns.length === 1 && read("") === undefined;
      return isNull ? (cell) => (cell === "" ? null : read(cell)) : read;
    });
    this.#faults = faults;
    this.#rowsMax = rowsMax;
  }

  take(records: readonly CsvRecord[]): string {
    let text = "";
    for (const record of records) text += this.#row(record);
    return text;
  }

  #row({ line, cells }: CsvRecord): string {
    const row = this.count;
    requireRow(row, this.#rowsMax);
    this.count += 1;
    if (cells === null || cells.length !== this.#readers.length) {
      const message =
        cells === null
          ? "A quote is not closed, or text stands beside a quoted cell"
          : `The row has ${cells.length} cells, and the header ${this.#readers.length}`;
      const options = { path: rowPointer(row), message, details: placeOf(line) };
      this.#faults.add(row, createFault("BODY_INVALID", options));
      return "";
    }
    let text = `${row}\t${line}\t0`;
    let isWhole = true;
    for (const [index, read] of this.#readers.entries()) {
      const cell = cells[index] ?? null;
      const value = cell === null ? null : read(cell);
      if (value === undefined) {
        isWhole = false;
        const name = this.columns[index]?.name ?? "";
        const options = { path: rowPointer(row, name), details: placeOf(line, name) };
        this.#faults.add(row, createFault("VALUE_INVALID", options));
      } else if (isWhole) text += `\t${copyText(value)}`;
    }
    return isWhole ? `${text}\n` : "";
  }
}

/** Rows of an NDJSON file: each line has its own set of fields. */
export class StagedLines implements StagedRows<Line> {
  readonly columns: readonly Column[];
  readonly fieldSets: (readonly string[])[] = [];
  count = 0;
  readonly #sets = new Map<string, FieldSet>();
  readonly #names: ReadonlySet<string>;
  readonly #faults: FaultList;
  readonly #rowsMax: number;

  /** @param columns those that the caller may create */
  constructor(columns: readonly Column[], faults: FaultList, rowsMax: number) {
    this.columns = columns;
    this.#names = new Set(columns.map(({ name }) => name));
    this.#faults = faults;
    this.#rowsMax = rowsMax;
  }

  take(lines: readonly Line[]): string {
    let text = "";
    for (const line of lines) text += this.#row(line);
    return text;
  }

  #row({ line, text }: Line): string {
    const row = this.count;
    requireRow(row, this.#rowsMax);
    this.count += 1;
    const refuse = (message: string): string => {
      const options = { path: rowPointer(row), message, details: placeOf(line) };
      this.#faults.add(row, createFault("BODY_INVALID", options));
      return "";
    };
    const parsed = parseDocument(text);
    if (!("value" in parsed)) return refuse(parsed.refusal);
    const { value: object } = parsed;
    if (typeof object !== "object" || object === null || Array.isArray(object)) {
      return refuse("A row is an object of fields");
    }
    const values = new Map<string, unknown>(Object.entries(object));
    if (values.size === 0) return refuse("A row of a list sets at least one field");
    const set = this.#setOf([...values.keys()]);
    if (set === undefined) {
      return refuse(`The rows of a list set at most ${groupsMax} different sets of fields`);
    }
    if (set.unknown.length > 0) {
      for (const name of set.unknown) {
        const options = {
          path: rowPointer(row, name),
          details: placeOf(line, name.toWellFormed()),
        };
        this.#faults.add(row, createFault("FIELD_UNKNOWN", options));
      }
      return "";
    }
    return this.#valuesOf(values, row, line, set.number);
  }

  #valuesOf(values: ReadonlyMap<string, unknown>, row: number, line: number, set: number): string {
    let text = `${row}\t${line}\t${set}`;
    let isWhole = true;
    for (const { name, type } of this.columns) {
      const value = values.get(name);
      const bound = value === undefined ? null : bindValue(type, value);
      if (bound === undefined) {
        isWhole = false;
        const options = { path: rowPointer(row, name), details: placeOf(line, name) };
        this.#faults.add(row, createFault("VALUE_INVALID", options));
      } else text += `\t${copyText(bound)}`;
    }
    return isWhole ? `${text}\n` : "";
  }

  /** Returns the set of fields; undefined beyond the maximum of different sets. */
  #setOf(fields: readonly string[]): FieldSet | undefined {
    const key = JSON.stringify([...fields].sort());
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const unknown = fields.filter((name) => !this.#names.has(name));
    // A set with an unknown field is not stored: a file may have any number of them.
    if (unknown.length > 0) return { number: -1, unknown };
    if (this.fieldSets.length >= groupsMax) return undefined;
    const set = { number: this.fieldSets.push(fields) - 1, unknown };
    this.#sets.set(key, set);
    return set;
  }
}

interface FieldSet {
  /** Its position among the sets. */
  readonly number: number;
  readonly unknown: readonly string[];
}
