import { fitText, textWidth } from "../../ui/drawing/fit-text.ts";
import type { MapTable } from "./map-graph.ts";

const nameFont = '600 13px "Inter Variable", "Inter", sans-serif';
const smallFont = '12px "Inter Variable", "Inter", sans-serif';
const widths = { least: 120, most: 240 };
const columnsMost = 6;

/** Pixels around the texts of a table, and the heights of its lines. */
export const tableSpace = { side: 12, head: 32, line: 18, foot: 8 };

/** A table as the map shows it: texts that fit, and the size that they need. */
export interface TableLook {
  readonly width: number;
  readonly height: number;
  readonly name: string;
  /** The schema, and the columns that refer to other tables. */
  readonly lines: readonly { readonly text: string; readonly y: number }[];
}

/**
 * Returns what the map shows of a table.
 *
 * @param hasSchema whether the map has tables of several schemas
 */
export function lookOf(table: MapTable, hasSchema: boolean): TableLook {
  const shown = table.columns.slice(0, columnsMost);
  const others = table.columns.length - shown.length;
  const lines = [
    ...(hasSchema ? [table.schema] : []),
    ...shown,
    ...(others > 0 ? [`+ ${others}`] : []),
  ];
  const { side, head, line, foot } = tableSpace;
  const widest = Math.max(
    textWidth(table.name, nameFont),
    ...lines.map((text) => textWidth(text, smallFont)),
  );
  const width = Math.min(widths.most, Math.max(widths.least, Math.ceil(widest) + 2 * side));
  const room = width - 2 * side;
  return {
    width,
    height: head + lines.length * line + (lines.length > 0 ? foot : 0),
    name: fitText(table.name, nameFont, room),
    lines: lines.map((text, index) => ({
      text: fitText(text, smallFont, room),
      y: head + index * line + line / 2,
    })),
  };
}
