import { isMap } from "@rowhouse/access";
import type { Column, ColumnType } from "@rowhouse/db";
import { textOfCell } from "@rowhouse/wire";
import { bindValue, isVector } from "../execute/bind-value.ts";
import { holdsText } from "../export/export-columns.ts";
import { type FileForm, plainCellOf } from "./file-form.ts";
import { parseDocument } from "./parse-lines.ts";

/** Converts a cell to PostgreSQL's text; null for null, undefined if the column cannot hold the value. */
export type CellReader = (cell: string) => string | null | undefined;

const texts: ReadonlySet<string> = new Set(["text", "character varying"]);

/** Returns the reader of a column's cells: the forms that exports write, those of a JSON create, and those of the file. */
export function cellReaderOf(column: Column, form: FileForm): CellReader {
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

/** The JSON null is a value here, because an empty cell is the null of the column. */
function readDocument(cell: string): string | undefined {
  const parsed = parseDocument(cell);
  if (!("value" in parsed)) return undefined;
  const { value } = parsed;
  return value === null ? "null" : (bindValue(jsonType, value) ?? undefined);
}

const jsonType = { base: "jsonb", kind: "SCALAR", array: false } as ColumnType;

const isSpecial = /[\\\n\r\t]/;
const special = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Returns a value in the text format of COPY. */
export function copyText(value: string | null): string {
  if (value === null) return "\\N";
  return isSpecial.test(value) ? value.replaceAll(special, (found) => escapes[found] ?? "") : value;
}
