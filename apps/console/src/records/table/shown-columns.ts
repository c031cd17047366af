import { distinctFields } from "@rowhouse/access/distinct-fields";
import { titlePaths } from "@rowhouse/access/record-title";
import { writeName } from "@rowhouse/access/written-name";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import type { GridColumn, ReferenceTitle } from "../grid/grid-column.ts";
import { targetOf } from "../model/reference.ts";
import { readableColumns, referenceOf, titleOf } from "../model/resource.ts";
import type { RowsSearch } from "../rows/rows-address.ts";
import { isNumeric } from "../values/value-kind.ts";
import { namesOf } from "./rows-search.ts";

/** Pixels of a column by its type, where a person has set none. */
export function usualWidth(dataType: string, title: string): number {
  const forTitle = Math.min(260, title.length * 7.5 + 56);
  const forType = widths.find(([type]) => type.test(dataType))?.[1] ?? 150;
  return Math.round(Math.max(forTitle, forType));
}

/** The type whose width a column has: its own, or that of the text or picture shown in its place. */
function shownAs(
  { dataType, format }: NavigationColumn,
  reference: NavigationRelation | undefined,
  title: ReferenceTitle | undefined,
): string {
  if (format?.type === "image") return "image";
  if (title?.target.title.some((part) => part.reference !== undefined)) return "long title";
  return reference === undefined ? dataType : "text";
}

const widths: readonly (readonly [RegExp, number])[] = [
  [/\[\]$|^jsonb?$/, 220],
  [/^bool/, 90],
  [/^bigint/, 160],
  [/^numeric/, 124],
  [/^(?:small)?int|^(?:real|double)/, 110],
  [/^(?:uuid|long title)/, 280],
  [/^image/, 96],
  [/^timestamp/, 190],
  [/^(?:date|time|interval)/, 120],
  [/^(?:text|character|varchar|citext)/, 180],
];

/** Returns the columns of a view in their order, pinned ones first. */
export function shownColumns(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
  search: Pick<RowsSearch, "fields" | "pinned">,
  ownWidths: Readonly<Record<string, number>>,
): readonly GridColumn[] {
  const readable = readableColumns(resource);
  const pinned = new Set(namesOf(search.pinned));
  const chosen = namesOf(search.fields).flatMap(
    (name) => readable.find((column) => column.name === name) ?? [],
  );
  const shown = chosen.length > 0 ? chosen : readable;
  const titles = referenceTitles(resource, resources, shown);
  const columns = shown.map((column): GridColumn => {
    const reference = referenceOf(resource, column);
    return {
      name: column.name,
      column,
      reference,
      title: titles.get(column.name),
      width:
        ownWidths[column.name] ??
        usualWidth(shownAs(column, reference, titles.get(column.name)), titleOf(column)),
      isPinned: pinned.has(column.name),
      isNumeric: reference === undefined && isNumeric(column),
    };
  });
  return [...columns.filter(({ isPinned }) => isPinned), ...columns.filter((one) => !one.isPinned)];
}

/** Maximum number of relations with an alias in a request. */
const aliasesMax = 20;

/** Returns the titles of the rows that the columns refer to, as far as the person may read them. */
function referenceTitles(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
  shown: readonly NavigationColumn[],
): ReadonlyMap<string, ReferenceTitle> {
  const own = [...resource.primaryKey, ...shown.map(({ name }) => name)].map((name) => [name]);
  const titled = shown.flatMap((column) => {
    const reference = referenceOf(resource, column);
    const target = targetOf(resources, reference);
    if (reference === undefined || target === undefined || target.title.length === 0) return [];
    return [{ name: column.name, reference, target }];
  });
  const pathsOf = ({ reference, target }: (typeof titled)[number]) =>
    titlePaths(target.title).map((path) => [reference.name, ...path]);
  const paths = titled.flatMap(pathsOf);
  const distinct = distinctFields([...own, ...paths]).slice(own.length);
  let aliases = 0;
  let begin = 0;
  const titles = new Map<string, ReferenceTitle>();
  for (const item of titled) {
    const { name, reference, target } = item;
    const fields = distinct.slice(begin, begin + pathsOf(item).length);
    begin += fields.length;
    const hasAlias = fields[0]?.members[0] !== reference.name;
    if (hasAlias) aliases += 1;
    if (!hasAlias || aliases <= aliasesMax) titles.set(name, { target, fields });
  }
  return titles;
}

/** Returns the fields of the request: the shown columns, the key, and the titles of related rows. */
export function fieldsOf(
  resource: Pick<NavigationResource, "primaryKey">,
  columns: readonly GridColumn[],
): readonly string[] {
  const names = [...resource.primaryKey, ...columns.map(({ name }) => name)];
  const titles = columns.flatMap(({ title }) => title?.fields.map(({ term }) => term) ?? []);
  return [...new Set([...names.map(writeName), ...titles])];
}
