import { cellOf, type GridColumn } from "../../records/grid/grid-column.ts";
import type { GridRow } from "../../records/rows/row-store.ts";
import { type ColorName, colorOf } from "../../records/values/color-of.ts";

/** The edge of a card in each color; Tailwind finds them only as whole names. */
const edges: Readonly<Record<ColorName, string>> = {
  gray: "border-l-tone-gray",
  red: "border-l-tone-red",
  orange: "border-l-tone-orange",
  amber: "border-l-tone-amber",
  yellow: "border-l-tone-yellow",
  lime: "border-l-tone-lime",
  green: "border-l-tone-green",
  teal: "border-l-tone-teal",
  cyan: "border-l-tone-cyan",
  blue: "border-l-tone-blue",
  indigo: "border-l-tone-indigo",
  violet: "border-l-tone-violet",
  pink: "border-l-tone-pink",
};

/** Returns the classes of a card in the color that its field has for the value; a plain edge without one. */
export function toneEdge(item: GridColumn | undefined, row: GridRow): string {
  const color = item === undefined ? undefined : colorOf(item.column, cellOf(item, row.values));
  return color === undefined ? "" : `border-l-3 ${edges[color]}`;
}
