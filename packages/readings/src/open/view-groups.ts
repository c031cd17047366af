import { writeName } from "@rowhouse/access";
import { fillTitle } from "@rowhouse/access/record-title";
import {
  type AggregateReading,
  inTimeZone,
  type ReadingPage,
  refusesValue,
  requestLimitsOf,
  requestOfReading,
  visibleResource,
  withinSight,
  writeGrantsOf,
} from "@rowhouse/data";
import { type Column, type DirectEdge, type Relation, referenceOf } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { exactNumberText, parseExactJson } from "@rowhouse/wire";
import type { KanbanPresentation } from "../presentation/presentation.ts";
import type { PreparedView } from "./prepare-view.ts";
import { titleOf } from "./presenter.ts";
import type { Reader } from "./reader.ts";
import { readingError } from "./reader-errors.ts";

/** A column of a kanban. */
export interface ViewGroup {
  /** As in a row; numbers have every digit. */
  readonly value: unknown;
  readonly label: string | null;
  readonly count: number;
  readonly closed: boolean;
}

/** Maximum number of related rows that are groups although they have no card, and of groups with cards. */
const groupsMax = 200;

type Row = Readonly<Record<string, unknown>>;

/** Reads the groups of a kanban with their numbers of rows, under the same filter as the rows. */
export async function readGroups(
  prepared: PreparedView,
  { group: name }: KanbanPresentation,
  reader: Reader,
): Promise<ViewGroup[]> {
  const { relation } = prepared;
  const column = relation.columnByName(name);
  if (column === undefined) return [];
  const counts = await countGroups(prepared, name, reader);
  const labels = await labelsOf(column, relation, counts, reader);
  const { update } = writeGrantsOf(relation, reader.snapshot, reader.principal);
  return [...new Set([...labels.keys(), ...counts.keys()])].map((text) => {
    const { value, label } = labels.get(text) ?? { value: counts.get(text)?.value, label: null };
    const closed = refusesValue(relation, update, column, textOf(value));
    return { value, label, count: counts.get(text)?.count ?? 0, closed };
  });
}

interface Counted {
  readonly value: unknown;
  readonly count: number;
}

/** Rows by the text of their group; `null` for those without one. */
async function countGroups(
  { relation, reading, page }: PreparedView,
  name: string,
  reader: Reader,
): Promise<Map<string | null, Counted>> {
  const term = writeName(name);
  const aggregate: AggregateReading = {
    kind: "AGGREGATE",
    aggregate: ["count(*)"],
    groupBy: [term],
    where: reading.where,
    having: null,
    orderBy: ["-count_*", term],
    limit: groupsMax,
  };
  const rows = await readRows(relation, aggregate, filtersOf(page), reader);
  return new Map(
    rows.map((row) => [
      textOf(row[name]),
      { value: row[name], count: Number(exactNumberText(row["count_*"]) ?? row["count_*"]) },
    ]),
  );
}

interface Labeled {
  readonly value: unknown;
  readonly label: string | null;
}

/** The values that are groups even without a row, in the order in which they are shown. */
async function labelsOf(
  column: Column,
  relation: Relation,
  counts: ReadonlyMap<string | null, Counted>,
  reader: Reader,
): Promise<Map<string | null, Labeled>> {
  const labels = new Map<string | null, Labeled>();
  if (column.nullable) labels.set(null, { value: null, label: null });
  const { type } = column;
  if (type.labels !== null) {
    for (const value of type.labels) labels.set(value, { value, label: null });
    return labels;
  }
  if (type.base === "boolean") {
    for (const value of [false, true]) labels.set(String(value), { value, label: null });
    return labels;
  }
  const edge = referenceOf(reader.snapshot.catalogue.edgesOf(relation), column.name);
  if (edge === undefined) return labels;
  for (const labeled of await relatedRows(edge, counts, reader)) {
    labels.set(textOf(labeled.value), labeled);
  }
  return labels;
}

/** The related rows that the reader may see: those with cards, and the first of the others. */
async function relatedRows(
  { target, columns: pairs }: DirectEdge,
  counts: ReadonlyMap<string | null, Counted>,
  reader: Reader,
): Promise<Labeled[]> {
  const key = pairs[0]?.[1];
  const all = { kind: "LIST", fields: null, where: null, orderBy: [], limit: null } as const;
  const seen = withinSight(all, target, reader.snapshot, reader.principal);
  const keyColumn = seen?.fields.find(({ column }) => column.name === key)?.column;
  if (key === undefined || keyColumn === undefined) return [];
  const visible = visibleResource(target, reader.snapshot, reader.principal);
  const title = visible === undefined ? [] : titleOf(visible, reader.snapshot);
  const names = title.map(({ field }) => field);
  const fields = [...new Set([key, ...names])].map(writeName);
  const orderBy = names.map(writeName);
  const list = { ...all, fields, orderBy, limit: groupsMax };
  const used = [...counts.keys()].filter((text) => text !== null);
  const among = { filter: { [writeName(key)]: { _in: used } }, path: "group" };
  try {
    const rows = [
      ...(await readRows(target, list, {}, reader)),
      ...(used.length === 0 ? [] : await readRows(target, list, { narrowedBy: [among] }, reader)),
    ];
    return rows.map((row) => ({
      value: row[key],
      label: fillTitle(title, (field) => textOf(row[field])),
    }));
  } catch (error) {
    // The related resource is not the reader's, or is it no longer.
    if (error instanceof AppError && error.code === "ACTION_DENIED") return [];
    throw error;
  }
}

/** The filters of a page without its rows' order and size. */
export function filtersOf({ narrowedBy, search, wherePath }: ReadingPage): ReadingPage {
  return { narrowedBy, search, wherePath };
}

/** Reads rows or groups of rows with every digit of their numbers. */
export async function readRows(
  relation: Relation,
  reading: Parameters<typeof requestOfReading>[1],
  page: ReadingPage,
  { engine, snapshot, caller, timeZone }: Reader,
): Promise<readonly Row[]> {
  const limits = requestLimitsOf(settingsOf(snapshot));
  try {
    const request = requestOfReading(relation, reading, limits, page);
    const { data } = await engine.answer(inTimeZone(request, timeZone), caller);
    return parseExactJson(data ?? "[]") as readonly Row[];
  } catch (error) {
    throw readingError(error);
  }
}

/** The text of a value in a comparison; null for null. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return exactNumberText(value) ?? String(value);
}
