import {
  builtInType,
  type ColumnType,
  type ComparisonOperator,
  comparedSql,
  comparedType,
  compareSql,
} from "@rowhouse/db";
import { isTextual } from "./column-value.ts";

/** SQL for a value, with its type. */
export interface ComparedField {
  readonly sql: string;
  readonly type: ColumnType;
}

/** The values of two fields, as values that one operator compares. */
interface Pair {
  readonly left: string;
  readonly right: string;
  readonly type: ColumnType;
}

/**
 * Compares two fields of a row. Types compare if they are the same, both numbers, both texts, or both dates or timestamps.
 *
 * @param timeZoneSql the name of the time zone in which a timestamp with time zone has a date
 * @returns undefined if the types do not compare
 */
export function compareFieldsSql(
  left: ComparedField,
  sign: ComparisonOperator,
  right: ComparedField,
  timeZoneSql: () => string,
): string | undefined {
  const pair = pairOf(left, right, timeZoneSql);
  return pair && compareSql(pair.left, sign, pair.right, pair.type);
}

function pairOf(
  left: ComparedField,
  right: ComparedField,
  timeZoneSql: () => string,
): Pair | undefined {
  const bases = [left.type.base, right.type.base];
  if (typeKey(left.type) === typeKey(right.type)) {
    const isOfTexts = left.type.base !== "enum" && isTextual({ ...left.type, array: false });
    const other = comparedSql(right.sql, right.type);
    return {
      left: comparedSql(left.sql, left.type),
      right: isOfTexts ? defaultOrder(other) : other,
      type: comparedType(left.type),
    };
  }
  if ([left.type, right.type].every((type) => isTextual(type) && type.base !== "enum")) {
    const type = builtInType("text");
    return { left: `${left.sql}::text`, right: defaultOrder(`${right.sql}::text`), type };
  }
  if (left.type.array || right.type.array) return undefined;
  if (bases.every((base) => numbers.has(base))) {
    const isExact = bases.some((base) => !floats.has(base));
    const [own, other] = [left, right].map(({ sql, type }) =>
      isExact && floats.has(type.base) ? `${sql}::numeric` : sql,
    );
    return { left: own ?? "", right: other ?? "", type: builtInType("numeric") };
  }
  if (bases.every((base) => moments.has(base))) {
    const [own, other] = [left, right].map(({ sql, type }) =>
      type.base === zoned ? `(${sql} at time zone ${timeZoneSql()})` : sql,
    );
    const type = builtInType("timestamp without time zone");
    return { left: own ?? "", right: other ?? "", type };
  }
  return undefined;
}

/** Two columns may have different collations, of which PostgreSQL would choose none. */
function defaultOrder(sql: string): string {
  return `(${sql} collate pg_catalog."default")`;
}

/** Types with one key have the same operators. */
function typeKey({ kind, base, plain, array, comparedAs }: ColumnType): string {
  const isNamed = array || (kind !== "SCALAR" && kind !== "RANGE");
  return isNamed ? (comparedAs ?? plain) : base;
}

const floats: ReadonlySet<string> = new Set(["real", "double precision"]);
const numbers: ReadonlySet<string> = new Set([
  "smallint",
  "integer",
  "bigint",
  "numeric",
  ...floats,
]);
const zoned = "timestamp with time zone";
const moments: ReadonlySet<string> = new Set(["date", "timestamp without time zone", zoned]);
