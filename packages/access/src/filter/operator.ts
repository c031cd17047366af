import type { Quantifier } from "./filter.ts";

/** What an operator takes. */
export type OperandKind = "ONE" | "TWO" | "LIST" | "BOOLEAN";

export interface OperatorRule {
  readonly operands: OperandKind;
  /** Works on text columns only, and its operand is a pattern, not a value of the column's type. */
  readonly text: boolean;
  /** Whether it may raise on the content of a row, or cost much: evaluated only on rows that the caller may see. */
  readonly guarded: boolean;
}

const comparison: OperatorRule = { operands: "ONE", text: false, guarded: false };
const pattern: OperatorRule = { operands: "ONE", text: true, guarded: false };
const regex: OperatorRule = { operands: "ONE", text: true, guarded: true };

/** The scalar operators of a condition. */
export const conditionOperators = {
  _eq: comparison,
  _neq: comparison,
  _lt: comparison,
  _lte: comparison,
  _gt: comparison,
  _gte: comparison,
  _in: { operands: "LIST", text: false, guarded: false },
  _nin: { operands: "LIST", text: false, guarded: false },
  _between: { operands: "TWO", text: false, guarded: false },
  _nbetween: { operands: "TWO", text: false, guarded: false },
  _null: { operands: "BOOLEAN", text: false, guarded: false },
  _nnull: { operands: "BOOLEAN", text: false, guarded: false },
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
} as const satisfies Record<string, OperatorRule>;

export type ConditionOperator = keyof typeof conditionOperators;

/** Whether `name` is an operator; own names only, so `constructor` is none. */
export function isConditionOperator(name: string): name is ConditionOperator {
  return Object.hasOwn(conditionOperators, name);
}

const quantifiers: ReadonlySet<string> = new Set<Quantifier>(["_some", "_none", "_every"]);

/** Whether `name` says how many related rows must match. */
export function isQuantifier(name: string): name is Quantifier {
  return quantifiers.has(name);
}
