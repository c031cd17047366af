import { distinctFields } from "@rowhouse/access/distinct-fields";
import { fillTitle, referredRow, type TitlePart, titlePaths } from "@rowhouse/access/record-title";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { valueText } from "../values/show-value.ts";
import { valueKindOf } from "../values/value-kind.ts";
import type { Ways } from "../values/ways.ts";
import { knownTitle } from "./known-titles.ts";
import { targetOf } from "./reference.ts";
import { type Row, referenceOf } from "./resource.ts";

type Titled = Pick<NavigationResource, "title" | "columns">;

/**
 * Returns the terms of `fields` that read some columns with the title of each row, so that a list needs no request for its
 * titles.
 */
export function fieldsWithTitle(
  { title }: Pick<Titled, "title">,
  names: readonly string[],
): readonly string[] {
  const paths = [...names.map((name) => [name]), ...titlePaths(title)];
  return [...new Set(distinctFields(paths).map(({ term }) => term))];
}

/** Returns the parts of a template as titles have them: a column that refers to a row is shown by that row's own columns. */
export function withReferences(
  parts: readonly TitlePart[],
  resource: NavigationResource,
  resources: readonly NavigationResource[],
): NavigationResource["title"] {
  return parts.map((part) => {
    const { field, before, after } = part;
    const relation = referenceOf(resource, { name: field });
    const target = targetOf(resources, relation);
    const [first] = target?.title ?? [];
    if (relation === undefined || target === undefined || first?.reference !== undefined) {
      return { field, before, after };
    }
    const title = target.title.filter(({ reference }) => reference === undefined);
    if (title.length === 0) return { field, before, after };
    const { columns } = target;
    return { field, before, after, reference: { relation: relation.name, title, columns } };
  });
}

/** Returns the title of a row; undefined if it has none, or if the columns of the title were not read. */
export function recordTitle(resource: Titled, row: Row, ways: Ways): string | undefined {
  const own = (field: string) => columnText(resource.columns, field, row, ways);
  const text = fillTitle(resource.title, ({ field, reference }) => {
    const referred = reference === undefined ? undefined : referredRow(row, reference);
    const title =
      referred === undefined || reference === undefined
        ? knownTitle(row, field, row[field])
        : fillTitle(reference.title, (part) =>
            columnText(reference.columns, part.field, referred, ways),
          );
    return title ?? own(field);
  });
  return text ?? undefined;
}

function columnText(
  columns: readonly NavigationColumn[],
  field: string,
  row: Row,
  ways: Ways,
): string | null {
  const column = columns.find(({ name }) => name === field);
  return column === undefined ? null : valueText(column, row[field], ways);
}

/** The paths of the texts that a title is filled with, also of the rows that it refers to. */
export function titleTextPaths({ title, columns }: Titled): readonly (readonly string[])[] {
  return title.flatMap(({ field, reference }) => {
    const own = columns.find(({ name }) => name === field);
    if (reference === undefined) return own !== undefined && isTextual(own) ? [[field]] : [];
    return reference.title.flatMap((part) => {
      const column = reference.columns.find(({ name }) => name === part.field);
      return column !== undefined && isTextual(column) ? [[reference.relation, part.field]] : [];
    });
  });
}

function isTextual(column: NavigationColumn): boolean {
  return valueKindOf(column) === "TEXT";
}
