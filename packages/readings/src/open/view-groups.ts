import { writeName } from "@rowhouse/access";
import {
  type AggregateReading,
  type ReadingPage,
  refusesValue,
  writeGrantsOf,
} from "@rowhouse/data";
import { type Column, type DirectEdge, type Relation, referenceOf } from "@rowhouse/db";
import { exactNumberText } from "@rowhouse/wire";
import type { KanbanPresentation } from "../presentation/presentation.ts";
import type { PreparedView } from "./prepare-view.ts";
import { readRows, textOfValue } from "./read-rows.ts";
import type { Reader } from "./reader.ts";
import { titledRowsMax, titleReading } from "./reference-titles.ts";

/** A column of a kanban. */
export interface ViewGroup {
  /** As in a row; numbers have every digit. */
  readonly value: unknown;
  readonly label: string | null;
  readonly count: number;
  readonly closed: boolean;
}

/** Maximum number of related rows that are groups although they have no card, and of groups with cards. */
const groupsMax = titledRowsMax;

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
    const closed = refusesValue(relation, update, column, textOfValue(value));
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
      textOfValue(row[name]),
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
    labels.set(textOfValue(labeled.value), labeled);
  }
  return labels;
}

/** The related rows that the reader may see: those with cards, and the first of the others. */
async function relatedRows(
  edge: DirectEdge,
  counts: ReadonlyMap<string | null, Counted>,
  reader: Reader,
): Promise<Labeled[]> {
  const reading = titleReading(edge, reader);
  if (reading === undefined) return [];
  const used = [...counts.keys()].filter((text) => text !== null);
  const rows = [...(await reading.read()), ...(used.length === 0 ? [] : await reading.read(used))];
  return rows.map(({ key, title }) => ({ value: key, label: title }));
}

/** The filters of a page without its rows' order and size. */
export function filtersOf({ narrowedBy, search, wherePath }: ReadingPage): ReadingPage {
  return { narrowedBy, search, wherePath };
}
