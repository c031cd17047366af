import type { ColumnType, ComparisonOperator } from "./catalogue/relation.ts";
import type { ParameterType } from "./parameter-type.ts";

/** The properties of a type that decide how its values are compared. */
export type ComparedType = Pick<ColumnType, "base" | "kind" | "array" | "comparedAs" | "operators">;

/** Scalar types that PostgreSQL compares with the operators of another type. */
const comparedAsOthers: ReadonlySet<string> = new Set(["character varying", "cidr"]);

/**
 * Returns the operator of a comparison. PostgreSQL prefers an operator for exactly these types in any schema of the search
 * path to its own for all arrays, enums, ranges or composites, and for another type; so those are qualified.
 */
function signOf(comparison: ComparisonOperator, type: ComparedType): string {
  const own = type.operators?.[comparison];
  if (own !== undefined) return own;
  const isScalar = type.kind === "SCALAR" || type.kind === "OTHER";
  const isExact = !type.array && isScalar && !comparedAsOthers.has(type.base);
  return isExact ? comparison : `operator(pg_catalog.${comparison})`;
}

/**
 * Casts a value to a type that its operators accept. The operators of enums do not accept a value of a domain over an
 * enum, although PostgreSQL sorts by such a domain.
 */
export function comparedSql(sql: string, { comparedAs }: Pick<ComparedType, "comparedAs">): string {
  return comparedAs === null ? sql : `(${sql})::${comparedAs}`;
}

/**
 * Compares two values of one type with the operators that PostgreSQL sorts by. The operators of an extension may have
 * other signs, and may be in a schema outside the search path: a plain `=` on `citext` would be that of `text`.
 */
export function compareSql(
  left: string,
  comparison: ComparisonOperator,
  right: string,
  type: ComparedType,
): string {
  const sign = signOf(comparison, type);
  return `${comparedSql(left, type)} ${sign} ${comparedSql(right, type)}`;
}

/** Returns the condition that two values of a type are equal or both null. */
export function isSameSql(left: string, right: string, type: ComparedType): string {
  const [own, other] = [left, right].map((sql) => comparedSql(sql, type));
  const sign = signOf("=", type);
  // `is not distinct from` finds its `=` only in the search path.
  // A composite of nulls is null for `is null`.
  return sign === "=" || (type.kind === "COMPOSITE" && !type.array)
    ? `${own} is not distinct from ${other}`
    : `coalesce(${own} ${sign} ${other}, ${own} is null and ${other} is null)`;
}

/** Returns the condition that joins two columns of a foreign key, which may have different types. */
export function joinSql(
  left: { readonly sql: string; readonly type: ColumnType },
  right: { readonly sql: string; readonly type: ColumnType },
): string {
  const sign = left.type.base === right.type.base ? signOf("=", left.type) : "=";
  const [own, other] = [left, right].map(({ sql, type }) => comparedSql(sql, type));
  return `${own} ${sign} ${other}`;
}

/** Returns the condition that a list of values of its type contains a value. */
export function isAmongSql(value: string, list: string, type: ComparedType): string {
  const sign = signOf("=", type);
  const comparedAs = type.comparedAs === null ? null : `${type.comparedAs}[]`;
  const items = comparedSql(list, { comparedAs });
  return `${comparedSql(value, type)} ${sign} any(${items})`;
}

/**
 * Returns the condition that a list contains an array: PostgreSQL has no array of arrays that differ in length.
 *
 * @param list SQL for the list of the arrays' texts
 */
export function isAmongArraysSql(
  value: string,
  list: string,
  type: ComparedType & Pick<ColumnType, "plain">,
): string {
  const sign = signOf("=", type);
  const item = comparedSql(`i.v::${type.plain}`, type);
  return `${comparedSql(value, type)} ${sign} any (select ${item} from pg_catalog.unnest(${list}) i (v))`;
}

/** Returns SQL that converts each text of a list to a type, which may fail, and is the number of texts. */
export function convertAllSql(list: string, { plain }: Pick<ParameterType, "plain">): string {
  return `(select pg_catalog.count(i.v::${plain}) from pg_catalog.unnest(${list}) i (v))`;
}

/** Returns the type in which values of a type are compared. */
export function comparedType(type: ColumnType): ColumnType & ParameterType {
  const { comparedAs } = type;
  if (comparedAs === null) return type;
  return { ...type, name: comparedAs, plain: comparedAs, bindable: true, comparedAs: null };
}
