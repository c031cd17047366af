import { AppError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import { headForms, plainForms, type ReaderForms, referenceForms } from "../cells/heads.ts";
import type { ExportFormat } from "../parse/headers.ts";
import { fileParameters, parseListRequest, parseQueryBody } from "../parse/parse-read.ts";
import {
  noOptions,
  parseQuery,
  parseWhole,
  type RequestLimits,
  requireWhole,
} from "../parse/query-parameters.ts";
import type {
  AggregateRequest,
  ListRequest,
  RequestOptions,
  RequestParts,
} from "../parse/request.ts";

export type ExportRequest = (ListRequest | AggregateRequest) & {
  /** How a CSV file names columns and shows references; the plain forms for another file. */
  readonly forms: ReaderForms;
};

/** The limit of an export without the parameter `limit`. */
export const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Parses an export: the parameters of a list, but without `limit` it returns every row, and `limit` may exceed
 * `data.max_limit`. A file cannot contain `count` or a cursor, so both are rejected.
 */
export function parseExportRequest(
  parts: RequestParts,
  limits: RequestLimits,
  { etags }: Pick<RequestOptions, "etags"> = noOptions,
  format: ExportFormat = "CSV",
): ExportRequest {
  const faults: Fault[] = [];
  if (etags) refuse("Prefer", "Prefer: etags applies to a list as JSON", faults);
  const { limit, forms, rest } =
    parts.method === "QUERY" ? splitBody(parts, faults) : splitQuery(parts, faults);
  if (format !== "CSV") refuseForms(forms, "applies to CSV only", faults);
  let request: ListRequest | AggregateRequest;
  try {
    request =
      rest.method === "QUERY"
        ? parseQueryBody(rest, limits, noOptions)
        : parseListRequest(rest.target, rest.query, limits);
  } catch (error) {
    if (error instanceof AppError) throwFaults([...faults, ...error.faults]);
    throw error;
  }
  if (request.kind === "AGGREGATE") refuseForms(forms, "applies to rows, not to groups", faults);
  for (const [path, { isPaged }] of request.kind === "LIST" ? request.deep : []) {
    if (isPaged) refuse(`deep[${path}][cursor]`, "An export gives every related row", faults);
  }
  throwFaults(faults);
  return { ...request, limit, forms };
}

/** What an export has of its own, and the parts that it shares with a list. */
interface SplitParts {
  readonly limit: number;
  readonly forms: ReaderForms;
  readonly rest: RequestParts;
}

const ownParameters: readonly string[] = ["limit", "count", "cursor", ...fileParameters];

/**
 * Reads the forms of a file of rows.
 *
 * @param parameter returns the value of a parameter; undefined without it
 */
export function readForms(parameter: (name: string) => unknown, faults: Fault[]): ReaderForms {
  const oneOf = <Value extends string>(
    name: string,
    known: readonly Value[],
    plain: Value,
  ): Value => {
    const value = parameter(name);
    const found = known.find((each) => each === value);
    if (value !== undefined && found === undefined) {
      refuse(name, `${name} must be one of ${known.join(" ")}`, faults);
    }
    return found ?? plain;
  };
  return {
    references: oneOf("references", referenceForms, plainForms.references),
    heads: oneOf("heads", headForms, plainForms.heads),
  };
}

/** Refuses the forms of a file that is not one of rows as CSV. */
function refuseForms(forms: ReaderForms, message: string, faults: Fault[]): void {
  for (const name of fileParameters) {
    if (forms[name] !== plainForms[name]) refuse(name, `${name} ${message}`, faults);
  }
}

function splitQuery(parts: RequestParts, faults: Fault[]): SplitParts {
  const { single } = parseQuery(parts.query);
  const limit = parseWhole(single.get("limit"), "limit", unlimited, unlimited, faults);
  refuseOthers((name) => single.has(name), faults);
  // Decoding cannot fail, because the query was decoded before.
  const nameOf = (part: string) =>
    decodeURIComponent((part.split("=", 1)[0] ?? "").replaceAll("+", " "));
  const others = parts.query.split("&").filter((part) => !ownParameters.includes(nameOf(part)));
  const forms = readForms((name) => single.get(name), faults);
  return { limit, forms, rest: { ...parts, query: others.join("&") } };
}

function splitBody(parts: RequestParts, faults: Fault[]): SplitParts {
  if (!isObject(parts.data)) return { limit: unlimited, forms: plainForms, rest: parts };
  const { data } = parts;
  const { limit } = data;
  if (limit !== undefined) requireWhole(limit, "limit", unlimited, faults);
  refuseOthers((name) => Object.hasOwn(data, name), faults);
  const others = Object.entries(data).filter(([name]) => !ownParameters.includes(name));
  const forms = readForms((name) => (Object.hasOwn(data, name) ? data[name] : undefined), faults);
  return {
    forms,
    limit: limit === undefined ? unlimited : Number(limit),
    rest: { ...parts, data: Object.fromEntries(others) },
  };
}

function refuseOthers(has: (name: string) => boolean, faults: Fault[]): void {
  for (const path of ["count", "cursor"]) {
    if (has(path)) refuse(path, "An export gives all rows, and nothing but rows", faults);
  }
}

/**
 * Returns the forms of a file that a program in this process requests.
 *
 * @param format null for an answer as JSON
 * @throws AppError QUERY_INVALID for a form of another format than CSV
 */
export function csvFormsOf(
  given: { readonly [Form in keyof ReaderForms]?: ReaderForms[Form] | undefined },
  format: ExportFormat | null,
): ReaderForms {
  const { references = plainForms.references, heads = plainForms.heads } = given;
  const faults: Fault[] = [];
  if (format !== "CSV") refuseForms({ references, heads }, "applies to CSV only", faults);
  throwFaults(faults);
  return { references, heads };
}

function refuse(path: string, message: string, faults: Fault[]): void {
  faults.push(createFault("QUERY_INVALID", { path, message }));
}

/** Returns the headers of the file of a relation. */
export function exportHeadersOf(format: ExportFormat, name: string): Record<string, string> {
  if (format === "NDJSON") return { "Content-Type": "application/x-ndjson; charset=utf-8" };
  return {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": attachment(`${name}.csv`),
  };
}

/** RFC 6266: an ASCII name for every client, and the exact name if it differs. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  if (plain === fileName) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
