import { readName, writeName } from "@rowhouse/access";
import {
  type ListReading,
  type NarrowingFilter,
  type ReadingPage,
  requestLimitsOf,
  requestOfReading,
  requireReadable,
  type ShownField,
  unknownField,
  withinSight,
  writableFields,
  writeGrantsOf,
} from "@rowhouse/data";
import type { Relation } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { namesOfPresentation, visiblePresentation } from "../presentation/map-presentation.ts";
import type { Presentation, Summary, VisiblePresentation } from "../presentation/presentation.ts";
import type { DataViewRecord } from "../schemas/data-view-schemas.ts";
import type { Reader } from "./reader.ts";
import { ofWholeParameter, requireMeaning, storedError, storedPath } from "./reader-errors.ts";
import type { ViewQuery } from "./view-query.ts";
import { windowOf } from "./view-window.ts";

/** The parts of a DataView that rows are read with. */
export type ViewReading = Pick<
  DataViewRecord,
  "resourceId" | "fields" | "where" | "orderBy" | "limit" | "presentation"
> & {
  /** Filters beside the stored one, which are shown as little as that. */
  readonly narrowing?: readonly object[] | undefined;
  /** Empty, or missing for a DataView that is not stored. */
  readonly lost?: DataViewRecord["lost"] | undefined;
};

/** A DataView within the sight of a reader, narrowed by the reader's own part. */
export interface PreparedView {
  readonly relation: Relation;
  readonly presentation: VisiblePresentation;
  /** The stored part, without what the reader may not see. */
  readonly reading: ListReading;
  /** The shown fields, as far as the reader selected them. */
  readonly shown: readonly ShownField[];
  /** The effective order. */
  readonly orderBy: readonly string[];
  /** The reader's part, with the columns of the key beside the shown fields. */
  readonly page: ReadingPage;
}

/**
 * Checks both parts of an open DataView against the reader's rights: first the stored part, which tells nothing about
 * itself, then the reader's own.
 *
 * @throws AppError ACTION_DENIED if the stored part is not the reader's; the errors of the Data API for the reader's part
 */
export async function prepareView(
  view: ViewReading,
  query: ViewQuery,
  reader: Reader,
): Promise<PreparedView> {
  const { snapshot, principal, caller } = reader;
  const relation = snapshot.catalogue.relationByResource(view.resourceId.toLowerCase());
  if (relation === undefined) throw createError("ACTION_DENIED");
  const stored = storedReading(view);
  const seen = withinSight(stored, relation, snapshot, principal);
  if (seen === null) throw createError("ACTION_DENIED");
  requireMeaning(view.lost);
  const { reading } = seen;
  const fields = distinct(seen.fields);
  const limits = requestLimitsOf(settingsOf(snapshot));
  const narrowing = (view.narrowing ?? []).map((filter) => ({ filter, path: storedPath }));
  try {
    const request = requestOfReading(relation, reading, limits, {
      narrowedBy: narrowing,
      wherePath: storedPath,
    });
    requireReadable(request, snapshot, principal, caller);
  } catch (error) {
    throw storedError(error);
  }
  const presentation = visibleTo(view.presentation, relation, fields, reader);
  const shown = selected(fields, query.fields);
  const narrowedBy: NarrowingFilter[] = [
    ...(query.where === undefined ? [] : [{ filter: query.where, path: "where" }]),
    ...(await windowOf(presentation, relation, query, reader)),
    ...groupOf(presentation, query),
  ];
  const orderBy = query.orderBy ?? storedOrder(reading, presentation, query);
  const { limit, cursor, search, count } = query;
  const own = { narrowedBy, search, orderBy, fields: writtenFields(shown) };
  if (narrowedBy.length > 0 || query.orderBy !== undefined || search !== undefined) {
    // Of the stored part only the relation: a fault here is one of the reader's part.
    const bare: ListReading = { ...reading, where: null, orderBy: [] };
    try {
      const request = requestOfReading(relation, bare, limits, own);
      requireReadable(request, snapshot, principal, caller);
    } catch (error) {
      throw withWholeParameters(error);
    }
  }
  const page = {
    ...own,
    narrowedBy: [...narrowing, ...narrowedBy],
    limit,
    cursor,
    count,
    wherePath: storedPath,
  };
  return { relation, presentation, reading, shown, orderBy, page };
}

