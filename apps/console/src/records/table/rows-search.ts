import { readName, splitTerms, writeName } from "@rowhouse/access/written-name";
import type { SortTerm } from "../grid/grid-head.tsx";

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
