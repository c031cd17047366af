import {
  csvFormsOf,
  type ExportFormat,
  type ExportRequest,
  inTimeZone,
  presetFields,
  type ReadingPage,
  requestLimitsOf,
  requestOfReading,
  withinSight,
  writeGrantsOf,
} from "@rowhouse/data";
import { createError } from "@rowhouse/errors";
import { loadColumnPresenter } from "@rowhouse/permissions";
import { settingsOf } from "@rowhouse/settings";
import { writeExactJson } from "@rowhouse/wire";
import type { TablePresentation } from "../presentation/presentation.ts";
import type { DataViewRecord } from "../schemas/data-view-schemas.ts";
import {
  fieldOfOrder,
  fieldsWithKey,
  type PreparedView,
  prepareView,
  summaryTerm,
} from "./prepare-view.ts";
import { fieldOf, resourceRef } from "./presenter.ts";
import { readRows } from "./read-rows.ts";
import type { Reader } from "./reader.ts";
import { readingError } from "./reader-errors.ts";
import { ownTitledFields, readReferenceTitles, valuesInRows } from "./reference-titles.ts";
import { filtersOf, readGroups } from "./view-groups.ts";
import type { ViewQuery } from "./view-query.ts";

/** What the response to an open DataView begins with. */
export type ViewHead = Pick<DataViewRecord, "id" | "name" | "description" | "icon">;

/** The stored part of an open DataView. */
export type OpenView = ViewHead & Parameters<typeof prepareView>[0];

/**
 * Opens a DataView for a reader: the rows that its filter and the reader's own leave, with the reader's rights.
 *
 * @param etags whether the response has the entity tag of each row
 * @returns the body of the response, with every digit of its numbers
 * @throws AppError ACTION_DENIED if the DataView depends on what the reader may not see; the errors of the Data API for
 * the reader's own part
 */
export async function openView(
  view: OpenView,
  query: ViewQuery,
  reader: Reader,
  etags = false,
): Promise<string> {
  const asOf = new Date().toISOString();
  csvFormsOf(query, null);
  const prepared = await prepareView(view, query, reader);
  const { relation, reading, shown, presentation } = prepared;
  const page: ReadingPage = {
    ...prepared.page,
    fields: fieldsWithKey(prepared, reader),
    ...(etags && relation.resource.kind === "TABLE" ? { etags } : {}),
  };
  const { rows, meta } = await readPage(prepared, page, reader);
  const relations = shown.map((field) => field.relation);
  const present = await loadColumnPresenter(reader.database, reader.snapshot, relations);
  const paths = new Set(shown.map(({ path }) => path));
  const titles = await readReferenceTitles(ownTitledFields(shown, reader), valuesInRows(rows));
  const head = JSON.stringify({
    ...{ id: view.id, name: view.name, description: view.description, icon: view.icon },
    resource: resourceRef(relation),
    // Other fields could reveal names that the reader may not see.
    orderBy: query.orderBy ?? prepared.orderBy.filter((term) => paths.has(fieldOfOrder(term))),
    presentation,
    fields: shown.map((field) => fieldOf(field, present, titles.get(field.path))),
  });
  const parts: string[] = [`${head.slice(0, -1)},"rows":${rows}`];
  if (presentation.layout === "kanban" && query.group === undefined) {
    parts.push(`"groups":${writeExactJson(await readGroups(prepared, presentation, reader))}`);
  }
  if (presentation.layout === "table" && query.summaries === true) {
    parts.push(
      `"summaries":${writeExactJson(await readSummaries(prepared, presentation, reader))}`,
    );
  }
  if (presentation.layout === "form") {
    parts.push(`"presets":${JSON.stringify(presetsOf(prepared, reader))}`);
  }
  const metadata = { ...meta, asOf };
  return `{"data":${parts.join(",")}},"meta":${JSON.stringify(metadata)}}`;

  async function readPage(of: PreparedView, given: ReadingPage, by: Reader) {
    const limits = requestLimitsOf(settingsOf(by.snapshot));
    try {
      const request = requestOfReading(
        relation,
        { ...reading, orderBy: of.orderBy },
        limits,
        given,
      );
      const answer = await by.engine.answer(inTimeZone(request, by.timeZone), by.caller);
      const data = answer.data ?? "[]";
      return { rows: data, meta: metaOf(answer.body ?? "", data) };
    } catch (error) {
      throw readingError(error);
    }
  }
}

