import { type DistinctField, distinctFields } from "@rowhouse/access/distinct-fields";
import { readName } from "@rowhouse/access/written-name";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { referenceOf, titleOf } from "../model/resource.ts";
import { usualWidth } from "../table/shown-columns.ts";
import { isNumeric } from "../values/value-kind.ts";
import type { OpenReading } from "./open-reading.ts";
import { lockedColumn } from "./reading-resource.ts";
import { namesOfPath } from "./written-path.ts";

/** Returns every field of a reading as a column, by its name in the reading: of the resource itself, or of rows that it refers to. */
export function readingColumns(
  { fields }: Pick<OpenReading, "fields">,
  resource: NavigationResource,
): ReadonlyMap<string, GridColumn> {
  const paths = readingPaths({ fields }, resource);
  return new Map(
    fields.map((field, index) => {
      const name = readName(field.name);
      const own = resource.columns.find((column) => column.name === name);
      const column = own ?? lockedColumn(field);
      const reference = own === undefined ? undefined : referenceOf(resource, own);
      const path = paths[index]?.members;
      const item: GridColumn = {
        ...{ name, column, reference, title: undefined },
        ...(own !== undefined || path === undefined ? {} : { path }),
        width: usualWidth(column.dataType, titleOf(column)),
        isPinned: false,
        isNumeric: reference === undefined && isNumeric(column),
      };
      return [field.name, item];
    }),
  );
}

/** Returns the fields of a reading as a request writes them; then the columns of the key that it lacks. */
export function readingPaths(
  { fields }: Pick<OpenReading, "fields">,
  resource: NavigationResource,
): readonly DistinctField[] {
  const names = new Set(fields.map(({ name }) => readName(name)));
  const isOwn = new Set(resource.columns.map(({ name }) => name));
  const key = resource.primaryKey.filter((name) => isOwn.has(name) && !names.has(name));
  return distinctFields([
    ...fields.map(({ name }) => (isOwn.has(readName(name)) ? [readName(name)] : namesOfPath(name))),
    ...key.map((name) => [name]),
  ]);
}
