import type { ColumnType } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { type DateFormat, parseDateFormat, readDate } from "@rowhouse/wire";

/** How the cells of a CSV file are written. */
export interface FileForm {
  /** Null for the forms of a JSON create. */
  readonly dates: DateFormat | null;
  readonly decimal: "dot" | "comma";
  readonly delimiter: string;
  readonly encoding: Encoding;
}

/** A file in the dialect of exports. */
const exportedForm: FileForm = {
  ...{ dates: null, decimal: "dot", delimiter: ",", encoding: "utf-8" },
};

/** Names of the signs between cells. */
export const delimiters: Readonly<Record<string, string>> = {
  ...{ ",": ",", ";": ";", tab: "\t", pipe: "|" },
};
export const encodings = ["utf-8", "windows-1252", "iso-8859-1", "utf-16"] as const;
export type Encoding = (typeof encodings)[number];
export const decimals = ["dot", "comma"] as const;

/** The query parameters of a form. */
export const formParameters = ["date_format", "decimal", "delimiter", "encoding"] as const;

/** Parses the parameters of a form; adds a fault for each that is unknown. */
export function parseFileForm(
  parameters: ReadonlyMap<string, string>,
  format: "CSV" | "NDJSON",
  faults: Fault[],
): FileForm {
  const refuse = (path: string, message: string) => {
    faults.push(createFault("QUERY_INVALID", { path, message }));
  };
  const given = formParameters.filter((name) => parameters.has(name));
  if (format === "NDJSON") {
    for (const name of given) refuse(name, `${name} applies to CSV only`);
    return exportedForm;
  }
  const oneOf = <Value extends string>(
    name: string,
    known: readonly Value[],
  ): Value | undefined => {
    const value = parameters.get(name);
    const found = known.find((each) => each === value);
    if (value !== undefined && found === undefined) {
      refuse(name, `${name} must be one of ${known.join(" ")}`);
    }
    return found;
  };
  const dates = parameters.get("date_format");
  const parsed = dates === undefined ? null : parseDateFormat(dates);
  if (parsed === undefined) {
    const message =
      "date_format has yyyy, mm and dd, then hh, mi and ss if it has times, with signs between them: dd.mm.yyyy hh:mi";
    refuse("date_format", message);
  }
  const delimiter = oneOf("delimiter", Object.keys(delimiters)) ?? ",";
  return {
    dates: parsed ?? null,
    decimal: oneOf("decimal", decimals) ?? exportedForm.decimal,
    delimiter: delimiters[delimiter] ?? ",",
    encoding: oneOf("encoding", encodings) ?? exportedForm.encoding,
  };
}

const fractions: ReadonlySet<string> = new Set(["numeric", "real", "double precision", "money"]);
const decimalComma = /^[+-]?[0-9]+(?:,[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?$/;

/**
 * Returns the function that writes a cell in the form of a JSON create; undefined if every cell has it. Its result is
 * undefined for a cell in another form than the file's.
 */
export function plainCellOf(
  type: ColumnType,
  { dates, decimal }: FileForm,
): ((cell: string) => string | undefined) | undefined {
  if (type.array) return undefined;
  if (decimal === "comma" && fractions.has(type.base)) {
    return (cell) => {
      if (decimalComma.test(cell)) return cell.replace(",", ".");
      return cell.includes(".") || cell.includes(",") ? undefined : cell;
    };
  }
  const hasTime = type.base.startsWith("timestamp ");
  if (dates === null || (type.base !== "date" && !hasTime)) return undefined;
  return (cell) => readDate(dates, cell, hasTime);
}
