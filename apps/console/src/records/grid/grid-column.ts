import type { DistinctField } from "@rowhouse/access/distinct-fields";
import type { NavigationColumn, NavigationRelation } from "../../shell/navigation.ts";

/** A column as the grid shows it. */
export interface GridColumn {
  readonly name: string;
  readonly column: NavigationColumn;
  /** For a column that refers to another row: the relation to it. */
  readonly reference: NavigationRelation | undefined;
  /** The text by which people recognize that row; undefined if they may read none. */
  readonly labelPath: DistinctField | undefined;
  /** Of a value of other rows: the names from this row to it. */
  readonly path?: readonly string[];
  readonly width: number;
  readonly isPinned: boolean;
  /** Whether figures stand at its right edge. */
  readonly isNumeric: boolean;
}

/** Pixels of the column with the boxes of the rows. */
export const boxWidth = 36;

/** Pixels of a column: the narrowest and the widest that a person may set. */
export const widthBounds = { min: 56, max: 800 } as const;

/** A column with its left edge, in pixels from the start of the row. */
export interface PlacedColumn {
  readonly item: GridColumn;
  readonly index: number;
  readonly left: number;
}

/** Places columns beside each other, after the boxes. */
export function placeColumns(columns: readonly GridColumn[]): {
  readonly placed: readonly PlacedColumn[];
  readonly pinnedWidth: number;
  readonly totalWidth: number;
} {
  let left = boxWidth;
  let pinnedWidth = boxWidth;
  const placed = columns.map((item, index) => {
    const at = { item, index, left };
    left += item.width;
    if (item.isPinned) pinnedWidth = left;
    return at;
  });
  return { placed, pinnedWidth, totalWidth: left };
}

/** Returns those columns that a window shows; pinned ones always. */
export function visibleColumns(
  placed: readonly PlacedColumn[],
  from: number,
  to: number,
): readonly PlacedColumn[] {
  return placed.filter(
    ({ item, left }) => item.isPinned || (left + item.width > from && left < to),
  );
}

/** Returns the value of a row in a column; of a list of related rows, the values of all of them. */
export function cellOf(
  { name, path }: Pick<GridColumn, "name" | "path">,
  values: Readonly<Record<string, unknown>>,
): unknown {
  return path === undefined ? values[name] : valueAt(values, path);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  if (typeof value !== "object") return undefined;
  return valueAt((value as Readonly<Record<string, unknown>>)[name], rest);
}

/** Returns the text by which people recognize the row that a value refers to; undefined if they may read none. */
export function referenceText(
  item: GridColumn,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  const [relation, label] = item.labelPath?.members ?? [];
  const related = relation === undefined ? undefined : values[relation];
  if (label === undefined || typeof related !== "object" || related === null) return undefined;
  const text = (related as Readonly<Record<string, unknown>>)[label];
  return typeof text === "string" && text !== "" ? text : undefined;
}
