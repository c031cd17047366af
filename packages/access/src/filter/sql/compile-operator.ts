import {
  type ColumnType,
  type ComparisonOperator,
  comparedSql,
  compareSql,
  isAmongArraysSql,
  isAmongSql,
} from "@rowhouse/db";
import { type AppError, createError } from "@rowhouse/errors";
import type { Condition, Operand } from "../language/filter.ts";
import type { ConditionOperator } from "../language/operator.ts";
import { singleValue } from "../language/parse-filter.ts";
import { isMoment, isTemporal, isWithinDay, type Period, periodSql } from "../language/period.ts";
import { searchQuerySql, searchVectorSql } from "../language/search.ts";
import type { Conversion } from "./bind-slot.ts";
import { ignoresCase } from "./column-value.ts";
import { type ComparedField, compareFieldsSql } from "./compare-fields.ts";
import type { FieldSql, ParameterContext } from "./filter-context.ts";
import { rangeValueType } from "./range-type.ts";

const comparisons: Partial<Record<ConditionOperator, ComparisonOperator>> = {
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

/**
 * Compiles the comparison of a condition, for a field that its operator applies to.
 *
 * @throws AppError of the context's code if an operand does not fit the field
 */
export function compileOperator<Field>(
  condition: Condition<Field>,
  field: FieldSql<Field>,
  context: ParameterContext,
): string {
  const { operator, operands } = condition;
  const compare = (sign: ComparisonOperator, operand: Operand<Field> | undefined): string => {
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
      return `(${comparedSql(field.sql, field.type)} ${setOperators[operator]} ${comparedSql(placed, field.type)})`;
    }
    case "_contains_value": {
      const value = rangeValueType(field.type);
      const isPeriod = first?.kind === "VARIABLE" && first.variable.kind === "PERIOD";
      if (value === undefined || isPeriod) {
        const message = `${operator} does not apply to this field or value`;
        throw createError(context.code, { path: condition.path, message });
      }
      if (first?.kind !== "FIELD") {
        return `(${field.sql} ${rangeOperators._contains_range} ${placeValue(first, condition.path, value, context)})`;
      }
      const other = otherField(condition, first.field, field, context);
      if (other.type.base === value.base && !other.type.array)
        return `(${field.sql} ${rangeOperators._contains_range} ${other.sql})`;
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
      const { words, query, config } = searchParts(condition, field, context);
      // An index on the expression names its configuration. Then the planner must see the query; otherwise a subquery parses it
      // only once.
      const isParsedOnce = config === null && field.type.base !== "tsvector";
      return `(${words} @@ ${isParsedOnce ? `(select ${query})` : query})`;
    }
    case "_between":
    case "_nbetween": {
      const [low, high] = operands;
      const between = `(${compare(">=", low)} and ${compare("<=", high)})`;
      return operator === "_between" ? between : `(not ${between})`;
    }
    case "_in":
    case "_nin": {
      const parts = operands.map((operand) => {
        if (operand.kind !== "LIST") return compare("=", operand);
        const { type } = field;
        requireArray(operand, condition.path, type, context);
        const conversion = type.array ? "ARRAYS" : "LIST";
        const list = context.placeSlot({ slot: operand.slot, conversion, type });
        return (type.array ? isAmongArraysSql : isAmongSql)(field.sql, list, type);
      });
      const any = `(${parts.join(" or ")})`;
      return operator === "_in" ? any : `(not ${any})`;
    }
    default:
      throw new TypeError(`Operator ${operator} has no SQL`);
  }
}

/** Compiles how well a field matches a full-text search: a `real`, from the words and the query of the condition. */
export function rankSql<Field>(
  condition: Condition<Field>,
  field: FieldSql<Field>,
  context: ParameterContext,
): string {
  const { words, query } = searchParts(condition, field, context);
  return `pg_catalog.ts_rank(${words}, (select ${query}))`;
}

function searchParts<Field>(
  { search = { config: null, mode: "web" }, operands }: Condition<Field>,
  { sql, type }: FieldSql<Field>,
  context: ParameterContext,
): { readonly words: string; readonly query: string; readonly config: string | null } {
  const conversion = search.mode === "prefix" ? "PREFIX" : "TEXT";
  const query = searchQuerySql(search, placeText(operands[0], conversion, type, context));
  const words = type.base === "tsvector" ? sql : searchVectorSql(search, `${sql}::text`);
  return { words, query, config: search.config };
}

/** Operators of arrays and of ranges. An extension like intarray has operators of the same signs for some arrays. */
const setOperators = {
  _has: "operator(pg_catalog.@>)",
  _has_all: "operator(pg_catalog.@>)",
  _has_any: "operator(pg_catalog.&&)",
  _has_only: "operator(pg_catalog.<@)",
} as const;

const rangeOperators = {
  _contains_range: "operator(pg_catalog.@>)",
  _contained_by: "operator(pg_catalog.<@)",
  _overlaps: "operator(pg_catalog.&&)",
  _adjacent: "operator(pg_catalog.-|-)",
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
  sign: ComparisonOperator,
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
  if (field.type.base === "date" && isWithinDay(period)) {
    const message = "A date is compared with a day or a longer period";
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

function requireArray(
  operand: Extract<Operand<unknown>, { readonly kind: "SLOT" | "LIST" }>,
  path: string,
  type: ColumnType,
  { code }: ParameterContext,
): void {
  if (operand.array === true && !type.array) {
    throw createError(code, { path, message: singleValue });
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
      requireArray(operand, path, type, context);
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
