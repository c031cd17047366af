import { createError, createFault, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
import { inTimeZone } from "../parse/headers.ts";
import { parseConflict } from "../parse/parse-write.ts";
import { parseQuery, requireKnown, shapeOf } from "../parse/query-parameters.ts";
import type { Conflict, CreateRequest, RequestParts, Target } from "../parse/request.ts";
import { type FileForm, formParameters, parseFileForm } from "./file-form.ts";

export type ImportFormat = "CSV" | "NDJSON";

/** The rows of a file, to be created in one table. */
export interface ImportRequest {
  readonly target: Target;
  readonly format: ImportFormat;
  /** How the cells of a CSV file are written. */
  readonly form: FileForm;
  /** Whether the import is rolled back at its end. */
  readonly dryRun: boolean;
  readonly conflict: Conflict | null;
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
  const known = ["dry_run", "on_conflict", "resolution", ...formParameters];
  const faults: Fault[] = requireKnown(query, known, []);
  const dryRun = query.single.get("dry_run") ?? "false";
  if (dryRun !== "true" && dryRun !== "false") {
    faults.push(
      createFault("QUERY_INVALID", { path: "dry_run", message: "dry_run must be true or false" }),
    );
  }
  const form = parseFileForm(query.single, parts.format, faults);
  const conflict = parseConflict(query, faults);
  if (dryRun === "true" && parts.key !== null) {
    const message = "Idempotency-Key does not apply to a dry run, which creates nothing";
    faults.push(createFault("QUERY_INVALID", { path: "Idempotency-Key", message }));
  }
  throwFaults(faults);
  return { ...parts, form, dryRun: dryRun === "true", conflict };
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
