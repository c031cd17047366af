/** Number and kind of an operator's operands. */
export type OperandKind = "ONE" | "TWO" | "LIST" | "BOOLEAN" | "JSON";

/** The types of columns that an operator applies to. */
export type OperatorTarget =
  | "COMPARABLE"
  | "ANY"
  | "TEXT"
  | "ARRAY"
  | "JSON"
  | "SEARCHABLE"
  | "RANGE";

export interface OperatorRule {
  readonly operands: OperandKind;
  readonly target: OperatorTarget;
  /**
   * Whether the operand is a pattern, a key or a query instead of a value of the column's type; it cannot be a
   * variable.
   */
  readonly text: boolean;
  /**
   * Whether the operator may fail on a row's content, or be expensive. It is evaluated only on rows that the caller
   * may see.
   */
  readonly guarded: boolean;
}

const comparison: OperatorRule = {
  operands: "ONE",
  target: "COMPARABLE",
  text: false,
  guarded: false,
};
const pattern: OperatorRule = { operands: "ONE", target: "TEXT", text: true, guarded: false };
const regex: OperatorRule = { ...pattern, guarded: true };
const range: OperatorRule = { operands: "ONE", target: "RANGE", text: true, guarded: false };
const elements: OperatorRule = { operands: "LIST", target: "ARRAY", text: true, guarded: false };

export const conditionOperators = {
  _eq: comparison,
  _neq: comparison,
  _lt: comparison,
  _lte: comparison,
  _gt: comparison,
  _gte: comparison,
  _in: { ...comparison, operands: "LIST" },
  _nin: { ...comparison, operands: "LIST" },
  _between: { ...comparison, operands: "TWO" },
  _nbetween: { ...comparison, operands: "TWO" },
  _null: { ...comparison, operands: "BOOLEAN", target: "ANY" },
  _nnull: { ...comparison, operands: "BOOLEAN", target: "ANY" },
  _like: pattern,
  _nlike: pattern,
  _ilike: pattern,
  _nilike: pattern,
  _contains: pattern,
  _ncontains: pattern,
  _icontains: pattern,
  _nicontains: pattern,
  _starts_with: pattern,
  _istarts_with: pattern,
  _ends_with: pattern,
  _iends_with: pattern,
  _regex: regex,
  _iregex: regex,
  _has: { ...elements, operands: "ONE" },
  _has_all: elements,
  _has_any: elements,
  _has_only: elements,
  _json_contains: { operands: "JSON", target: "JSON", text: true, guarded: false },
  _has_key: { ...pattern, target: "JSON" },
  _search: { ...pattern, target: "SEARCHABLE" },
  _contains_value: { ...range, text: false },
  _contains_range: range,
  _contained_by: range,
  _overlaps: range,
  _adjacent: range,
} as const satisfies Record<string, OperatorRule>;

/** The operators that need an order of the values, besides equality. */
export const orderingOperators: ReadonlySet<string> = new Set<ConditionOperator>([
  "_lt",
  "_lte",
  "_gt",
  "_gte",
  "_between",
  "_nbetween",
]);

export type ConditionOperator = keyof typeof conditionOperators;

/** Whether `name` is an operator. Only own keys count, so `constructor` is not one. */
export function isConditionOperator(name: string): name is ConditionOperator {
  return Object.hasOwn(conditionOperators, name);
}

/** Quantifiers over the related rows that the caller may see: one matches, none matches, all match. */
export type Quantifier = "_some" | "_none" | "_every";

const quantifiers: ReadonlySet<string> = new Set<Quantifier>(["_some", "_none", "_every"]);

export function isQuantifier(name: string): name is Quantifier {
  return quantifiers.has(name);
}
