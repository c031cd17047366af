import { type ColumnType, type Comparison, compareSql, isAmongSql } from "@rowhouse/db";
import { type AppError, createError, type ErrorCode } from "@rowhouse/errors";
import type { Conversion, SlotBinding } from "./bind-slot.ts";
import { ignoresCase, isComparable, isDocument, isTextual } from "./column-value.ts";
import { type ComparedField, compareFieldsSql } from "./compare-fields.ts";
import type { Condition, Filter, Operand, Variable } from "./filter.ts";
import { insideSql } from "./inside-sql.ts";
import { type ConditionOperator, conditionOperators, type OperatorRule } from "./operator.ts";
import { isMoment, isTemporal, type Period, periodSql } from "./period.ts";
import { isRange, rangeValueType } from "./range-type.ts";

/** SQL for a field of a filter. */
export interface FieldSql<Field = string> {
  /** The column, qualified with its table. */
  readonly sql: string;
  readonly type: ColumnType;
  /**
   * An SQL condition on the row under which the field is visible to the caller; null if it is visible in every row
   * that the caller may see.
   */
  readonly visibleSql: string | null;
  /**
   * For a field of a related row: converts a condition on that row to one on the current row.
   *
   * @param positive whether the condition is not negated; "unknown" and "false" are equivalent then, and the planner
   * may convert it to a join
   */
  readonly relate?: (conditionSql: string, positive: boolean) => string;
  /** Whether the field's value is computed on reading and the computation may fail. */
  readonly raises: boolean;
  /** Wraps a condition that may fail, so that it runs only on rows that the caller may see. */
  readonly guard: (conditionSql: string) => string;
  /**
   * SQL for another field in a condition on this one: null if it is not visible in the row. Undefined if its path crosses
   * a to-many relation that the path of this field does not cross.
   */
  readonly beside: (other: Field) => ComparedField | undefined;
}

/** SQL for a relation of a filter. */
export interface RelationSql<Field = string, Relation = string> {
  /** The context in which conditions on the related rows are compiled. */
  readonly inner: CompileFilterContext<Field, Relation>;
  /** SQL that is true if a related row that the caller may see satisfies the condition. */
  readonly exists: (conditionSql: string) => string;
}

/** The SQL of the fields and relations of a filter, and its parameters. */
export interface CompileFilterContext<Field = string, Relation = string> extends ParameterContext {
  readonly field: (field: Field) => FieldSql<Field>;
  readonly relation: (relation: Relation) => RelationSql<Field, Relation>;
}

/** The parameters of a statement, for the operands of a filter. */
interface ParameterContext {
  /** Adds the parameter of a slot, with the type from `slotType`. */
  readonly placeSlot: (binding: SlotBinding) => string;
  /** An SQL expression for a variable; `type` is the type that it is compared with. */
  readonly placeVariable: (variable: Variable, type: ColumnType) => string;
  /** SQL of the name of the time zone in which days begin and end. */
  readonly timeZoneSql: () => string;
  /** The error code of an operator that does not fit its field. */
  readonly code: Extract<ErrorCode, "QUERY_INVALID" | "BODY_INVALID">;
}

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
    case "CONDITION":
      return compileCondition(filter, context, positive);
    default:
      return filter satisfies never;
  }
}

