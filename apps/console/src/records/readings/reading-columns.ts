import { readName } from "@rowhouse/access/written-name";
import type { NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { referenceOf, titleOf } from "../model/resource.ts";
import { usualWidth } from "../table/shown-columns.ts";
import { isNumeric } from "../values/value-kind.ts";
import type { OpenReading, ReadingField } from "./open-reading.ts";
import { lockedColumn } from "./reading-resource.ts";
import { namesOfPath } from "./written-path.ts";

/** Returns a field of a reading as a column: of the resource itself, or of rows that it refers to. */
export function readingColumn(field: ReadingField, resource: NavigationResource): GridColumn {
  const name = readName(field.name);
  const own = resource.columns.find((column) => column.name === name);
  const column = own ?? lockedColumn(field);
  const reference = own === undefined ? undefined : referenceOf(resource, own);
  const path = own === undefined ? namesOfPath(field.name) : undefined;
  return {
    ...{ name, column, reference, labelPath: undefined },
    ...(path === undefined ? {} : { path }),
    width: usualWidth(column.dataType, titleOf(column)),
    isPinned: false,
    isNumeric: reference === undefined && isNumeric(column),
  };
}

/** Returns every field of a reading as a column, by its name in the reading. */
export function readingColumns(
  { fields }: Pick<OpenReading, "fields">,
  resource: NavigationResource,
): ReadonlyMap<string, GridColumn> {
  return new Map(fields.map((field) => [field.name, readingColumn(field, resource)]));
}
