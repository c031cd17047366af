import { comparedText, escapeVariable, isTextual, writeName } from "@rowhouse/access";
import { distinctFields } from "@rowhouse/access/distinct-fields";
import { fillTitle, referredRow, type TitlePart, titlePaths } from "@rowhouse/access/record-title";
import { type ReadingPage, type ShownField, visibleResource, withinSight } from "@rowhouse/data";
import {
  arrayLiteral,
  type Column,
  compareSql,
  type DirectEdge,
  type Queryable,
  type Relation,
  referenceOf,
  textAsSql,
} from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { titleOf } from "./presenter.ts";
import { isMarkable, readRows, textOfValue } from "./read-rows.ts";
import type { Reader } from "./reader.ts";

/** A row with its title; null if no field of the title has a value. */
export interface TitledRow {
  readonly key: unknown;
  readonly title: string | null;
}

/** Reads the rows of a related resource with their titles. */
export interface TitleReading {
  /** The column that the foreign key refers to. */
  readonly key: Column;
  /** Whether the title says more than the key. */
  readonly isTitled: boolean;
  /** The first rows in the order of their titles, or those with certain keys. */
  read(keys?: readonly string[]): Promise<readonly TitledRow[]>;
  /** The first rows in whose titles a text occurs, whatever its case. */
  search(text: string): Promise<readonly TitledRow[]>;
  /** Returns the text of the key that each value equals, among the keys of rows. */
  match(values: Iterable<string>, rows: readonly TitledRow[]): Promise<ReadonlyMap<string, string>>;
}

/** Maximum number of rows that one query reads. */
export const titledRowsMax = 200;

/** Maximum number of values of one field that receive a title. */
const valuesMax = 1_000;

/** The titles of the rows of a relation, as a reader sees them. */
interface RowTitles {
  /** The columns of the title. */
  readonly names: readonly string[];
  /** The paths of the values that a title is filled with. */
  readonly paths: readonly (readonly string[])[];
  titleOf(row: Readonly<Record<string, unknown>>): string | null;
  /** The filter of the rows in whose titles a text occurs, whatever its case; undefined for a title without a text. */
  holding(text: string): object | undefined;
}

/** Returns the titles of the rows of a relation; those of a relation that the reader may not see have no parts. */
export function rowTitles(target: Relation, { snapshot, principal }: Reader): RowTitles {
  const visibleOf = (relation: Relation) => visibleResource(relation, snapshot, principal);
  const visible = visibleOf(target);
  const title = visible === undefined ? [] : titleOf(visible, snapshot, visibleOf);
  const paths = titlePaths(title);
  const { byName } = snapshot.catalogue.edgesOf(target);
  const isText = ([name = "", inner]: readonly string[]): boolean => {
    const relation = inner === undefined ? target : byName.get(name)?.target;
    const type = relation?.columnByName(inner ?? name)?.type;
    return type !== undefined && isTextual(type) && !type.array && !type.folds;
  };
  const texts = paths.filter(isText);
  return {
    names: title.map(({ field }) => field),
    paths,
    titleOf: (row) => fillTitle(title, (part) => partText(part, row)),
    holding: (text) => {
      const wanted = { _icontains: escapeVariable(text) };
      const conditions = texts.map((path) =>
        path.reduceRight<object>((inner, name) => ({ [writeName(name)]: inner }), wanted),
      );
      return conditions.length === 0 ? undefined : { _or: conditions };
    },
  };
}

/** Returns how the rows that a foreign key refers to are read with their titles; undefined if the reader may see none. */
export function titleReading(
  { target, columns: pairs }: DirectEdge,
  reader: Reader,
): TitleReading | undefined {
  const { snapshot, principal, database } = reader;
  const key = pairs[0]?.[1];
  const column = target.columnByName(key ?? "");
  // The JSON of other values is not their text.
  if (key === undefined || column === undefined || !isMarkable(column)) return undefined;
  const all = { kind: "LIST", fields: null, where: null, orderBy: [], limit: null } as const;
  const seen = withinSight(all, target, snapshot, principal);
  if (!seen?.fields.some((field) => field.column.name === key)) return undefined;
  const { names, paths, titleOf, holding } = rowTitles(target, reader);
  const list = {
    ...all,
    fields: [...new Set(distinctFields([[key], ...paths]).map(({ term }) => term))],
    orderBy: names.map(writeName),
    limit: titledRowsMax,
  };
  const read = async (filter?: object): Promise<readonly TitledRow[]> => {
    const page: ReadingPage =
      filter === undefined ? {} : { narrowedBy: [{ filter, path: "group" }] };
    try {
      const rows = await readRows(target, list, page, reader);
      return rows.map((row) => ({
        key: row[key],
        title: titleOf(row),
      }));
    } catch (error) {
      // The related resource is not the reader's, or is it no longer.
      if (error instanceof AppError && error.code === "ACTION_DENIED") return [];
      throw error;
    }
  };
  return {
    key: column,
    isTitled: names.some((name) => name !== key),
    read: (keys) => read(keys && { [writeName(key)]: { _in: keys } }),
    search: async (text) => {
      const filter = holding(text);
      return filter === undefined ? [] : read(filter);
    },
    match: (values, rows) => {
      const keys = rows.flatMap((row) => textOfValue(row.key) ?? []);
      return matchKeys(database.service, column, values, keys);
    },
  };
}

