import { isMap } from "@rowhouse/access";
import { builtInType, type Column, type ColumnType } from "@rowhouse/db";
import { createError, createFault, type Fault, type FaultOptions } from "@rowhouse/errors";
import { type CsvRecord, textOfCell } from "@rowhouse/wire";
import { holdsText } from "../cells/cell-sql.ts";
import { bindValue, faultsOfValue, isVector } from "../execute/bind-value.ts";
import { groupsMax } from "../parse/parse-write.ts";
import { type CsvDialect, plainCellOf, rowPointer } from "./import-request.ts";
import type { FileHead, StagedReference } from "./named-references.ts";
import type { OpenFile } from "./open-file.ts";
import { type Line, parseDocument } from "./parse-records.ts";
import { fileLocationOf, type RowFaults } from "./row-faults.ts";

/** The rows of a file as COPY receives them. */
export interface StagedFile
  extends Pick<StagedRows<unknown>, "columns" | "references" | "fieldSets" | "count"> {
  /** Yields the rows as text. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Creates the rows of a file.
 *
 * @param heads what the cells of CSV are; null for NDJSON
 * @param creatable the columns of which the caller may create values
 */
export function createStagedRows(
  { file, heads }: { readonly file: OpenFile; readonly heads: readonly FileHead[] | null },
  creatable: readonly Column[],
  form: CsvDialect,
  faults: RowFaults,
  rowsMax: number,
): StagedFile {
  if (file.format === "NDJSON") {
    return withChunks(new StagedLines(creatable, faults, rowsMax), file.items);
  }
  for (const name of (heads ?? []).flatMap((head) => head.names)) {
    // The rights have changed since they were proven.
    if (!creatable.some((each) => each.name === name)) {
      throw createError("FIELD_UNKNOWN", { path: `/${name}` });
    }
  }
  return withChunks(new StagedCsv(heads ?? [], form, faults, rowsMax), file.items);
}

function withChunks<Item>(
  rows: StagedRows<Item>,
  items: AsyncIterable<readonly Item[]>,
): StagedFile {
  return {
    columns: rows.columns,
    references: rows.references,
    fieldSets: rows.fieldSets,
    get count() {
      return rows.count;
    },
    chunks: async function* () {
      for await (const each of items) {
        const text = rows.take(each);
        if (text !== "") yield Buffer.from(text);
      }
    },
  };
}

/** The rows of a file on their way to the staging table. */
interface StagedRows<Item> {
  /** The columns of the staging table that hold values. */
  readonly columns: readonly Column[];
  /** The references that the file has by title. */
  readonly references: readonly StagedReference[];
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

function requireRow(count: number, rowsMax: number): void {
  if (count < rowsMax) return;
  throw createError("BODY_TOO_LARGE", {
    message: `An import has at most ${rowsMax} rows (limits.import_rows)`,
  });
}

/** Rows of a CSV file: one set of fields. */
class StagedCsv implements StagedRows<CsvRecord> {
  readonly columns: readonly Column[];
  readonly references: readonly StagedReference[];
  readonly fieldSets: readonly (readonly string[])[];
  count = 0;
  readonly #cells: readonly StagedCell[];
  /** The position of each stored text: that of the cell and of its reading. */
  readonly #placed: readonly TextOfCell[];
  readonly #faults: RowFaults;
  readonly #rowsMax: number;

  constructor(heads: readonly FileHead[], form: CsvDialect, faults: RowFaults, rowsMax: number) {
    this.references = heads.flatMap(({ reference }) => reference ?? []);
    const valued = heads.flatMap(({ column }) => column ?? []);
    const titled = this.references.flatMap(({ own }) => own);
    this.columns = [...new Set([...valued, ...titled])];
    this.fieldSets = [this.columns.map(({ name }) => name)];
    this.#cells = heads.map(({ column, reference }) =>
      cellOf(column, reference, heads.length, form),
    );
    const at = (column: Column) => heads.findIndex((head) => head.column === column);
    this.#placed = [
      ...this.columns.map((column) => ({ cell: at(column), part: "VALUE" as const })),
      ...this.references.flatMap((reference) => {
        const cell = heads.findIndex((head) => head.reference === reference);
        const keys = reference.own.map((column) =>
          reference.isBesideKey
            ? { cell: at(column), part: "VALUE" as const }
            : { cell, part: reference.own.length === 1 ? ("KEY" as const) : ("NONE" as const) },
        );
        return [{ cell, part: "VALUE" as const }, ...keys];
      }),
    ];
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
    if (cells === null || cells.length !== this.#cells.length) {
      const message =
        cells === null
          ? "A quote is not closed, or text stands beside a quoted cell"
          : `The row has ${cells.length} cells, and the header ${this.#cells.length}`;
      const options = { path: rowPointer(row), message, details: fileLocationOf(line) };
      this.#faults.add(row, createFault("BODY_INVALID", options));
      return "";
    }
    const values: (string | null)[] = [];
    let isWhole = true;
    for (const [index, { read, column }] of this.#cells.entries()) {
      const cell = cells[index] ?? null;
      const value = cell === null ? null : read(cell);
      values.push(value ?? null);
      if (value !== undefined) continue;
      isWhole = false;
      const name = column?.name ?? "";
      const details = fileLocationOf(line, name);
      for (const fault of faultsOfCell(column?.type, cell ?? "", rowPointer(row, name), details)) {
        this.#faults.add(row, fault);
      }
    }
    if (!isWhole) return "";
    let text = `${row}\t${line}\t0`;
    for (const { cell, part } of this.#placed) {
      const sent = cells[cell] ?? null;
      const value =
        part === "VALUE" ? values[cell] : sent === null ? null : this.#cells[cell]?.readKey?.(sent);
      text += `\t${copyText(value ?? null)}`;
    }
    return `${text}\n`;
  }
}

