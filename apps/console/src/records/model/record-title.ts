import { fillTitle } from "@rowhouse/access/record-title";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { valueText } from "../values/show-value.ts";
import type { Ways } from "../values/ways.ts";
import type { Row } from "./resource.ts";

type Titled = Pick<NavigationResource, "title" | "columns">;

/** The columns by which people recognize a row, in the order of its title; empty if they may read none. */
export function titleColumns({ title, columns }: Titled): readonly NavigationColumn[] {
  return title.flatMap(({ field }) => columns.find(({ name }) => name === field) ?? []);
}

/** Returns the title of a row; undefined if it has none, or if the columns of the title were not read. */
export function recordTitle(resource: Titled, row: Row, ways: Ways): string | undefined {
  const columns = titleColumns(resource);
  const text = fillTitle(resource.title, (field) => {
    const column = columns.find(({ name }) => name === field);
    return column === undefined ? null : valueText(column, row[field], ways);
  });
  return text ?? undefined;
}
