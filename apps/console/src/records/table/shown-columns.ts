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
  const columns = (chosen.length > 0 ? chosen : readable).map((column): GridColumn => {
    const reference = referenceOf(resource, column);
    const target = targetOf(resources, reference);
    const label = target === undefined ? undefined : labelColumn(target);
    return {
      name: column.name,
      column,
      reference,
      labelPath:
        reference === undefined || label === undefined ? undefined : [reference.name, label.name],
      width: ownWidths[column.name] ?? usualWidth(shownAs(column, reference), titleOf(column)),
      isPinned: pinned.has(column.name),
      isNumeric: reference === undefined && isNumeric(column),
    };
  });
  return [...columns.filter(({ isPinned }) => isPinned), ...columns.filter((one) => !one.isPinned)];
}

/** Returns the fields of the request: the shown columns, the key, and the texts of related rows. */
export function fieldsOf(
  resource: Pick<NavigationResource, "primaryKey">,
  columns: readonly GridColumn[],
): readonly string[] {
  const labels = columns.flatMap(({ labelPath }) =>
    labelPath === undefined ? [] : labelPath.map(writeName).join("."),
  );
  const names = [...resource.primaryKey, ...columns.map(({ name }) => name)];
  return [...new Set([...names.map(writeName), ...labels])];
}