/** Returns the terms of a request for these fields and for the key of their rows. */
export function fieldsWithKey(
  { relation, shown, reading }: PreparedView,
  reader: Reader,
): string[] {
  const paths = shown.map(({ path }) => path);
  const key = withinSight(
    { ...reading, fields: relation.primaryKey.map(writeName), orderBy: [] },
    relation,
    reader.snapshot,
    reader.principal,
  );
  const hidden = (key?.fields ?? []).filter(({ path }) => !paths.includes(path));
  return writtenFields([...shown, ...hidden]);
}

function writtenFields(fields: readonly ShownField[]): string[] {
  return fields.map(({ path }) => writeName(path));
}

/** Returns the reading of a DataView, which also reads the fields of its presentation. */
export function storedReading({
  fields,
  where,
  orderBy,
  limit,
  presentation,
}: ViewReading): ListReading {
  const names = namesOfPresentation(presentation);
  const all = fields ?? (names.some((name) => name.includes(".")) ? ["*"] : null);
  const known = new Set(all?.map(readName));
  const added = names.filter((name) => !known.has(name)).map(writeName);
  const paths = all === null ? null : [...all, ...added];
  return { kind: "LIST", fields: paths, where, orderBy, limit };
}

function distinct(fields: readonly ShownField[]): ShownField[] {
  return [...new Map(fields.map((field) => [field.path, field])).values()];
}

/** @throws AppError FIELD_UNKNOWN for a field that is not shown */
function selected(
  fields: readonly ShownField[],
  terms: readonly string[] | undefined,
): readonly ShownField[] {
  if (terms === undefined) return fields;
  const byPath = new Map(fields.map((field) => [field.path, field]));
  return distinct(
    terms.map((term) => {
      const field = byPath.get(readName(term));
      if (field === undefined) throw unknownField(term, "fields");
      return field;
    }),
  );
}

function visibleTo(
  presentation: Presentation,
  relation: Relation,
  fields: readonly ShownField[],
  { snapshot, principal }: Reader,
): VisiblePresentation {
  const visible = new Set(fields.map(({ path }) => path));
  if (presentation.layout === "form") {
    const writable = writableFields(relation, writeGrantsOf(relation, snapshot, principal));
    if (presentation.use !== "EDIT") for (const name of writable.create) visible.add(name);
    if (presentation.use !== "CREATE") for (const name of writable.update) visible.add(name);
  }
  return visiblePresentation(presentation, (path) => visible.has(path));
}

/** @throws AppError QUERY_INVALID for a group of another layout */
function groupOf(presentation: VisiblePresentation, { group }: ViewQuery): NarrowingFilter[] {
  if (group === undefined) return [];
  if (presentation.layout !== "kanban") {
    throw createError("QUERY_INVALID", { path: "group", message: "Only a kanban has groups" });
  }
  const condition = group === null ? { _null: true } : { _eq: group };
  return [{ filter: { [writeName(presentation.group)]: condition }, path: "group" }];
}

/** The cards of one group have the order of the kanban. */
function storedOrder(
  { orderBy }: ListReading,
  presentation: VisiblePresentation,
  { group }: ViewQuery,
): readonly string[] {
  if (group === undefined || presentation.layout !== "kanban") return orderBy;
  const { order } = presentation;
  if (order === undefined) return orderBy;
  const term = writeName(order);
  return [term, ...orderBy.filter((other) => fieldOfOrder(other) !== order)];
}

/** The field of `-price:nulls_last`. */
export function fieldOfOrder(term: string): string {
  return readName(term.replace(/^-/, "").replace(/:nulls_(?:first|last)$/, ""));
}

function withWholeParameters(error: unknown): unknown {
  return error instanceof AppError ? error.mapFaults(ofWholeParameter) : error;
}

/** The term of an aggregation for a summary of a column. */
export function summaryTerm(field: string, summary: Summary): string {
  const apply = summary === "countDistinct" ? "count_distinct" : summary;
  return `${apply}(${writeName(field)})`;
}
