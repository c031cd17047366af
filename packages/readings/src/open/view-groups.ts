import { writeName } from "@rowhouse/access";
import {
  type AggregateReading,
  type ReadingPage,
  refusesValue,
  writeGrantsOf,
} from "@rowhouse/data";
import { type Column, type Relation, referenceOf } from "@rowhouse/db";
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
  const { counts, labels } = await labelGroups(
    column,
    relation,
    await countGroups(prepared, name, reader),
    reader,
  );
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

interface LabeledGroups {
  readonly counts: ReadonlyMap<string | null, Counted>;
  readonly labels: ReadonlyMap<string | null, Labeled>;
}

/** Returns the values that are groups even without a row, in the order in which they are shown, and the counts by them. */
async function labelGroups(
  column: Column,
  relation: Relation,
  counts: ReadonlyMap<string | null, Counted>,
  reader: Reader,
): Promise<LabeledGroups> {
  const labels = new Map<string | null, Labeled>();
  if (column.nullable) labels.set(null, { value: null, label: null });
  const { type } = column;
  if (type.labels !== null) {
    for (const value of type.labels) labels.set(value, { value, label: null });
    return { counts, labels };
  }
  if (type.base === "boolean") {
    for (const value of [false, true]) labels.set(String(value), { value, label: null });
    return { counts, labels };
  }
  const edge = referenceOf(reader.snapshot.catalogue.edgesOf(relation), column.name);
  const reading = edge && titleReading(edge, reader);
  if (reading === undefined) return { counts, labels };
  // The related rows that the reader may see: those with cards, and the first of the others.
  const used = [...counts.keys()].filter((text) => text !== null);
  const rows = [...(await reading.read()), ...(used.length === 0 ? [] : await reading.read(used))];
  for (const { key, title } of rows) labels.set(textOfValue(key), { value: key, label: title });
  return joinGroups({ counts, labels }, await reading.match(used, rows), {
    isSameEquality: column.meaning === reading.key.meaning,
  });
}

/**
 * Joins the groups whose values equal the key of a related row in another form: `FOO` and `Foo` of citext.
 *
 * @param same the texts of the keys by those of the groups
 * @param isSameEquality whether a filter on the column finds all rows of the related row by its key
 */
function joinGroups(
  { counts, labels }: LabeledGroups,
  same: ReadonlyMap<string, string>,
  { isSameEquality }: { readonly isSameEquality: boolean },
): LabeledGroups {
  const joined = new Map<string | null, Counted>();
  const labeled = new Map(labels);
  for (const [text, { value, count }] of counts) {
    const key = (text === null ? undefined : same.get(text)) ?? text;
    const related = labels.get(key);
    if (key === text || related === undefined) {
      joined.set(text, { value, count: count + (joined.get(text)?.count ?? 0) });
    } else if (isSameEquality) {
      joined.set(key, { value: related.value, count: count + (joined.get(key)?.count ?? 0) });
    } else {
      joined.set(text, { value, count });
      labeled.set(text, { value, label: related.label });
    }
  }
  return { counts: joined, labels: labeled };
}

/** The filters of a page without its rows' order and size. */
export function filtersOf({ narrowedBy, search, wherePath }: ReadingPage): ReadingPage {
  return { narrowedBy, search, wherePath };
}