function compileCondition<Field, Relation>(
  condition: Condition<Field>,
  context: CompileFilterContext<Field, Relation>,
  positive: boolean,
): string {
  const column = context.field(condition.field);
  const rule = conditionOperators[condition.operator];
  const field = insideOf(column, condition.inside, context);
  if (field === undefined || !fits(rule, field.type)) {
    throw createError(context.code, {
      path: condition.path,
      message: `${condition.operator} does not apply to this field`,
    });
  }
  const sql = compileOperator(condition, field, context);
  const isSafe = !(rule.guarded || field.raises || mayRaise(condition, column.type));
  const guarded = isSafe ? sql : field.guard(sql);
  // If the field is not visible in a row, the condition is unknown there: neither it nor its negation is true.
  const visible =
    field.visibleSql === null ? guarded : `(case when ${field.visibleSql} then ${guarded} end)`;
  return field.relate === undefined ? visible : field.relate(visible, positive);
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
      return isComparable(type) && !(rule.operands === "LIST" && type.array);
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

const comparisons: Partial<Record<ConditionOperator, Comparison>> = {
  _eq: "=",
  _neq: "<>",
  _lt: "<",
  _lte: "<=",
  _gt: ">",
  _gte: ">=",
};

const patterns: Partial<Record<ConditionOperator, readonly [string, Conversion]>> = {
  _like: ["like", "LIKE"],
  _nlike: ["not like", "LIKE"],
  _ilike: ["ilike", "LIKE"],
  _nilike: ["not ilike", "LIKE"],
  _contains: ["like", "CONTAINS"],
  _ncontains: ["not like", "CONTAINS"],
  _icontains: ["ilike", "CONTAINS"],
  _nicontains: ["not ilike", "CONTAINS"],
  _starts_with: ["like", "STARTS_WITH"],
  _istarts_with: ["ilike", "STARTS_WITH"],
  _ends_with: ["like", "ENDS_WITH"],
  _iends_with: ["ilike", "ENDS_WITH"],
  _regex: ["~", "TEXT"],
  _iregex: ["~*", "TEXT"],
};

function compileOperator<Field>(
  condition: Condition<Field>,
  field: FieldSql<Field>,
  context: ParameterContext,
): string {
  const { operator, operands } = condition;
  const compare = (sign: Comparison, operand: Operand<Field> | undefined): string => {
    if (operand?.kind === "FIELD")
      return compareWithField(condition, sign, operand.field, field, context);
    const right = placeValue(operand, condition.path, field.type, context);
    return compareSql(field.sql, sign, right, field.type);
  };

  const comparison = comparisons[operator];
  const [first] = operands;
  if (comparison !== undefined && first?.kind === "VARIABLE" && first.variable.kind === "PERIOD") {
    return compilePeriod(condition, first.variable.period, field, context);
  }
  if (comparison !== undefined) return `(${compare(comparison, first)})`;

  const pattern = patterns[operator];
  if (pattern !== undefined) {
    const [sensitive, conversion] = pattern;
    const sqlOperator = ignoresCase(field.type) ? (withoutCase[sensitive] ?? sensitive) : sensitive;
    const text = patternTextSql(field.sql, field.type);
    return `(${text} ${sqlOperator} ${placeText(operands[0], conversion, field.type, context)})`;
  }

  switch (operator) {
    case "_null":
      return `(${isNullSql(field.sql, field.type)})`;
    case "_nnull":
      return `(${isNotNullSql(field.sql, field.type)})`;
    case "_has":
    case "_has_all":
    case "_has_any":
    case "_has_only": {
      const [operand] = operands;
      if (operand?.kind !== "SLOT" && operand?.kind !== "LIST") {
        throw new TypeError("Elements are literals");
      }
      const placed = context.placeSlot({
        slot: operand.slot,
        conversion: "ELEMENTS",
        type: field.type,
      });
      return `(${field.sql} ${setOperators[operator]} ${placed})`;
    }
    case "_contains_value": {
      const value = rangeValueType(field.type);
      const isPeriod = first?.kind === "VARIABLE" && first.variable.kind === "PERIOD";
      if (value === undefined || isPeriod) {
        const message = `${operator} does not apply to this field or value`;
        throw createError(context.code, { path: condition.path, message });
      }
      if (first?.kind !== "FIELD") {
        return `(${field.sql} @> ${placeValue(first, condition.path, value, context)})`;
      }
      const other = otherField(condition, first.field, field, context);
      if (other.type.base === value.base && !other.type.array)
        return `(${field.sql} @> ${other.sql})`;
      throw typesDiffer(condition.path, context);
    }
    case "_contains_range":
    case "_contained_by":
    case "_overlaps":
    case "_adjacent":
      return `(${field.sql} ${rangeOperators[operator]} ${placeValue(first, condition.path, field.type, context)})`;
    case "_json_contains":
    case "_has_key": {
      const document = field.type.base === "jsonb" ? field.sql : `${field.sql}::jsonb`;
      return operator === "_has_key"
        ? `(${document} ? ${placeText(operands[0], "TEXT", field.type, context)})`
        : `(${document} @> ${placeText(operands[0], "JSON", field.type, context)})`;
    }
    case "_search": {
      const query = `pg_catalog.websearch_to_tsquery(${placeText(operands[0], "TEXT", field.type, context)})`;
      // For a column that may have an index, the planner must see the words. Otherwise a subquery parses them only once.
      return field.type.base === "tsvector"
        ? `(${field.sql} @@ ${query})`
        : `(pg_catalog.to_tsvector(${field.sql}::text) @@ (select ${query}))`;
    }
    case "_between":
    case "_nbetween": {
      const [low, high] = operands;
      const between = `(${compare(">=", low)} and ${compare("<=", high)})`;
      return operator === "_between" ? between : `(not ${between})`;
    }
    case "_in":
    case "_nin": {
      const parts = operands.map((operand) =>
        operand.kind === "LIST"
          ? isAmongSql(
              field.sql,
              context.placeSlot({ slot: operand.slot, conversion: "LIST", type: field.type }),
              field.type,
            )
          : compare("=", operand),
      );
      const any = `(${parts.join(" or ")})`;
      return operator === "_in" ? any : `(not ${any})`;
    }
    default:
      throw new TypeError(`Operator ${operator} has no SQL`);
  }
}

const setOperators = { _has: "@>", _has_all: "@>", _has_any: "&&", _has_only: "<@" } as const;

const rangeOperators = {
  _contains_range: "@>",
  _contained_by: "<@",
  _overlaps: "&&",
  _adjacent: "-|-",
} as const;

/** A text in the form that patterns are applied to. */
export function patternTextSql(sql: string, { base, folds }: ColumnType): string {
  if (base === "enum") return `${sql}::text`;
  return folds ? `(${sql} collate pg_catalog."default")` : sql;
}

/**
 * The case-insensitive operators. For a case-insensitive type, the case-sensitive ones ignore case too. But if the
 * type's schema is not on the search path, PostgreSQL would resolve them to the operators of text.
 */
const withoutCase: Readonly<Record<string, string>> = {
  like: "ilike",
  "not like": "not ilike",
  "~": "~*",
};

/** SQL for "the value is null". `is null` is also true of a composite whose parts are all null. */
export function isNullSql(sql: string, { kind, array }: ColumnType): string {
  return kind === "COMPOSITE" && !array ? `${sql} is not distinct from null` : `${sql} is null`;
}

/** SQL for "the value is not null". `is not null` is false for a composite with a null part. */
export function isNotNullSql(sql: string, { kind, array }: ColumnType): string {
  return kind === "COMPOSITE" && !array ? `${sql} is distinct from null` : `${sql} is not null`;
}

function compareWithField<Field>(
  condition: Condition<Field>,
  sign: Comparison,
  name: Field,
  field: FieldSql<Field>,
  context: ParameterContext,
): string {
  const other = otherField(condition, name, field, context);
  const sql = compareFieldsSql(field, sign, other, context.timeZoneSql);
  if (sql !== undefined) return sql;
  throw typesDiffer(condition.path, context);
}

function otherField<Field>(
  { path }: Condition<Field>,
  name: Field,
  field: FieldSql<Field>,
  { code }: ParameterContext,
): ComparedField {
  const other = field.beside(name);
  if (other !== undefined) return other;
  const message = "The other field must be of this row, or of a row that it refers to";
  throw createError(code, { path, message });
}

function typesDiffer(path: string, { code }: ParameterContext): AppError {
  return createError(code, { path, message: "The types of these fields do not compare" });
}

function placeText(
  operand: Operand<unknown> | undefined,
  conversion: Conversion,
  type: ColumnType,
  context: ParameterContext,
): string {
  if (operand?.kind !== "SLOT") throw new TypeError("A text is a literal");
  return context.placeSlot({ slot: operand.slot, conversion, type });
}

/**
 * Compares with a period, which is a half-open interval: `_eq` means inside, `_lt` before its start, `_gt` from its
 * end on.
 */
function compilePeriod(
  condition: Condition<unknown>,
  period: Period,
  field: ComparedField,
  context: ParameterContext,
): string {
  if (!isTemporal(field.type)) {
    const message = "A period can only be compared with dates and times";
    throw createError(context.code, { path: condition.path, message });
  }
  const bounds = periodSql(period, field.type.base, context.timeZoneSql());
  // The bounds do not depend on the row: in a subquery they are computed once and not per row.
  const start = `(select ${bounds.start})`;
  const end = `(select ${bounds.end})`;
  switch (condition.operator) {
    case "_eq":
      return `(${field.sql} >= ${start} and ${field.sql} < ${end})`;
    case "_neq":
      return `(${field.sql} < ${start} or ${field.sql} >= ${end})`;
    case "_lt":
      return `(${field.sql} < ${start})`;
    case "_lte":
      return `(${field.sql} < ${end})`;
    case "_gt":
      return `(${field.sql} >= ${end})`;
    default:
      return `(${field.sql} >= ${start})`;
  }
}

function placeValue(
  operand: Operand<unknown> | undefined,
  path: string,
  type: ColumnType,
  context: ParameterContext,
): string {
  switch (operand?.kind) {
    case "SLOT":
      return context.placeSlot({ slot: operand.slot, conversion: "VALUE", type });
    case "VARIABLE":
      if (operand.variable.kind === "NOW" && !isMoment(type)) {
        throw createError(context.code, {
          path,
          message: "$NOW can only be compared with dates and times",
        });
      }
      return context.placeVariable(operand.variable, type);
    default:
      throw new TypeError("A comparison takes a value or a variable");
  }
}
