import { builtInType, type ColumnType } from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import type { Condition, Counted, Filter } from "../language/filter.ts";
import { conditionOperators, type OperatorRule } from "../language/operator.ts";
import { isTemporal } from "../language/period.ts";
import { isComparable, isDocument, isTextual } from "./column-value.ts";
import { compileOperator, rankSql } from "./compile-operator.ts";
import type { CompileFilterContext, FieldSql, ParameterContext } from "./filter-context.ts";
import { insideSql } from "./inside-sql.ts";
import { isRange } from "./range-type.ts";

/**
 * Compiles a filter to an SQL condition with PostgreSQL's three-valued logic: unknown does not match, under `_not` as
 * well.
 */
export function compileFilter<Field, Relation>(
  filter: Filter<Field, Relation>,
  context: CompileFilterContext<Field, Relation>,
  positive = true,
): string {
  switch (filter.kind) {
    case "AND":
    case "OR": {
      if (filter.filters.length === 0) return filter.kind === "AND" ? "true" : "false";
      const parts = filter.filters.map((inner) => compileFilter(inner, context, positive));
      return `(${parts.join(filter.kind === "AND" ? " and " : " or ")})`;
    }
    case "NOT":
      return `(not ${compileFilter(filter.filter, context, false)})`;
    case "QUANTIFIED": {
      const { inner, exists } = context.relation(filter.field);
      switch (filter.quantifier) {
        case "_some":
          return exists(compileFilter(filter.filter, inner));
        case "_none":
          return `(not ${exists(compileFilter(filter.filter, inner))})`;
        case "_every":
          return `(not ${exists(`(${compileFilter(filter.filter, inner, false)}) is not true`)})`;
        default:
          return filter.quantifier satisfies never;
      }
    }
    case "COUNTED":
      return compileCount(filter, context);
    case "CONDITION":
      return compileCondition(filter, context, positive);
    default:
      return filter satisfies never;
  }
}

function compileCount<Field, Relation>(
  { field, operator, operands, filter, path }: Counted<Field, Relation>,
  context: CompileFilterContext<Field, Relation>,
): string {
  const { inner, count } = context.relation(field);
  const number: FieldSql<null> = {
    sql: count(compileFilter(filter, inner)),
    type: builtInType("bigint"),
    visibleSql: null,
    raises: false,
    guard: (condition) => condition,
    beside: () => undefined,
  };
  if (!fits(conditionOperators[operator], number.type)) throw unfit({ operator, path }, context);
  return compileOperator(
    { kind: "CONDITION", field: null, operator, operands, path },
    number,
    context,
  );
}

function unfit(
  { operator, path }: Pick<Condition, "operator" | "path">,
  { code }: Pick<ParameterContext, "code">,
): AppError {
  return createError(code, { path, message: `${operator} does not apply to this field` });
}

function compileCondition<Field, Relation>(
  condition: Condition<Field>,
  context: CompileFilterContext<Field, Relation>,
  positive: boolean,
): string {
  const column = context.field(condition.field);
  const visible = compileVisible(condition, column, context, compileOperator);
  return column.relate === undefined ? visible : column.relate(visible, positive);
}

/** Compiles an expression of a condition's field that is null in a row in which the field is not visible. */
function compileVisible<Field>(
  condition: Condition<Field>,
  column: FieldSql<Field>,
  context: ParameterContext,
  compile: typeof compileOperator,
): string {
  const rule = conditionOperators[condition.operator];
  const field = insideOf(column, condition.inside, context);
  if (field === undefined || !fits(rule, field.type)) {
    throw unfit(condition, context);
  }
  const sql = compile(condition, field, context);
  const isSafe = !(rule.guarded || field.raises || mayRaise(condition, column.type));
  const guarded = isSafe ? sql : field.guard(sql);
  // If the field is not visible in a row, the condition is unknown there: neither it nor its negation is true.
  return field.visibleSql === null
    ? guarded
    : `(case when ${field.visibleSql} then ${guarded} end)`;
}

/**
 * Compiles how well a row matches a full-text search: a `real`, or null if the field is null or not visible in the row.
 *
 * @param column the field of the condition; its guard must return null for a row that the caller may not see
 * @throws AppError of the context's code if `_search` does not apply to the field
 */
export function compileRank<Field>(
  condition: Condition<Field>,
  column: FieldSql<Field>,
  context: ParameterContext,
): string {
  return compileVisible(condition, column, context, rankSql);
}

/**
 * Whether PostgreSQL converts the row's content for the condition, which can fail: JSON with unsupported text, too many
 * words, or the local time or a part of a timestamp at the end of its range.
 */
function mayRaise(
  { operator, operands, inside }: Condition<unknown>,
  { base }: ColumnType,
): boolean {
  if (isTemporal({ base, array: false }) && operands.some(({ kind }) => kind === "FIELD"))
    return true;
  if (inside !== undefined && "part" in inside) return true;
  if (
    (inside !== undefined && "path" in inside) ||
    operator === "_json_contains" ||
    operator === "_has_key"
  ) {
    if (base !== "jsonb") return true;
  }
  return operator === "_search" && (inside !== undefined || base !== "tsvector");
}

function fits(rule: OperatorRule, type: ColumnType): boolean {
  switch (rule.target) {
    case "ANY":
      return true;
    case "COMPARABLE":
      return isComparable(type);
    case "TEXT":
      return isTextual(type);
    case "ARRAY":
      return type.array;
    case "JSON":
      return isDocument(type);
    case "SEARCHABLE":
      return isTextual(type) || type.base === "tsvector";
    case "RANGE":
      return isRange(type);
    default:
      return rule.target satisfies never;
  }
}

/** The part of a field that a condition compares; undefined if the field has no such parts. */
function insideOf<Field>(
  column: FieldSql<Field>,
  inside: Condition["inside"],
  { timeZoneSql }: ParameterContext,
): FieldSql<Field> | undefined {
  if (inside === undefined) return column;
  const part = insideSql(column, inside, timeZoneSql);
  return part && { ...column, ...part };
}
