import type { ParameterType } from "./parameter-type.ts";
import type { ColumnType, Comparison } from "./relation.ts";

/** What the comparison of values hangs on. */
export type ComparedType = Pick<ColumnType, "comparedAs" | "operators">;

/**
 * A value as something that its type's operators take: those of enums take no value of a domain over one, though Postgres
 * orders by such a domain.
 */
export function comparedSql(sql: string, { comparedAs }: ComparedType): string {
  return comparedAs === null ? sql : `(${sql})::${comparedAs}`;
}

/**
 * A comparison of two values of one type by the operators that Postgres orders by. Those of an extension may have other
 * signs, and may stand in a schema in which a bare sign is not looked for: `=` of `citext` would be that of `text`.
 */
export function compareSql(
  left: string,
  comparison: Comparison,
  right: string,
  type: ComparedType,
): string {
  const sign = type.operators?.[comparison] ?? comparison;
  return `${comparedSql(left, type)} ${sign} ${comparedSql(right, type)}`;
}

/** Whether two values of a type are the same, null and null as well. */
export function isSameSql(left: string, right: string, type: ComparedType): string {
  const [own, other] = [left, right].map((sql) => comparedSql(sql, type));
  const sign = type.operators?.["="];
  // `is not distinct from` looks for a `=` by itself, and not in every schema.
  return sign === undefined
    ? `${own} is not distinct from ${other}`
    : `coalesce(${own} ${sign} ${other}, ${own} is null and ${other} is null)`;
}

/** The condition that joins two columns of a foreign key, which may be of two types. */
export function joinSql(
  left: { readonly sql: string; readonly type: ColumnType },
  right: { readonly sql: string; readonly type: ColumnType },
): string {
  const operators = left.type.base === right.type.base ? left.type.operators : null;
  const [own, other] = [left, right].map(({ sql, type }) => comparedSql(sql, type));
  return `${own} ${operators?.["="] ?? "="} ${other}`;
}

/** Whether a value is in a list of values of its type. */
export function isAmongSql(value: string, list: string, type: ComparedType): string {
  const sign = type.operators?.["="] ?? "=";
  const items = comparedSql(list, {
    comparedAs: type.comparedAs === null ? null : `${type.comparedAs}[]`,
    operators: null,
  });
  return `${comparedSql(value, type)} ${sign} any(${items})`;
}

/** What values of a type are as they are compared. */
export function comparedType(type: ColumnType): ColumnType & ParameterType {
  const { comparedAs } = type;
  if (comparedAs === null) return type;
  return { ...type, name: comparedAs, bindable: true, comparedAs: null };
}
