import {
  booleanFormats,
  parseBooleanFormat,
  parseDateFormat,
  readBoolean,
  readDate,
} from "@rowhouse/wire";
import type { NavigationColumn } from "../../shell/navigation.ts";
import type { Mapping } from "./column-mapping.ts";

/** How the cells of a file are written; the empty formats are that of ISO 8601, and true and false. */
export interface CellForms {
  readonly dateFormat: string;
  readonly booleanFormat: string;
  readonly decimal: "dot" | "comma";
}

/** What a file shows of the forms of its cells. */
interface ProposedForms {
  /** The date formats that read every date of the sample; several if days and months can be exchanged. */
  readonly dateFormats: readonly string[];
  /** The boolean formats that read every boolean of the sample. */
  readonly booleanFormats: readonly string[];
  /** Both if the sample has only numbers such as 1,234. */
  readonly decimals: readonly CellForms["decimal"][];
  /** A cell that can be read in several ways. */
  readonly dateExample: string | undefined;
  readonly booleanExample: string | undefined;
  readonly decimalExample: string | undefined;
}

type Column = Pick<NavigationColumn, "name" | "baseType" | "array">;

/** Formats of dates that a person chooses among. */
export const dateFormats = [
  ...["", "dd.mm.yyyy", "dd/mm/yyyy", "mm/dd/yyyy", "dd-mm-yyyy", "mm-dd-yyyy"],
  ...["yyyy/mm/dd", "yyyy.mm.dd", "yyyymmdd"],
] as const;
const times = ["", " hh:mi", " hh:mi:ss"];
const fractions: ReadonlySet<string> = new Set(["numeric", "real", "double precision", "money"]);

/** Whether values of a column are dates, or dates with times. */
function timeOf({ baseType, array }: Column): "DATE" | "MOMENT" | undefined {
  if (array) return undefined;
  if (baseType === "date") return "DATE";
  return baseType.startsWith("timestamp ") ? "MOMENT" : undefined;
}

/** Whether a column holds one boolean. */
export function isBoolean({ baseType, array }: Column): boolean {
  return !array && baseType === "boolean";
}

/** Whether the form of the file decides how a column's cells are read. */
export function hasForm(column: Column): boolean {
  if (timeOf(column) !== undefined || isBoolean(column)) return true;
  return !column.array && fractions.has(column.baseType);
}

/** Returns the value that the Data API reads from a cell; undefined if it refuses the cell. */
export function readCell(column: Column, cell: string, forms: CellForms): string | undefined {
  const time = timeOf(column);
  if (time !== undefined) return readDay(forms.dateFormat, cell, time === "MOMENT");
  if (isBoolean(column)) return readFlag(forms.booleanFormat, cell);
  if (forms.decimal === "dot") return /^[+-]?\d+(?:\.\d+)?$/.test(cell) ? cell : undefined;
  return /^[+-]?\d+(?:,\d+)?$/.test(cell) ? cell.replace(",", ".") : undefined;
}

function readFlag(format: string, cell: string): string | undefined {
  const parsed = format === "" ? null : parseBooleanFormat(format);
  return parsed === undefined ? undefined : readBoolean(parsed, cell);
}

function readDay(format: string, cell: string, hasTime: boolean): string | undefined {
  const parsed = parseDateFormat(format === "" ? "yyyy-mm-dd" : format);
  const read = parsed === undefined ? undefined : readDate(parsed, cell, hasTime);
  if (read === undefined) return undefined;
  const day = read.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(day) ? read : undefined;
}

/** Finds out from the first rows of a file how its dates and numbers are written. */
export function proposeForms(
  rows: readonly (readonly string[])[],
  mapping: Mapping,
  columns: readonly Column[],
): ProposedForms {
  const cells = mapping.flatMap((name, index) => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined || !hasForm(column)) return [];
    return rows.flatMap((row) => {
      const cell = row[index] ?? "";
      return cell === "" ? [] : { cell, time: timeOf(column), isFlag: isBoolean(column) };
    });
  });
  const days = cells.filter(({ time }) => time !== undefined);
  const reads = (format: string) =>
    days.every(({ cell, time }) => readDay(format, cell, time === "MOMENT") !== undefined);
  const possible = dateFormats.flatMap((format) => {
    const variants = format === "" ? [""] : times.map((time) => format + time);
    return variants.find(reads) ?? [];
  });
  const flags = cells.flatMap(({ cell, isFlag }) => (isFlag ? cell : []));
  const readsFlags = (format: string) =>
    flags.every((cell) => readFlag(format, cell) !== undefined);
  const numbers = cells.flatMap(({ cell, time, isFlag }) =>
    time === undefined && !isFlag ? cell : [],
  );
  const withComma = numbers.filter((cell) => /^[+-]?\d+,\d+$/.test(cell));
  const isComma = withComma.length > 0 && !numbers.some((cell) => cell.includes("."));
  const isThousands = withComma.every((cell) => /,\d{3}$/.test(cell));
  const isClear = days.length === 0 || possible.includes("");
  return {
    dateFormats: isClear ? [""] : possible,
    booleanFormats: readsFlags("") ? [""] : booleanFormats.filter(readsFlags),
    decimals: isComma ? (isThousands ? ["dot", "comma"] : ["comma"]) : ["dot"],
    dateExample: days[0]?.cell,
    booleanExample: flags.find((cell) => readFlag("", cell) === undefined),
    decimalExample: withComma[0],
  };
}
