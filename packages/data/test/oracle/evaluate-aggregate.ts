import { Decimal } from "./decimal.ts";
import type { Access } from "./evaluate-access.ts";
import { truthOf } from "./evaluate-filter.ts";
import { compareOrdered, fieldValue, matchingRows } from "./evaluate-read.ts";
import { faultsOf } from "./faults.ts";
import type { AggregateRequest, Expected, Output, Row, Table, TypeName, Value } from "./model.ts";
import { nameOfOutput } from "./outputs.ts";
import { columnOf, tableOf, writePath } from "./relations.ts";
import { partOfDate, truncateDate } from "./time-unit.ts";
import { compareValues, isScalar, jsonOf } from "./values.ts";

const limitDefault = 50;

interface Result {
  readonly name: string;
  readonly type: TypeName;
  readonly value: Value;
  readonly json: unknown;
}

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

function groupValue({ path, unit, part }: Output, table: Table, row: Row, access: Access) {
  const { type, value } = fieldValue(path ?? { steps: [], name: null }, table, row, access);
  const zone = access.user.columns.get("$USER.time_zone") ?? "UTC";
  if (part !== undefined) {
    return {
      type: "int" as const,
      value: value === null ? null : partOfDate(value, part, type, zone),
    };
  }
  const cut = unit === null || value === null ? value : truncateDate(value, unit, type, zone);
  return { type: type ?? "text", value: cut };
}

function resultOf(output: Output, table: Table, group: readonly Row[], access: Access): Result {
  const name = nameOfOutput(output);
  const { apply, path } = output;
  if (apply === null) {
    const [first] = group;
    if (first === undefined) throw new TypeError("A group has a row");
    const { type, value } = groupValue(output, table, first, access);
    // Equal numbers may differ in their text, and any of the texts may represent the group.
    const json = type === "numeric" && value !== null ? new Decimal(value) : jsonOf(type, value);
    return { name, type, value, json };
  }
  if (path === null) return countResult(name, group.length);
  const found = group.map((row) => fieldValue(path, table, row, access));
  const values = found.flatMap(({ value }) => value ?? []);
  const type = found[0]?.type ?? endType(path, table, access);
  const distinct = values.filter(
    (value, at) => values.findIndex((other) => isSameValue(type, value, other)) === at,
  );
  switch (apply) {
    case "count":
      return countResult(name, values.length);
    case "count_distinct":
      return countResult(name, distinct.length);
    case "sum":
    case "avg": {
      const number = values.length === 0 ? null : Decimal[apply](values);
      return { name, type: "numeric", value: number?.text ?? null, json: number };
    }
    default: {
      const sign = apply === "min" ? 1 : -1;
      const [best = null] = values.toSorted(
        (left, right) => sign * (compareValues(type, left, right) ?? 0),
      );
      const json = type === "numeric" && best !== null ? new Decimal(best) : jsonOf(type, best);
      return { name, type, value: best, json };
    }
  }
}

/** Lists and documents have no order here, and each of their values has one text form. */
function isSameValue(type: TypeName, left: string, right: string): boolean {
  return isScalar(type) ? compareValues(type, left, right) === 0 : left === right;
}

function countResult(name: string, count: number): Result {
  return { name, type: "bigint", value: String(count), json: count };
}

function endType(path: NonNullable<Output["path"]>, table: Table, access: Access): TypeName {
  const end = path.steps.reduce<Table | undefined>(
    (its, step) => (its === undefined ? undefined : access.edge(its, step)?.target),
    table,
  );
  return (end === undefined ? undefined : columnOf(end, path.name ?? "")?.type) ?? "text";
}
