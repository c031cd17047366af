import type { DistinctField } from "@rowhouse/access/distinct-fields";
import type {
  NavigationColumn,
  NavigationRelation,
  NavigationResource,
} from "../../shell/navigation.ts";
import { knownTitle } from "../model/known-titles.ts";
import { recordTitle } from "../model/record-title.ts";
import type { Ways } from "../values/ways.ts";

/** The title of the row that a value refers to. */
export interface ReferenceTitle {
  readonly target: NavigationResource;
  /** The fields of the title, as the rows have them. */
  readonly fields: readonly DistinctField[];
}

/** A column as the grid shows it. */
export interface GridColumn {
  readonly name: string;
  readonly column: NavigationColumn;
  /** For a column that refers to another row: the relation to it. */
  readonly reference: NavigationRelation | undefined;
  /** The title of that row; undefined if the person may read none. */
  readonly title: ReferenceTitle | undefined;
  /** Of a value of other rows: the names from this row to it. */
  readonly path?: readonly string[];
  /** Why the rows have no values of this column. */
  readonly fault?: string;
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

/** Returns the title of the row that a value refers to; undefined if the person may read none. */
export function referenceText(
  { name, title }: Pick<GridColumn, "name" | "title">,
  values: Readonly<Record<string, unknown>>,
  ways: Ways,
): string | undefined {
  // All fields are members of one related row.
  const relation = title?.fields[0]?.members[0];
  const related = relation === undefined ? undefined : values[relation];
  if (title === undefined || typeof related !== "object" || related === null) {
    return knownTitle(values, name, values[name]);
  }
  return recordTitle(title.target, related as Readonly<Record<string, unknown>>, ways);
}
