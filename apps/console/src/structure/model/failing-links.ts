import { writeName } from "@rowhouse/access/written-name";
import { keysFilter } from "../../records/model/resource.ts";
import { resourcePath } from "../../shell/resource-path.ts";
import type { PlacedChange } from "./compile-draft.ts";
import type { Table } from "./queries.ts";

/** Existing rows that a change fails on, as a preview has them. */
export interface FailingRows {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly rows: number | null;
  readonly keys: readonly (readonly string[])[];
}

type Place = Pick<Table, "schema" | "name" | "primaryKey">;

/** The address of one row in the grid. */
export function rowLink(table: Place, key: readonly string[]): string {
  const { schema, name } = table;
  const keyText = key.map(encodeURIComponent).join();
  const path = [...[schema, "table", name].map(encodeURIComponent), keyText].join("/");
  return `${pathOf(table)}?open=${encodeURIComponent(JSON.stringify([path]))}`;
}

/**
 * The address of the grid with the rows that a change fails on, and whether these are all of them. Undefined if neither
 * the keys nor the filter language can name them.
 */
export function rowsLink(
  table: Place,
  failing: FailingRows,
  placed: PlacedChange | undefined,
): { readonly href: string; readonly isAll: boolean } | undefined {
  const { rows, keys } = failing;
  const isAll = rows !== null && keys.length >= rows;
  const own = table.primaryKey?.columns ?? [];
  const byKeys = keys.length > 0 ? keysFilter({ primaryKey: [...own] }, keys) : undefined;
  const byValue = isAll ? undefined : emptyValues(failing, placed);
  const where = byValue ?? byKeys;
  if (where === undefined) return undefined;
  return {
    href: `${pathOf(table)}?where=${encodeURIComponent(JSON.stringify(where))}`,
    isAll: isAll || byValue !== undefined,
  };
}

/** The filter of rows without a value, the one cause that the filter language can always say. */
function emptyValues({ code }: FailingRows, placed: PlacedChange | undefined) {
  if (code !== "REQUIRED_FIELD" || placed?.change.kind !== "changeColumn") return undefined;
  // The grid has the column under the name that it has before the change.
  return { [writeName(placed.place.replace(/^column\//, ""))]: { _null: true } };
}

function pathOf({ schema, name }: Place): string {
  return resourcePath({ schema, name, kind: "TABLE" });
}
