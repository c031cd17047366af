import { writeName } from "@rowhouse/access";
import { fillTitle } from "@rowhouse/access/record-title";
import { type ReadingPage, type ShownField, visibleResource, withinSight } from "@rowhouse/data";
import { type DirectEdge, referenceOf } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { titleOf } from "./presenter.ts";
import { readRows, textOfValue } from "./read-rows.ts";
import type { Reader } from "./reader.ts";

/** A row with its title; null if no field of the title has a value. */
export interface TitledRow {
  readonly key: unknown;
  readonly title: string | null;
}

/** Reads the rows of a related resource with their titles. */
interface TitleReading {
  /** Whether the title says more than the key. */
  readonly isTitled: boolean;
  /** The first rows in the order of their titles, or those with certain keys. */
  read(keys?: readonly string[]): Promise<readonly TitledRow[]>;
}

/** Maximum number of rows that one query reads. */
export const titledRowsMax = 200;

/** Maximum number of values of one field that receive a title. */
const valuesMax = 1_000;

/** Returns how the rows that a foreign key refers to are read with their titles; undefined if the reader may see none. */
export function titleReading(
  { target, columns: pairs }: DirectEdge,
  reader: Reader,
): TitleReading | undefined {
  const { snapshot, principal } = reader;
  const key = pairs[0]?.[1];
  const all = { kind: "LIST", fields: null, where: null, orderBy: [], limit: null } as const;
  const seen = withinSight(all, target, snapshot, principal);
  if (key === undefined || !seen?.fields.some(({ column }) => column.name === key)) {
    return undefined;
  }
  const visible = visibleResource(target, snapshot, principal);
  const title = visible === undefined ? [] : titleOf(visible, snapshot);
  const names = title.map(({ field }) => field);
  const list = {
    ...all,
    fields: [...new Set([key, ...names])].map(writeName),
    orderBy: names.map(writeName),
    limit: titledRowsMax,
  };
  return {
    isTitled: names.some((name) => name !== key),
    read: async (keys) => {
      const among = { filter: { [writeName(key)]: { _in: keys } }, path: "group" };
      const page: ReadingPage = keys === undefined ? {} : { narrowedBy: [among] };
      try {
        const rows = await readRows(target, list, page, reader);
        return rows.map((row) => ({
          key: row[key],
          title: fillTitle(title, (field) => textOfValue(row[field])),
        }));
      } catch (error) {
        // The related resource is not the reader's, or is it no longer.
        if (error instanceof AppError && error.code === "ACTION_DENIED") return [];
        throw error;
      }
    },
  };
}

/** Titles by the text of the value that refers to their row. */
export type Titles = Readonly<Record<string, string>>;

/** A field whose values refer to rows of which the reader may see more than the key. */
export interface TitledField {
  readonly field: ShownField;
  readonly read: TitleReading["read"];
}

/** Returns the fields whose values refer to rows with titles, without a query. */
export function titledFields(fields: readonly ShownField[], reader: Reader): TitledField[] {
  const { catalogue } = reader.snapshot;
  return fields.flatMap((field) => {
    const edge = referenceOf(catalogue.edgesOf(field.relation), field.column.name);
    const reading = edge === undefined ? undefined : titleReading(edge, reader);
    return reading?.isTitled === true ? [{ field, read: reading.read }] : [];
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
    fields.map(async ({ field, read }): Promise<[string, Titles] | undefined> => {
      const texts = values(field).flatMap((value) => textOfValue(value) ?? []);
      const keys = [...new Set(texts)].slice(0, valuesMax);
      const parts = Array.from({ length: Math.ceil(keys.length / titledRowsMax) }, (_, index) =>
        keys.slice(index * titledRowsMax, (index + 1) * titledRowsMax),
      );
      const rows = (await Promise.all(parts.map((part) => read(part)))).flat();
      const titles = rows.flatMap(({ key, title }) =>
        title === null ? [] : [[textOfValue(key), title]],
      );
      return titles.length === 0 ? undefined : [field.path, Object.fromEntries(titles)];
    }),
  );
  return new Map(found.filter((one) => one !== undefined));
}
