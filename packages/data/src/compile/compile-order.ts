import { isNotNullSql, isNullSql } from "@rowhouse/access";
import { type Column, type ColumnType, comparedSql, comparedType, compareSql } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { OrderTerm } from "../parse/request.ts";
import { type Scope, valueSql } from "./scope.ts";
import { columnSql } from "./statement.ts";

/** One expression that rows are ordered by. */
export interface OrderKey {
  readonly sql: string;
  readonly type: ColumnType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly mayBeNull: boolean;
  /** The column of the relation itself that this is, where it shows in every row. */
  readonly column: Column | null;
}

/** The order asked for, with the key's columns as tie-break, so that pages do not overlap. */
export function orderKeys(
  order: readonly OrderTerm[],
  scope: Scope,
  parameter: string,
): readonly OrderKey[] {
  const keys = order.map((term): OrderKey => {
    const field = valueSql(scope, term.field, parameter);
    if (field === undefined || !field.type.ordered) {
      const message = `Rows cannot be ordered by ${term.field}`;
      throw createError("QUERY_INVALID", { path: parameter, message });
    }
    return {
      sql: comparedSql(field.sql, field.type),
      type: comparedType(field.type),
      descending: term.descending,
      nullsFirst: term.nulls === null ? term.descending : term.nulls === "FIRST",
      mayBeNull: field.column?.nullable !== false,
      column: field.column,
    };
  });
  const { relation } = scope.visible;
  // A key column that shows in some rows only does not tell the others apart.
  const named = new Set(keys.map((key) => key.column?.name));
  for (const name of relation.primaryKey) {
    const column = relation.columnByName(name);
    if (column === undefined || named.has(name)) continue;
    keys.push({
      sql: comparedSql(columnSql(column, scope.alias), column.type),
      type: comparedType(column.type),
      descending: false,
      nullsFirst: false,
      mayBeNull: false,
      column,
    });
  }
  return keys;
}

/** ` order by …`, or nothing. */
export function orderSql(keys: readonly OrderKey[]): string {
  if (keys.length === 0) return "";
  const terms = keys.map(({ sql, descending, nullsFirst }) => {
    const nulls = nullsFirst === descending ? "" : ` nulls ${nullsFirst ? "first" : "last"}`;
    return `${sql}${descending ? " desc" : ""}${nulls}`;
  });
  return ` order by ${terms.join(", ")}`;
}

/**
 * The condition that holds for the rows after a place in the order.
 *
 * @param isNull for each key, whether its value at that place is null
 * @param valueAt the value of a key at that place
 */
export function afterSql(
  keys: readonly OrderKey[],
  isNull: readonly boolean[],
  valueAt: (index: number, key: OrderKey) => string,
): string {
  const [first] = keys;
  const isPlain = keys.every(
    ({ mayBeNull, descending, type }) =>
      !mayBeNull && descending === first?.descending && type.operators === null,
  );
  if (isPlain) {
    // A comparison of rows is one that an index over these columns answers.
    const left = keys.map((key) => key.sql).join(", ");
    const right = keys.map((key, index) => valueAt(index, key)).join(", ");
    return `((${left}) ${first?.descending === true ? "<" : ">"} (${right}))`;
  }
  return keys.reduceRight((rest, key, index) => {
    // A value that is null has no parameter.
    const value = isNull[index] === true ? null : valueAt(index, key);
    const same =
      value === null ? isNullSql(key.sql, key.type) : compareSql(key.sql, "=", value, key.type);
    return `(${beyondSql(key, value)} or (${same} and ${rest}))`;
  }, "false");
}

function beyondSql(key: OrderKey, value: string | null): string {
  if (value === null) return key.nullsFirst ? isNotNullSql(key.sql, key.type) : "false";
  const beyond = compareSql(key.sql, key.descending ? "<" : ">", value, key.type);
  return key.mayBeNull && !key.nullsFirst ? `${beyond} or ${isNullSql(key.sql, key.type)}` : beyond;
}