/** The text of a part of a title: of the row that it refers to, if the reader may read that, or of its own value. */
function partText(part: TitlePart, row: Readonly<Record<string, unknown>>): string | null {
  const { field, reference } = part;
  const referred = reference === undefined ? undefined : referredRow(row, reference);
  const text =
    referred === undefined || reference === undefined
      ? null
      : fillTitle(reference.title, (inner) => shownText(referred[inner.field]));
  return text ?? shownText(row[field]);
}

/** The text of a value in a title; an instant has no seconds and the offset of the reader's zone is left out. */
function shownText(value: unknown): string | null {
  const text = textOfValue(value);
  const time = text === null ? null : instantForm.exec(text);
  return time === null ? text : `${time[1]} ${time[2]}`;
}

const instantForm = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * Returns the key that each value equals as PostgreSQL compares values of the column: `foo` is `Foo` for citext, 1.50 is 1.500.
 *
 * @param values texts of values that refer to the column
 * @param keys texts of the column's values
 * @returns the keys by the values, without values that equal none
 */
async function matchKeys(
  database: Queryable,
  column: Column,
  values: Iterable<string>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const known = new Set(keys);
  const matched = new Map<string, string>();
  const others: string[] = [];
  for (const value of values) {
    if (known.has(value)) matched.set(value, value);
    else others.push(value);
  }
  if (others.length === 0 || keys.length === 0) return matched;
  const { type, meaning } = column;
  const { collationName } = JSON.parse(meaning) as { readonly collationName?: string };
  const collate = collationName === undefined ? "" : ` collate ${collationName}`;
  const typedSql = (text: string) => `(${textAsSql(text, type)}${collate})`;
  const listOf = (texts: readonly string[]) =>
    arrayLiteral(texts.map((text) => comparedText(type, text) ?? null));
  const pairs = await database.query<{ value: number; key: number }>(
    `select v.place::integer as value, k.place::integer as key
     from pg_catalog.unnest($1::text[]) with ordinality v (text, place)
     join pg_catalog.unnest($2::text[]) with ordinality k (text, place)
       on ${compareSql(typedSql("v.text"), "=", typedSql("k.text"), type)}`,
    [listOf(others), listOf(keys)],
  );
  for (const pair of pairs) {
    const [value, key] = [others[pair.value - 1], keys[pair.key - 1]];
    if (value !== undefined && key !== undefined) matched.set(value, key);
  }
  return matched;
}

/** Titles by the text of the value that refers to their row. */
export type Titles = Readonly<Record<string, string>>;

/** A field whose values refer to rows of which the reader may see more than the key. */
export interface TitledField {
  readonly field: ShownField;
  readonly reading: TitleReading;
}

/** Returns the fields whose values refer to rows with titles, without a query. */
export function titledFields(fields: readonly ShownField[], reader: Reader): TitledField[] {
  const { catalogue } = reader.snapshot;
  return fields.flatMap((field) => {
    const edge = referenceOf(catalogue.edgesOf(field.relation), field.column.name);
    const reading = edge === undefined ? undefined : titleReading(edge, reader);
    return reading?.isTitled === true ? [{ field, reading }] : [];
  });
}

/** Those of the fields that the rows of a list have themselves. */
export function ownTitledFields(fields: readonly ShownField[], reader: Reader): TitledField[] {
  const isOwn = ({ path, column: { name } }: ShownField) => [name, writeName(name)].includes(path);
  return titledFields(fields.filter(isOwn), reader);
}

/** Returns the values that rows have of their own fields; the rows are read once, if at all. @param rows JSON */
export function valuesInRows(rows: string): (field: ShownField) => readonly unknown[] {
  let read: readonly Readonly<Record<string, unknown>>[] | undefined;
  return ({ column }) => {
    read ??= parseExactJson(rows) as NonNullable<typeof read>;
    return read.map((row) => row[column.name]);
  };
}

/**
 * Reads the titles of the rows that values refer to, under the reader's rights: a row or a field that the reader may not see
 * has none.
 *
 * @param values the values of a field in some rows
 * @returns titles by the path of the field
 */
export async function readReferenceTitles(
  fields: readonly TitledField[],
  values: (field: ShownField) => readonly unknown[],
): Promise<ReadonlyMap<string, Titles>> {
  const found = await Promise.all(
    fields.map(async ({ field, reading }): Promise<[string, Titles] | undefined> => {
      const texts = values(field).flatMap((value) => textOfValue(value) ?? []);
      const keys = [...new Set(texts)].slice(0, valuesMax);
      const parts = Array.from({ length: Math.ceil(keys.length / titledRowsMax) }, (_, index) =>
        keys.slice(index * titledRowsMax, (index + 1) * titledRowsMax),
      );
      const rows = (await Promise.all(parts.map((part) => reading.read(part)))).flat();
      const same = await reading.match(keys, rows);
      const titleOfKey = new Map(rows.map(({ key, title }) => [textOfValue(key), title]));
      const titles = keys.flatMap((text) => {
        const title = titleOfKey.get(same.get(text) ?? text);
        return title == null ? [] : [[text, title]];
      });
      return titles.length === 0 ? undefined : [field.path, Object.fromEntries(titles)];
    }),
  );
  return new Map(found.filter((one) => one !== undefined));
}
