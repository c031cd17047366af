import { readName, splitTerms, writeName } from "@rowhouse/access/written-name";
import type { SortTerm } from "../grid/grid-head.tsx";

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
};

/** Reads the parameters of an address. A parameter of another form is left out. */
export function readRowsSearch(raw: Readonly<Record<string, unknown>>): RowsSearch {
  const { where, open } = raw;
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

/** Reads a list of names. */
export function namesOf(list: string | undefined): readonly string[] {
  return termsOf(list).map(readName);
}

/** Writes a list of names; undefined for none. */
export function listOf(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.map(writeName).join();
}

function termsOf(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? [] : splitTerms(list);
}

/** Reads an order of rows. */
export function sortOf(orderBy: string | undefined): readonly SortTerm[] {
  return termsOf(orderBy).map((term) => ({
    name: readName(term.replace(/^-/, "").replace(/:nulls_(?:first|last)$/, "")),
    isDescending: term.startsWith("-"),
  }));
}

/** Writes an order of rows. */
export function orderOf(sort: readonly SortTerm[]): string | undefined {
  const terms = sort.map(
    ({ name, isDescending }) => `${isDescending ? "-" : ""}${writeName(name)}`,
  );
  return terms.length === 0 ? undefined : terms.join();
}

/**
 * Returns the order after a press on a column: ascending, then descending, then none.
 *
 * @param isAdditional whether the other columns of the order stay
 */
export function toggleSort(
  sort: readonly SortTerm[],
  name: string,
  isAdditional: boolean,
): readonly SortTerm[] {
  const term = sort.find((one) => one.name === name);
  const others = isAdditional ? sort.filter((one) => one !== term) : [];
  if (term === undefined) return [...others, { name, isDescending: false }];
  if (term.isDescending) return others;
  const turned = { name, isDescending: true };
  return isAdditional ? sort.map((one) => (one === term ? turned : one)) : [turned];
}

/** Returns names with one of them moved by some places. */
export function moveName(names: readonly string[], name: string, by: number): readonly string[] {
  const from = names.indexOf(name);
  const to = Math.max(0, Math.min(names.length - 1, from + by));
  const others = names.filter((one) => one !== name);
  return from === -1 ? names : [...others.slice(0, to), name, ...others.slice(to)];
}
