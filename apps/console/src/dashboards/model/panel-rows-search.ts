import { type ParameterValues, readRecord } from "./open-dashboard.ts";
import type { Mark } from "./open-panel.ts";

/** The state of the rows behind a mark in their address. */
export interface PanelRowsSearch {
  readonly parameters: ParameterValues | undefined;
  readonly mark: Mark | undefined;
  readonly where: Mark | undefined;
  readonly order_by: string | undefined;
  readonly fields: string | undefined;
  /** The columns that do not scroll. */
  readonly pinned: string | undefined;
  readonly search: string | undefined;
  /** The records beside the rows, the last on top. */
  readonly open: readonly string[] | undefined;
}

/** Reads the address of the rows behind a mark. Parts of another form are left out. */
export function readPanelRowsSearch(raw: Readonly<Record<string, unknown>>): PanelRowsSearch {
  const paths = Array.isArray(raw.open) ? raw.open.filter((one) => typeof one === "string") : [];
  return {
    parameters: readRecord(raw.parameters),
    mark: readRecord(raw.mark),
    where: readRecord(raw.where),
    order_by: textOf(raw.order_by),
    fields: textOf(raw.fields),
    pinned: raw.pinned === "" ? "" : textOf(raw.pinned),
    search: textOf(raw.search),
    open: paths.length > 0 ? paths : undefined,
  };
}

/** A text of digits is a number once the address is parsed. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