/** How the cells of one head are read. */
interface StagedCell {
  /** Undefined for a title. */
  readonly column: Column | undefined;
  readonly read: CellReader;
  /** Reads a title that can be a key. */
  readonly readKey?: CellReader;
}

/** A stored text: what a cell has, or the key that it is if it is no title. */
interface TextOfCell {
  /** -1 for none. */
  readonly cell: number;
  readonly part: "VALUE" | "KEY" | "NONE";
}

function cellOf(
  column: Column | undefined,
  reference: StagedReference | undefined,
  count: number,
  form: CsvDialect,
): StagedCell {
  if (column !== undefined) {
    const read = cellReaderOf(column, form);
    // An export writes the null of a file with one column as "", because readers skip an empty line.
    const isNull = count === 1 && read("") === undefined;
    return { column, read: isNull ? (cell) => (cell === "" ? null : read(cell)) : read };
  }
  const readTitle: CellReader = (cell) => {
    if (cell.includes("\0")) return undefined;
    return cell === "" ? null : textOfCell(cell);
  };
  const [only] = reference?.own ?? [];
  const readKey = only === undefined ? undefined : cellReaderOf(only, form);
  return { column: undefined, read: readTitle, ...(readKey && { readKey }) };
}

/** Rows of an NDJSON file: each line has its own set of fields. */
class StagedLines implements StagedRows<Line> {
  readonly columns: readonly Column[];
  readonly references = [];
  readonly fieldSets: (readonly string[])[] = [];
  count = 0;
  readonly #sets = new Map<string, FieldSet>();
  readonly #names: ReadonlySet<string>;
  readonly #faults: RowFaults;
  readonly #rowsMax: number;

  /** @param columns those that the caller may create */
  constructor(columns: readonly Column[], faults: RowFaults, rowsMax: number) {
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
      const options = { path: rowPointer(row), message, details: fileLocationOf(line) };
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
          details: fileLocationOf(line, name.toWellFormed()),
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
        const details = fileLocationOf(line, name);
        for (const fault of faultsOfValue(type, value, rowPointer(row, name), { details })) {
          this.#faults.add(row, fault);
        }
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

/** Converts a cell to PostgreSQL's text; null for null, undefined if the column cannot hold the value. */
type CellReader = (cell: string) => string | null | undefined;

const texts: ReadonlySet<string> = new Set(["text", "character varying"]);

/** Returns the reader of a column's cells: the forms that exports write, those of a JSON create, and those of the file. */
function cellReaderOf(column: Column, form: CsvDialect): CellReader {
  const read = plainReaderOf(column);
  const plainCell = plainCellOf(column.type, form);
  if (plainCell === undefined) return read;
  return (cell) => {
    const text = plainCell(cell);
    return text === undefined ? undefined : read(text);
  };
}

function plainReaderOf({ type }: Column): CellReader {
  const isText = texts.has(type.base) && !type.array && type.kind !== "COMPOSITE";
  if (isText && type.lengthMax === null) {
    return (cell) => (cell.includes("\0") ? undefined : textOfCell(cell));
  }
  if (!type.array && (type.base === "json" || type.base === "jsonb")) return readDocument;
  const read: CellReader = (cell) =>
    isJson(type, cell) ? readJson(type, cell) : bindValue(type, cell);
  return holdsText(type) ? (cell) => read(textOfCell(cell)) : read;
}

function isJson(type: ColumnType, cell: string): boolean {
  if (type.array || isVector(type)) return cell.startsWith("[");
  return type.kind === "COMPOSITE" || (isMap(type) && cell.startsWith("{"));
}

function readJson(type: ColumnType, cell: string): string | null | undefined {
  const parsed = parseDocument(cell);
  return "value" in parsed ? bindValue(type, parsed.value) : undefined;
}

/** Returns the faults of a cell that its reader rejects; only the JSON of a composite has keys. */
function faultsOfCell(
  type: ColumnType | undefined,
  cell: string,
  path: string,
  details: FaultOptions["details"],
): readonly Fault[] {
  const parsed = type?.attributes == null ? {} : parseDocument(cell);
  return type !== undefined && "value" in parsed
    ? faultsOfValue(type, parsed.value, path, { details })
    : [createFault("VALUE_INVALID", { path, details })];
}

/** The JSON null is a value here, because an empty cell is the null of the column. */
function readDocument(cell: string): string | undefined {
  const parsed = parseDocument(cell);
  if (!("value" in parsed)) return undefined;
  const { value } = parsed;
  return value === null ? "null" : (bindValue(jsonType, value) ?? undefined);
}

const jsonType = builtInType("jsonb");

const isSpecial = /[\\\n\r\t]/;
const special = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Returns a value in the text format of COPY. */
function copyText(value: string | null): string {
  if (value === null) return "\\N";
  return isSpecial.test(value) ? value.replaceAll(special, (found) => escapes[found] ?? "") : value;
}
