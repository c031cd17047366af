/** A filter as the Data API takes it. */
export type Filter = Readonly<Record<string, unknown>>;

/** The state of a view of rows, as its address has it. */
export interface RowsSearch {
  readonly where: Filter | undefined;
  /** As in the Data API: `-price,plate`. */
  readonly order_by: string | undefined;
  /** The shown columns in their order; without it, all. */
  readonly fields: string | undefined;
  /** The columns that do not scroll. */
  readonly pinned: string | undefined;
  readonly search: string | undefined;
  /** The columns by which the rows are counted. */
  readonly group: string | undefined;
  /** The records beside the grid, the last on top: paths `schema/table/name/key`. */
  readonly open: readonly string[] | undefined;
  /** The id of a saved view. */
  readonly view: string | undefined;
  /** The number of the first shown row, from 2; without it, all rows are shown. */
  readonly from: number | undefined;
}

/** The state of a view without anything chosen. */
export const emptySearch: RowsSearch = {
  where: undefined,
  order_by: undefined,
  fields: undefined,
  pinned: undefined,
  search: undefined,
  group: undefined,
  open: undefined,
  view: undefined,
  from: undefined,
};

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readRowsSearch(raw: Readonly<Record<string, unknown>>): RowsSearch {
  const { where, open, from } = raw;
  const paths = Array.isArray(open) ? open.filter((one) => typeof one === "string") : [];
  return {
    where: isFilter(where) && Object.keys(where).length > 0 ? where : undefined,
    order_by: textOf(raw.order_by),
    fields: textOf(raw.fields),
    pinned: textOf(raw.pinned),
    search: textOf(raw.search),
    group: textOf(raw.group),
    open: paths.length > 0 ? paths : undefined,
    view: textOf(raw.view),
    from: Number.isSafeInteger(from) && Number(from) > 1 ? Number(from) : undefined,
  };
}

/** A text of digits is a number once the address is parsed. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isFilter(value: unknown): value is Filter {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
