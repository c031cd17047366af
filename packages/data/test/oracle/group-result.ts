import { Decimal } from "./decimal.ts";
import { valueInside } from "./documents.ts";
import type { Access } from "./evaluate-access.ts";
import { ExactNumber } from "./exact-number.ts";
import type { Expression, Output, Path, Row, Table, TypeName, Value } from "./model.ts";
import { nameOfOutput } from "./outputs.ts";
import { columnOf } from "./relations.ts";
import { partOfDate, truncateDate } from "./time-unit.ts";
import { compareValues, jsonOf } from "./values.ts";

/** One value of a group. */
export interface Result {
  readonly name: string;
  readonly type: TypeName;
  readonly value: Value;
  readonly json: unknown;
}

/** The value of a field of the row or of a to-one related row; null if it is hidden. */
export function fieldValue(path: Path, table: Table, row: Row, access: Access) {
  let at: { readonly table: Table; readonly row: Row | undefined } = { table, row };
  for (const name of path.steps) {
    const edge = access.edge(at.table, name);
    if (edge === undefined) throw new TypeError(`No relation ${name}`);
    at = {
      table: edge.target,
      row: at.row === undefined ? undefined : access.related(edge, at.row)[0],
    };
  }
  const name = path.name ?? "";
  const type = columnOf(at.table, name)?.type ?? null;
  const shows = at.row !== undefined && access.showsField(at.table, at.row, name);
  const value: Value = shows ? (at.row?.get(name) ?? null) : null;
  if (path.inside === undefined || value === null) return { type, value };
  // JSON null is no value.
  const inside = valueInside(JSON.parse(value), path.inside) ?? undefined;
  return { type, value: inside === undefined ? null : JSON.stringify(inside) };
}

/** The number that an expression computes from a row; null if one of its values is, and for a division by zero. */
function numberOf(
  expression: Expression,
  table: Table,
  row: Row,
  access: Access,
): ExactNumber | null {
  if (expression.kind === "NUMBER") return ExactNumber.read(expression.text);
  if (expression.kind === "FIELD") {
    return readNumber(fieldValue(expression.path, table, row, access));
  }
  const [left, right] = [expression.left, expression.right].map((part) =>
    numberOf(part, table, row, access),
  );
  if (left == null || right == null) return null;
  switch (expression.sign) {
    case "+":
      return left.plus(right);
    case "-":
      return left.minus(right);
    case "*":
      return left.times(right);
    default:
      return right.isZero ? null : left.over(right);
  }
}

/** A value as a number; null for a value inside a document that is none. */
function readNumber({ type, value }: ReturnType<typeof fieldValue>): ExactNumber | null {
  const isNumber = value !== null && (type !== "jsonb" || typeof JSON.parse(value) === "number");
  return isNumber ? ExactNumber.read(value) : null;
}

/** The value by which a row belongs to a group. */
export function groupValue({ path, unit, part }: Output, table: Table, row: Row, access: Access) {
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

/** The result of a group, or of all rows. */
export function resultOf(
  output: Output,
  table: Table,
  group: readonly Row[],
  access: Access,
): Result {
  const name = nameOfOutput(output);
  const { apply, path, expression } = output;
  if (apply === null) {
    const [first] = group;
    if (first === undefined) throw new TypeError("A group has a row");
    const { type, value } = groupValue(output, table, first, access);
    // Equal numbers may differ in their text, and any of the texts may represent the group.
    const json = type === "numeric" && value !== null ? new Decimal(value) : jsonOf(type, value);
    return { name, type, value, json };
  }
  if (expression !== undefined) {
    const numbers = group.flatMap((row) => numberOf(expression, table, row, access) ?? []);
    return numberResult(name, apply, numbers);
  }
  if (path === null) return countResult(name, group.length);
  const found = group.map((row) => fieldValue(path, table, row, access));
  if (apply === "sum" || apply === "avg") {
    return numberResult(
      name,
      apply,
      found.flatMap((its) => readNumber(its) ?? []),
    );
  }
  const values = found.flatMap(({ value }) => value ?? []);
  const type = found[0]?.type ?? endType(path, table, access);
  const distinct = values.filter(
    (value, at) => values.findIndex((other) => compareValues(type, value, other) === 0) === at,
  );
  switch (apply) {
    case "count":
      return countResult(name, values.length);
    case "count_distinct":
      return countResult(name, distinct.length);
    default:
      return bestResult(name, type, apply, values);
  }
}

function numberResult(
  name: string,
  apply: NonNullable<Output["apply"]>,
  numbers: readonly ExactNumber[],
): Result {
  if (numbers.length === 0) return { name, type: "numeric", value: null, json: null };
  if (apply !== "sum" && apply !== "avg")
    return bestResult(name, "numeric", apply, numbers.map(String));
  const sum = ExactNumber.sum(numbers);
  const number = apply === "sum" ? sum : sum.over(ExactNumber.read(String(numbers.length)));
  const text = String(number);
  return { name, type: "numeric", value: text, json: text };
}

function bestResult(
  name: string,
  type: TypeName,
  apply: NonNullable<Output["apply"]>,
  values: readonly string[],
): Result {
  const sign = apply === "min" ? 1 : -1;
  const [best = null] = values.toSorted(
    (left, right) => sign * (compareValues(type, left, right) ?? 0),
  );
  const json = type === "numeric" && best !== null ? new Decimal(best) : jsonOf(type, best);
  return { name, type, value: best, json };
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
