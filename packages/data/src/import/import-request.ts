import type { ColumnType } from "@rowhouse/db";
import { createError, createFault, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
import {
  type BooleanFormat,
  csvDelimiters,
  type DateFormat,
  parseBooleanFormat,
  parseDateFormat,
  readBoolean,
  readDate,
} from "@rowhouse/wire";
import { plainForms, type ReaderForms } from "../cells/heads.ts";
import { readForms } from "../export/export-request.ts";
import { inTimeZone } from "../parse/headers.ts";
import { fileParameters } from "../parse/parse-read.ts";
import { parseConflict } from "../parse/parse-write.ts";
import { parseQuery, requireKnown, shapeOf } from "../parse/query-parameters.ts";
import type { CreateRequest, OnConflict, RequestParts, Target } from "../parse/request.ts";

export type ImportFormat = "CSV" | "NDJSON";

/** The rows of a file, to be created in one table. */
export interface ImportRequest {
  readonly target: Target;
  readonly format: ImportFormat;
  /** How the cells of a CSV file are written. */
  readonly form: CsvDialect;
  /** How a CSV file names columns and shows references. */
  readonly forms: ReaderForms;
  /** Whether the import is rolled back at its end. */
  readonly dryRun: boolean;
  readonly conflict: OnConflict | null;
  readonly minimal: boolean;
  /** The header `X-Service-Timezone`; null without it. */
  readonly timeZone: string | null;
  /** The header `Idempotency-Key`; null without it. */
  readonly key: string | null;
}

/** The parts of an import's HTTP request besides its body. */
export type ImportParts = Pick<RequestParts, "target" | "query"> &
  Pick<ImportRequest, "format" | "minimal" | "timeZone" | "key">;

/**
 * Parses an import.
 *
 * @throws AppError with every fault; METHOD_NOT_ALLOWED for a view
 */
export function parseImportRequest({ query: rawQuery, ...parts }: ImportParts): ImportRequest {
  if (parts.target.kind === "VIEW") {
    throw createError("METHOD_NOT_ALLOWED", { headers: { Allow: "GET, HEAD" } });
  }
  const query = parseQuery(rawQuery);
  const known = ["dry_run", "on_conflict", "resolution", ...formParameters, ...fileParameters];
  const faults: Fault[] = requireKnown(query, known, []);
  const dryRun = query.single.get("dry_run") ?? "false";
  if (dryRun !== "true" && dryRun !== "false") {
    faults.push(
      createFault("QUERY_INVALID", { path: "dry_run", message: "dry_run must be true or false" }),
    );
  }
  const form = parseFileForm(query.single, parts.format, faults);
  const forms = parseForms(query.single, parts, faults);
  const conflict = parseConflict(query, faults);
  if (dryRun === "true" && parts.key !== null) {
    const message = "Idempotency-Key does not apply to a dry run, which creates nothing";
    faults.push(createFault("QUERY_INVALID", { path: "Idempotency-Key", message }));
  }
  throwFaults(faults);
  return { ...parts, form, forms, dryRun: dryRun === "true", conflict };
}

function parseForms(
  parameters: ReadonlyMap<string, string>,
  { format, target }: Pick<ImportParts, "format" | "target">,
  faults: Fault[],
): ReaderForms {
  const refuse = (path: string, message: string) =>
    faults.push(createFault("QUERY_INVALID", { path, message }));
  if (format === "NDJSON") {
    for (const name of fileParameters) {
      if (parameters.has(name)) refuse(name, `${name} applies to CSV only`);
    }
    return plainForms;
  }
  const forms = readForms((name) => parameters.get(name), faults);
  if (target.schema === "system" && forms.references !== "key") {
    refuse("references", "The tables of the schema system refer to rows by their keys");
  }
  return forms;
}

/** Returns the create of rows with these sets of fields, without its rows. */
export function createOfImport(
  { target, conflict, timeZone }: ImportRequest,
  fieldSets: readonly (readonly string[])[],
): CreateRequest {
  const groups = fieldSets.map((fields) => ({ fields, positions: [] }));
  const shape = shapeOf("IMPORT", target, fieldSets, conflict);
  return inTimeZone(
    { kind: "CREATE", target, rows: [], groups, isList: true, conflict, minimal: true, shape },
    timeZone,
  );
}

/** Returns the pointer to a row of a file, counted from 0, or to a field of it. */
export function rowPointer(row: number, field?: string): string {
  return field === undefined ? `/${row}` : `/${row}/${escapePointer(field.toWellFormed())}`;
}

/** How the cells of a CSV file are written. */
export interface CsvDialect {
  /** Null for the forms of a JSON create. */
  readonly dates: DateFormat | null;
  /** Null for `true`, `false`, `t` and `f`, in any case. */
  readonly booleans: BooleanFormat | null;
  readonly decimal: "dot" | "comma";
  /** Null for the one that the file names, or a comma. */
  readonly delimiter: string | null;
  readonly encoding: CharacterEncoding;
}

/** A file in the dialect of exports. */
const exportedForm: CsvDialect = {
  ...{ dates: null, booleans: null, decimal: "dot", delimiter: null, encoding: "utf-8" },
};

export const encodings = ["utf-8", "windows-1252", "iso-8859-1", "utf-16"] as const;
export type CharacterEncoding = (typeof encodings)[number];
export const decimals = ["dot", "comma"] as const;

/** The query parameters of a form. */
const formParameters = [
  ...["date_format", "boolean_format", "decimal", "delimiter", "encoding"],
] as const;

/** Parses the parameters of a form; adds a fault for each that is unknown. */
function parseFileForm(
  parameters: ReadonlyMap<string, string>,
  format: "CSV" | "NDJSON",
  faults: Fault[],
): CsvDialect {
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
  const booleans = parameters.get("boolean_format");
  const pair = booleans === undefined ? null : parseBooleanFormat(booleans);
  if (pair === undefined) {
    const message =
      "boolean_format has the text of true, a slash and the text of false, each at most 30 characters: yes/no";
    refuse("boolean_format", message);
  }
  const delimiter = oneOf("delimiter", Object.keys(csvDelimiters));
  return {
    dates: parsed ?? null,
    booleans: pair ?? null,
    decimal: oneOf("decimal", decimals) ?? exportedForm.decimal,
    delimiter: delimiter === undefined ? null : (csvDelimiters[delimiter] ?? null),
    encoding: oneOf("encoding", encodings) ?? exportedForm.encoding,
  };
}

const fractions: ReadonlySet<string> = new Set(["numeric", "real", "double precision", "money"]);
const decimalComma = /^[+-]?[0-9]+(?:,[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?$/;

const booleanWord = /\b(?:true|false|t|f)\b/gi;
const lower = (word: string) => word.toLowerCase();

/**
 * Returns the function that writes a cell in the form of a JSON create; undefined if every cell has it. Its result is
 * undefined for a cell in another form than the file's.
 */
export function plainCellOf(
  type: ColumnType,
  { dates, booleans, decimal }: CsvDialect,
): ((cell: string) => string | undefined) | undefined {
  if (type.base === "boolean") {
    if (!type.array) return (cell) => readBoolean(booleans, cell);
    // PostgreSQL's text of a list; JSON has no other booleans.
    return (cell) => (cell.startsWith("{") ? cell.replaceAll(booleanWord, lower) : cell);
  }
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
