import { type Condition, compileRank, isNotNullSql, isNullSql } from "@rowhouse/access";
import {
  builtInType,
  type Column,
  type ColumnType,
  comparedSql,
  comparedType,
  compareSql,
  type Relation,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { ChildNumber } from "../authorize/aggregates.ts";
import type { FieldPath } from "../authorize/resolve-path.ts";
import { isOfEveryRow, type SortKey } from "../authorize/sort-keys.ts";
import { aggregateOutput } from "./aggregate-output.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { filterContext } from "./filter-sql.ts";
import { guardSql, relatedScope, type SqlScope, valueSql, valueType } from "./scope.ts";

export interface OrderKey {
  readonly sql: string;
  readonly type: ColumnType;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly mayBeNull: boolean;
  /** The column, if it belongs to the relation itself and is visible in every row; else null. */
  readonly column: Column | null;
}

/** Compiles the keys of an order, for a statement with the scope's joins in FROM. */
export function orderKeys(keys: readonly SortKey[], scope: SqlScope): readonly OrderKey[] {
  return keys.map((key): OrderKey => {
    const { descending, nulls } = key;
    const nullsFirst = nulls === null ? descending : nulls === "FIRST";
    if (key.kind === "NUMBER") {
      const { sql, type, mayBeNull } = numberSql(scope, key.number);
      return { sql, type, descending, nullsFirst, mayBeNull, column: null };
    }
    if (key.kind === "RANK") {
      const rank = { sql: rankOf(scope, key.search), type: builtInType("real") };
      return { ...rank, descending, nullsFirst, mayBeNull: true, column: null };
    }
    const { edges, column, field, inside } = key;
    if (field !== null && inside !== undefined) {
      const path = { edges, field, inside };
      const value = { sql: valueSql(scope, path), type: valueType(path) };
      return { ...value, descending, nullsFirst, mayBeNull: true, column: null };
    }
    const value =
      field === null ? columnSql(column, scope.alias) : valueSql(scope, { edges, field });
    const isOwn = isOfEveryRow(key);
    return {
      sql: comparedSql(value, column.type),
      type: comparedType(column.type),
      descending,
      nullsFirst,
      mayBeNull: field !== null && !(isOwn && !column.nullable),
      column: isOwn ? column : null,
    };
  });
}

/** Returns ` order by …`; empty without keys. */
export function orderSql(keys: readonly OrderKey[]): string {
  if (keys.length === 0) return "";
  const terms = keys.map(({ sql, descending, nullsFirst }) => {
    const nulls = nullsFirst === descending ? "" : ` nulls ${nullsFirst ? "first" : "last"}`;
    return `${sql}${descending ? " desc" : ""}${nulls}`;
  });
  return ` order by ${terms.join(", ")}`;
}

/**
 * Returns the condition that selects the rows after a position in the order.
 *
 * @param isNull for each key, whether its value at that position is null
 * @param valueAt returns SQL for the value of a key at that position
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
    // PostgreSQL can use an index over these columns for a comparison of rows.
    const left = keys.map((key) => key.sql).join(", ");
    const right = keys.map((key, index) => valueAt(index, key)).join(", ");
    return `((${left}) ${first?.descending === true ? "<" : ">"} (${right}))`;
  }
  return keys.reduceRight((rest, key, index) => {
    // A null value has no parameter.
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

/** Whether a cursor can mark a row: the table has a key, and its values convert to text and back exactly. */
export function hasPlaces({ primaryKey, columnByName }: Relation): boolean {
  return primaryKey.length > 0 && primaryKey.every((name) => columnByName(name)?.type.ordered);
}

/**
 * Returns SQL for the position of the last row of a full page, as a JSON text.
 *
 * @param before the values before those of the order
 */
export function lastKeysSql(
  keys: readonly string[],
  limit: number,
  before: readonly string[] = [],
): string {
  const last = keys.map((key) => `(pg_catalog.array_agg(${key}))[${limit}]`);
  return `pg_catalog.json_build_array(${[...before, ...last].join(", ")})::text`;
}

interface NumberSql {
  readonly sql: string;
  readonly type: ColumnType;
  readonly mayBeNull: boolean;
}

/**
 * Joins the numbers of all related rows that the reader may see, in groups by the columns that refer to a row: one pass over
 * the related rows, for a list that needs the number of each of its rows. A list in a row computes them for its own rows alone.
 *
 * @throws AppError QUERY_INVALID if the values of the number have no order
 */
function numberSql(scope: SqlScope, { edges, result }: ChildNumber): NumberSql {
  const last = edges.at(-1);
  if (last === undefined) throw new TypeError("A number has a relation");
  const outer = scope.joins.at(scope, edges.slice(0, -1));
  const target = relatedScope(outer, last);
  const { scope: inner, once } = target;
  const isRoot = scope.path === "";
  const parameter = isRoot ? "order_by" : `deep[${scope.path.slice(0, -1)}][order_by]`;
  const output = aggregateOutput(result, inner, parameter);
  const isCount = output.type.base === "count";
  if (!isCount && !output.type.ordered) {
    const message = `Rows cannot be ordered by ${output.name}`;
    throw createError("QUERY_INVALID", { path: parameter, message });
  }
  let sql: string;
  if (isRoot) {
    sql = scope.joins.addGroups(target, [output.sql])(0);
  } else {
    // A list in a row has few rows of the table.
    const alias = `${inner.alias}g`;
    const body = `${once.from}${inner.joins.sql}${whereSql(once.conditions)}`;
    scope.joins.add(
      ` left join lateral (select ${output.sql} as number from ${body}) ${alias} on true`,
    );
    sql = `${alias}.number`;
  }
  return isCount
    ? { sql: `coalesce(${sql}, 0)`, type: builtInType("bigint"), mayBeNull: false }
    : { sql, type: { ...output.type, domain: false }, mayBeNull: true };
}

/**
 * Compiles how well each row matches a full-text search, for a statement with the scope's joins in FROM: null in a row in which
 * the field is null or hidden, or without a visible related row.
 */
function rankOf(scope: SqlScope, search: Condition<FieldPath>): string {
  const { edges, field } = search.field;
  const last = scope.joins.at(scope, edges);
  const context = filterContext(last);
  const own = context.field({ edges: [], field });
  return compileRank(search, { ...own, guard: (sql) => guardSql(last, sql) }, context);
}
