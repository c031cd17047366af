import type { Access } from "./evaluate-access.ts";
import { truthOf } from "./evaluate-filter.ts";
import { groupValue, type Result, resultOf } from "./group-result.ts";
import type { Filter, OrderTerm, Output, Row, Table, TypeName, Value } from "./model.ts";
import { writePath } from "./relations.ts";
import { compareValues } from "./values.ts";

/** How rows are grouped, and which groups are shown in which order. */
export interface Grouping {
  /** Values of the groups, then aggregates. */
  readonly outputs: readonly Output[];
  readonly having: Filter | null;
  readonly order: readonly OrderTerm[];
}

/** Groups rows over the values visible in them. */
export function groupRows(
  rows: readonly Row[],
  { outputs, having, order }: Grouping,
  table: Table,
  access: Access,
): readonly (readonly Result[])[] {
  const groupers = outputs.filter(({ apply }) => apply === null);
  const groups: Row[][] = groupers.length === 0 ? [[]] : [];
  for (const row of rows) {
    const known = groups.find(
      ([first]) =>
        first === undefined ||
        groupers.every((grouper) => isSame(grouper, table, first, row, access)),
    );
    if (known === undefined) groups.push([row]);
    else known.push(row);
  }
  const results = groups
    .map((group) => outputs.map((output) => resultOf(output, table, group, access)))
    .filter((its) => having === null || truthOf(having, table, new Map(), readerOf(its, access)));
  results.sort((left, right) => {
    for (const term of order) {
      const [one, two] = [left, right].map((its) =>
        its.find(({ name }) => name === writePath(term.path)),
      );
      const compared =
        one === undefined || two === undefined
          ? 0
          : compareOrdered(term, one.type, one.value, two.value);
      if (compared !== 0) return compared;
    }
    for (const at of groupers.keys()) {
      const [one, two] = [left[at], right[at]];
      const term = { descending: false, nulls: null };
      const compared =
        one === undefined || two === undefined
          ? 0
          : compareOrdered(term, one.type, one.value, two.value);
      if (compared !== 0) return compared;
    }
    return 0;
  });
  return results;
}

/** A group as JSON. */
export function groupJson(results: readonly Result[]): unknown {
  return Object.fromEntries(results.map(({ name, json }) => [name, json]));
}

/** The results of a group, as `having` reads them. */
function readerOf(results: readonly Result[], access: Access) {
  const find = (name: string) => results.find((result) => result.name === name);
  return {
    user: access.user,
    typeOf: (_: Table, name: string) => find(name)?.type,
    see: (_: Table, __: Row, name: string) => find(name)?.value ?? null,
    edge: () => undefined,
    related: () => [],
  };
}

function isSame(grouper: Output, table: Table, left: Row, right: Row, access: Access): boolean {
  const [one, two] = [left, right].map((row) => groupValue(grouper, table, row, access));
  if (one?.value == null || two?.value == null) return one?.value === two?.value;
  return compareValues(one.type, one.value, two.value) === 0;
}

/** Nulls are last in ascending and first in descending order, unless the term says otherwise. */
export function compareOrdered(
  { descending, nulls }: Pick<OrderTerm, "descending" | "nulls">,
  type: TypeName,
  left: Value,
  right: Value,
): number {
  if (left === null || right === null) {
    const difference = Number(left === null) - Number(right === null);
    return (nulls === null ? descending : nulls === "first") ? -difference : difference;
  }
  const compared = compareValues(type, left, right) ?? 0;
  return descending ? -compared : compared;
}
