import type { Access } from "./evaluate-access.ts";
import { truthOf } from "./evaluate-filter.ts";
import { compareOrdered, matchingRows } from "./evaluate-read.ts";
import { faultsOf } from "./faults.ts";
import { groupValue, type Result, resultOf } from "./group-result.ts";
import type { AggregateRequest, Expected, Output, Row, Table } from "./model.ts";
import { tableOf, writePath } from "./relations.ts";
import { compareValues } from "./values.ts";

const limitDefault = 50;

/** Computes the expected response of an aggregate: groups of the visible rows, over the values visible in them. */
export function expectedAggregate(request: AggregateRequest, access: Access): Expected {
  const table = tableOf(access.world, request.table);
  const faults = faultsOf(request, table, access);
  if (faults.length > 0 || table === undefined) return { kind: "REFUSED", codes: faults };
  const { outputs, where, search, having, order, limit, offset, count } = request;
  const groupers = outputs.filter(({ apply }) => apply === null);
  const groups: Row[][] = groupers.length === 0 ? [[]] : [];
  const rows = matchingRows({ where, search }, table, access);
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
  const start = offset ?? 0;
  const data = results
    .slice(start, start + (limit ?? limitDefault))
    .map((its) => Object.fromEntries(its.map(({ name, json }) => [name, json])));
  const meta = count ? { meta: { count: results.length } } : {};
  return { kind: "BODY", status: 200, body: { data, ...meta } };
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
