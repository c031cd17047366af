import { writeName } from "@rowhouse/access/written-name";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { fieldsWithTitle, recordTitle, titleTextPaths } from "../model/record-title.ts";
import { addressOf, type Row, referenceOf } from "../model/resource.ts";
import { valueText } from "../values/show-value.ts";
import { type ValueColumn, type ValueKind, valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { UnreadText } from "./draft.ts";

/** A reference that a column has, alone or with others. */
export interface RowReference {
  readonly relation: NavigationRelation;
  readonly target: NavigationResource;
}

/** Words of a search; each of them must be found. */
const wordsMax = 8;

/** Returns the filter of the rows that a text finds: each word in one of the texts that people see, or the whole as the key. */
export function searchFilter(
  target: NavigationResource,
  pairs: readonly { readonly to: string }[],
  search: string,
): Row | undefined {
  const words = search.split(/\s+/).flatMap((word) => {
    // A title may separate its parts: `Kern, Anna (Berlin)`.
    const bare = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    return bare === "" ? [] : [bare];
  });
  if (words.length === 0) return undefined;
  const texts = [
    ...titleTextPaths(target),
    ...detailColumns(target)
      .filter(isText)
      .map(({ name }) => [name]),
  ];
  const [key, ...others] = pairs;
  const column = target.columns.find(({ name }) => name === key?.to);
  const isKey = column !== undefined && others.length === 0 && mayBe(column, search);
  const byKey = isKey ? [{ [writeName(column.name)]: { _eq: search } }] : [];
  const byWords = words.slice(0, wordsMax).map((word) => ({
    _or: texts.map((path) =>
      path.reduceRight<Row>((inner, name) => ({ [writeName(name)]: inner }), { _icontains: word }),
    ),
  }));
  const all = [...byKey, ...(texts.length === 0 ? [] : [{ _and: byWords }])];
  if (all.length > 0) return { _or: all };
  // Nothing of the rows is text: a key is never null, so that nothing matches.
  return key === undefined ? undefined : { [writeName(key.to)]: { _null: true } };
}

function isText(column: ValueColumn): boolean {
  return valueKindOf(column) === "TEXT";
}

/** Whether a text can be a value of a key. */
function mayBe(column: NavigationColumn, text: string): boolean {
  const kind = valueKindOf(column);
  if (kind === "UUID") return /^[0-9a-f-]{36}$/i.test(text);
  if (kind === "INTEGER") return /^\d{1,18}$/.test(text);
  return kind === "TEXT";
}

const detailKinds: readonly ValueKind[] = ["TEXT", "DATE", "ENUM", "INTEGER", "DECIMAL"];

/** The columns beside the title by which people distinguish rows. */
function detailColumns(target: NavigationResource): readonly NavigationColumn[] {
  const titled = new Set(target.title.map(({ field }) => field));
  return target.columns
    .filter(
      (column) =>
        column.readable &&
        !titled.has(column.name) &&
        !target.primaryKey.includes(column.name) &&
        detailKinds.includes(valueKindOf(column)) &&
        referenceOf(target, column) === undefined,
    )
    .slice(0, 2);
}

/** Reads the title of the row that values refer to; undefined until it is known, and without values. */
export function useReferenceText(
  { relation, target }: RowReference,
  values: readonly unknown[],
): string | undefined {
  const ways = useWays();
  const isKnown = values.every((value) => value !== null && !(value instanceof UnreadText));
  const names = (relation.columns ?? []).map(({ to }) => to);
  const fields = fieldsWithTitle(target, []);
  const { data } = useQuery({
    queryKey: textKey({ relation, target }, values),
    enabled: isKnown && fields.length > 0 && values.length === names.length,
    queryFn: async ({ signal }) => {
      const where = whereEqual(names.map((name, index) => [name, values[index]]));
      const page = await client.from(addressOf(target)).list({ fields, where, limit: 1, signal });
      return (page.rows as readonly Row[])[0] ?? null;
    },
  });
  return data === undefined || data === null ? undefined : recordTitle(target, data, ways);
}

function textKey({ relation, target }: RowReference, values: readonly unknown[]) {
  const names = (relation.columns ?? []).map(({ to }) => to);
  const fields = target.title.map(({ field }) => field);
  return ["reference text", target.id, fields, names, values.map(String)];
}

/** The filter of rows with some values. */
function whereEqual(values: readonly (readonly [name: string, value: unknown])[]): Row {
  return Object.fromEntries(values.map(([name, value]) => [writeName(name), { _eq: value }]));
}

/** Rows that one search loads. */
export const searchedRows = 30;
const recentMax = 5;

/** Values that found rows must have: the name of a column and its value. */
type Held = readonly (readonly [name: string, value: unknown])[];

/** Finds the rows that a reference may lead to. Those chosen lately come first. */
export function useRowSearch(
  reference: RowReference,
  {
    search,
    held,
    isWanted,
  }: { readonly search: string; readonly held: Held; readonly isWanted: boolean },
) {
  const { relation, target } = reference;
  const cache = useQueryClient();
  const ways = useWays();
  const pairs = relation.columns ?? [];
  const titled = target.title.map(({ field }) => field);
  const details = detailColumns(target);
  const names = [
    ...new Set([...pairs.map(({ to }) => to), ...titled, ...details.map(({ name }) => name)]),
  ];
  const load = async (text: string, signal: AbortSignal): Promise<readonly Row[]> => {
    const found = searchFilter(target, pairs, text);
    const all = [...(found === undefined ? [] : [found]), ...held.map((one) => whereEqual([one]))];
    const options = {
      ...{ fields: fieldsWithTitle(target, names), orderBy: titled.map(writeName) },
      ...{ limit: searchedRows, signal },
      ...(all.length === 0 ? {} : { where: { _and: all } }),
    };
    return (await client.from(addressOf(target)).list(options)).rows;
  };
  const { data, isFetching, isLoading, isPlaceholderData } = useQuery({
    queryKey: ["references", target.id, names, search, held],
    queryFn: ({ signal }) => load(search, signal),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const idOf = (row: Row) => JSON.stringify(pairs.map(({ to }) => String(row[to])));
  const keyText = (row: Row) => pairs.map(({ to }) => String(row[to])).join(", ");
  const titleOf = (row: Row) => recordTitle(target, row, ways) ?? keyText(row);
  const recentKey = ["recent references", target.id];
  const chosen = search === "" ? (cache.getQueryData<readonly Row[]>(recentKey) ?? []) : [];
  // Another reference to the same table may have read other columns.
  const recent = chosen.filter(
    (row) =>
      names.every((name) => name in row) &&
      held.every(([name, value]) => String(row[name]) === String(value)),
  );
  // Rows of the text before are offered only if they match the new one, so that Enter chooses no wrong row.
  const wanted = search.toLowerCase();
  const loaded = (data ?? []).filter(
    (row) => !isPlaceholderData || titleOf(row).toLowerCase().includes(wanted),
  );
  return {
    ...{ isFetching, isLoading, isPlaceholderData, load, idOf, keyText, titleOf },
    rows: [...new Map([...recent, ...loaded].map((row) => [idOf(row), row])).values()],
    /** Whether a text is the title or the key of a row. */
    isExact: (row: Row, text: string) =>
      [titleOf(row), keyText(row)].some((one) => comparable(one) === comparable(text)),
    optionOf: (row: Row) => ({
      ...{ id: idOf(row), label: titleOf(row), detail: keyText(row) },
      below: details
        .flatMap((column) => valueText(column, row[column.name], ways) || [])
        .join(" · "),
    }),
    /** Keeps a row that was chosen, with its title. */
    keep: (row: Row): void => {
      const others = recent.filter((one) => idOf(one) !== idOf(row)).slice(0, recentMax - 1);
      cache.setQueryData(recentKey, [row, ...others]);
      const values = pairs.map(({ to }) => row[to]);
      cache.setQueryData(textKey(reference, values), row);
    },
  };
}

function comparable(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}
