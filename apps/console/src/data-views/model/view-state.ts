import type { TableState } from "../../records/readings/use-reading-view.ts";
import { emptySearch, type Filter, readRowsSearch } from "../../records/rows/rows-address.ts";

/** What a person has chosen of a DataView, as its address has it. */
export interface ViewState extends TableState {
  readonly where: Filter | undefined;
  readonly search: string | undefined;
  /** A day that the calendar shows: `2026-05-01`. */
  readonly from: string | undefined;
  /** The days that the calendar shows at once; a month without it. */
  readonly span: "week" | undefined;
  /** The records beside the rows, the last on top: paths `schema/table/name/key`. */
  readonly open: readonly string[] | undefined;
}

/** The state of a DataView without anything chosen. */
export const emptyState: ViewState = {
  where: undefined,
  order_by: undefined,
  fields: undefined,
  pinned: undefined,
  search: undefined,
  from: undefined,
  span: undefined,
  open: undefined,
};

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readViewState(raw: Readonly<Record<string, unknown>>): ViewState {
  const { where, order_by, fields, search, open } = readRowsSearch({ ...emptySearch, ...raw });
  const { from, span, pinned } = raw;
  return {
    ...{ where, order_by, fields, search, open },
    // The empty text: nothing is pinned.
    pinned: typeof pinned === "string" ? pinned : undefined,
    from: typeof from === "string" && dayForm.test(from) ? from : undefined,
    span: span === "week" ? span : undefined,
  };
}