/** Reads the metadata of `{"data":…,"meta":…}`, as the engine writes it. */
function metaOf(body: string, data: string): object {
  const rest = body.slice('{"data":'.length + data.length, -1);
  if (rest === "") return {};
  return (JSON.parse(`{${rest.slice(1)}}`) as { readonly meta: object }).meta;
}

/** A file of the rows of a DataView. */
export interface ViewFile {
  readonly format: ExportFormat;
  readonly body: ReadableStream<Uint8Array>;
  /** The name of the resource. */
  readonly name: string;
}

/** How a file is read. */
export interface FileOptions {
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
  readonly onBroken: (error: unknown) => void;
}

/**
 * Opens a DataView for a reader as a file of its shown fields, without a maximum number of rows unless the DataView or the
 * reader gives one.
 *
 * @throws AppError as `openView` does; QUERY_INVALID for a cursor or a count, which a file does not have
 */
export async function openViewFile(
  view: OpenView,
  query: ViewQuery,
  reader: Reader,
  options: FileOptions,
): Promise<ViewFile> {
  for (const path of ["cursor", "count"] as const) {
    if (query[path] !== undefined) {
      const message = "An export gives all rows, and nothing but rows";
      throw createError("QUERY_INVALID", { path, message });
    }
  }
  const prepared = await prepareView(view, query, reader);
  const { relation, reading, page, orderBy } = prepared;
  const limits = requestLimitsOf(settingsOf(reader.snapshot));
  try {
    const request = requestOfReading(relation, { ...reading, orderBy }, limits, page);
    const limit = Math.min(query.limit ?? allRows, view.limit ?? allRows);
    const forms = csvFormsOf(query, options.format);
    const whole: ExportRequest = inTimeZone({ ...request, limit, forms }, reader.timeZone);
    const body = await reader.exports.open(whole, reader.caller, options);
    return { format: options.format, body, name: relation.name };
  } catch (error) {
    throw readingError(error);
  }
}

const allRows = Number.MAX_SAFE_INTEGER;

async function readSummaries(
  { relation, reading, shown, page }: PreparedView,
  { columns }: TablePresentation,
  reader: Reader,
): Promise<Record<string, unknown>> {
  const paths = new Set(shown.map(({ path }) => path));
  const summarized = columns.flatMap(({ field, summary }) =>
    summary === undefined || !paths.has(field)
      ? []
      : [{ field, term: summaryTerm(field, summary) }],
  );
  if (summarized.length === 0) return {};
  const aggregate = {
    kind: "AGGREGATE",
    aggregate: summarized.map(({ term }) => term),
    ...{ groupBy: [], where: reading.where, having: null, orderBy: [], limit: null },
  } as const;
  const [row = {}] = await readRows(relation, aggregate, filtersOf(page), reader);
  // The results have the order of the terms.
  const values = Object.values(row);
  return Object.fromEntries(summarized.map(({ field }, index) => [field, values[index] ?? null]));
}

/** The readable columns that the system sets in place of the reader. */
function presetsOf({ relation, reading }: PreparedView, { snapshot, principal }: Reader) {
  const all = { ...reading, fields: null, orderBy: [] };
  const seen = withinSight(all, relation, snapshot, principal);
  const readable = new Set(seen?.fields.map(({ path }) => path));
  const presets = presetFields(relation, writeGrantsOf(relation, snapshot, principal));
  const ofReadable = (names: readonly string[]) => names.filter((name) => readable.has(name));
  return { create: ofReadable(presets.create), update: ofReadable(presets.update) };
}
