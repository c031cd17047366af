import { type DistinctField, distinctFields } from "@rowhouse/access/distinct-fields";
import { writeName } from "@rowhouse/access/written-name";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { targetOf } from "../model/reference.ts";
import { labelColumn, readableColumns, referenceOf, titleOf } from "../model/resource.ts";
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
): string {
  if (format?.type === "image") return "image";
  return reference === undefined ? dataType : "text";
}

const widths: readonly (readonly [RegExp, number])[] = [
  [/\[\]$|^jsonb?$/, 220],
  [/^bool/, 90],
  [/^bigint/, 160],
  [/^numeric/, 124],
  [/^(?:small)?int|^(?:real|double)/, 110],
  [/^uuid/, 280],
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
  const labels = labelPaths(resource, resources, shown);
  const columns = shown.map((column): GridColumn => {
    const reference = referenceOf(resource, column);
    return {
      name: column.name,
      column,
      reference,
      labelPath: labels.get(column.name),
      width: ownWidths[column.name] ?? usualWidth(shownAs(column, reference), titleOf(column)),
      isPinned: pinned.has(column.name),
      isNumeric: reference === undefined && isNumeric(column),
    };
  });
  return [...columns.filter(({ isPinned }) => isPinned), ...columns.filter((one) => !one.isPinned)];
}

/** Maximum number of relations with an alias in a request. */
const aliasesMax = 20;

/** Returns the texts by which people recognize the rows that the columns refer to, as far as they may read them. */
function labelPaths(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
  shown: readonly NavigationColumn[],
): ReadonlyMap<string, DistinctField> {
  const own = [...resource.primaryKey, ...shown.map(({ name }) => name)].map((name) => [name]);
  const labeled = shown.flatMap((column) => {
    const reference = referenceOf(resource, column);
    const target = targetOf(resources, reference);
    const label = target === undefined ? undefined : labelColumn(target);
    return reference === undefined || label === undefined
      ? []
      : [{ name: column.name, path: [reference.name, label.name] }];
  });
  const distinct = distinctFields([...own, ...labeled.map(({ path }) => path)]);
  let aliases = 0;
  return new Map(
    labeled.flatMap(({ name, path }, index): [string, DistinctField][] => {
      const field = distinct[own.length + index];
      if (field === undefined) return [];
      if (field.members[0] !== path[0]) aliases += 1;
      return field.members[0] !== path[0] && aliases > aliasesMax ? [] : [[name, field]];
    }),
  );
}

/** Returns the fields of the request: the shown columns, the key, and the texts of related rows. */
export function fieldsOf(
  resource: Pick<NavigationResource, "primaryKey">,
  columns: readonly GridColumn[],
): readonly string[] {
  const names = [...resource.primaryKey, ...columns.map(({ name }) => name)];
  const labels = columns.flatMap(({ labelPath }) => labelPath?.term ?? []);
  return [...new Set([...names.map(writeName), ...labels])];
}
