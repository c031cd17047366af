import {
  conditionOperators,
  type OperatorRule,
  orderingOperators,
} from "@rowhouse/access/operator";
import { periods } from "@rowhouse/access/period";
import { UnreadText } from "../editors/draft.ts";
import {
  elementOf,
  unqualified,
  type ValueColumn,
  type ValueKind,
  valueKindOf,
} from "../values/value-kind.ts";
import type { ConditionNode } from "./filter-tree.ts";
import { isObject } from "./read-where.ts";
import { type FieldPath, keysOf } from "./resolve-field.ts";

/** The periods of the Data API, as it spells them. */
export const periodNames = Object.keys(periods);

const variableForm = /^\$(?:USER\.|NOW$|PERIOD\.|FIELD\.)/;
const escapedForm = /^\$\$(?:USER\.|NOW$|PERIOD\.|FIELD\.)/;

/** Whether an operand is a variable, such as `$NOW`. */
export function isVariable(operand: unknown): operand is string {
  return typeof operand === "string" && variableForm.test(operand);
}

/** Whether an operand is a template, such as `{{start.data.body.plate}}`. */
export function isTemplate(operand: unknown): operand is string {
  return typeof operand === "string" && operand.includes("{{");
}

/** Returns the literal that an operand stands for. */
export function literalOf(operand: unknown): unknown {
  return typeof operand === "string" && escapedForm.test(operand) ? operand.slice(1) : operand;
}

/** Returns the operand for a literal, which may look like a variable. */
export function operandOf(literal: unknown): unknown {
  return typeof literal === "string" && variableForm.test(literal) ? `$${literal}` : literal;
}

/** Returns the rule of an operator; undefined for an unknown one. */
export function ruleOf(operator: string): OperatorRule | undefined {
  const rules: Readonly<Record<string, OperatorRule>> = conditionOperators;
  return Object.hasOwn(rules, operator) ? rules[operator] : undefined;
}

const withoutEquality: ReadonlySet<string> = new Set(["json", "xml", "point", "polygon"]);
const patternKinds: ReadonlySet<ValueKind> = new Set(["TEXT", "ENUM"]);
/** Whether the Data API takes an operator on a column, or inside its documents. */
export function fits(operator: string, column: ValueColumn, isInside: boolean): boolean {
  const rule = ruleOf(operator);
  if (rule === undefined) return false;
  const kind = valueKindOf(column);
  switch (rule.target) {
    case "ANY":
      return true;
    case "COMPARABLE":
      if (isInside) return true;
      return !withoutEquality.has(unqualified(column.baseType));
    case "TEXT":
      return isInside || patternKinds.has(kind);
    case "ARRAY":
      return !isInside && column.array;
    case "JSON":
      return !isInside && kind === "JSON";
    case "SEARCHABLE":
      return (
        isInside || patternKinds.has(kind) || (!column.array && column.baseType === "tsvector")
      );
    case "RANGE":
      return !isInside && kind === "RANGE";
    default:
      return rule.target satisfies never;
  }
}

const textFirst = [
  ...["_icontains", "_nicontains", "_eq", "_neq", "_in", "_nin", "_istarts_with", "_iends_with"],
  ...["_null", "_nnull", "_contains", "_ncontains", "_starts_with", "_ends_with", "_ilike"],
  ...["_nilike", "_like", "_nlike", "_iregex", "_regex", "_search"],
];
const plainFirst = [
  ...["_eq", "_neq", "_in", "_nin", "_gt", "_gte", "_lt", "_lte", "_between", "_nbetween"],
  ...["_has", "_has_all", "_has_any", "_has_only", "_json_contains", "_has_key", "_null", "_nnull"],
];

/** Returns the operators that a person may choose for a column, the usual ones first. */
export function operatorsFor(column: ValueColumn, isInside: boolean): readonly string[] {
  const kind = valueKindOf(column);
  const isText = kind === "TEXT" || isInside;
  const order = isText
    ? textFirst
    : kind === "ARRAY"
      ? arrayFirst
      : kind === "RANGE"
        ? rangeFirst
        : plainFirst;
  const all = [...order, ...Object.keys(conditionOperators).filter((one) => !order.includes(one))];
  return all.filter(
    (operator) =>
      fits(operator, column, isInside) &&
      (!orderingOperators.has(operator) || isInside || kind !== "ENUM") &&
      (!orderingOperators.has(operator) || kind !== "BOOLEAN"),
  );
}

const arrayFirst = [
  ...["_has", "_has_any", "_has_all", "_has_only", "_null", "_nnull", "_eq", "_neq", "_in", "_nin"],
];

/** Whether the operand of a condition is a list of arrays. */
export function isOfArrays(
  column: ValueColumn | undefined,
  { operator, inside }: ConditionNode,
): boolean {
  const rule = ruleOf(operator);
  const isWhole = inside === null && column?.array === true;
  return isWhole && rule?.target === "COMPARABLE" && rule.operands === "LIST";
}

const rangeFirst = [
  ...["_contains_value", "_overlaps", "_contains_range", "_contained_by", "_adjacent"],
  ...["_null", "_nnull", "_eq", "_neq"],
];

/** The sources that the value of a condition can have besides a literal. */
interface VariableChoice {
  readonly periods: boolean;
  readonly now: boolean;
  readonly user: boolean;
}

const temporal: ReadonlySet<ValueKind> = new Set(["DATE", "TIMESTAMP", "INSTANT"]);

/** Returns the variables that the Data API takes at a place. */
export function variablesFor(column: ValueColumn, operator: string): VariableChoice {
  const rule = ruleOf(operator);
  const isValue = rule?.operands === "ONE" && !rule.text;
  const kind = valueKindOf(operandColumn(column, operator));
  return {
    periods: isValue && temporal.has(kind) && rule.target !== "RANGE",
    now: isValue && (temporal.has(kind) || kind === "TIME"),
    user: isValue && !temporal.has(kind) && kind !== "BOOLEAN" && kind !== "JSON",
  };
}

const kindGroups: Readonly<Partial<Record<ValueKind, string>>> = {
  INTEGER: "number",
  DECIMAL: "number",
  FLOAT: "number",
  DATE: "moment",
  TIMESTAMP: "moment",
  INSTANT: "moment",
  TEXT: "text",
  UUID: "uuid",
  TIME: "time",
};

/** Returns the fields of the same row that the Data API compares a field with, as operands: `$FIELD.driver.hired`. */
export function fieldOperands(path: FieldPath, operator: string): readonly string[] {
  const { column, resource } = path;
  const rule = ruleOf(operator);
  if (column === null || rule?.operands !== "ONE" || rule.text) return [];
  const groupOf = (one: ValueColumn) => {
    const kind = valueKindOf(one);
    return kind === "ENUM" ? one.dataType : kindGroups[kind];
  };
  const group = groupOf(column);
  if (group === undefined) return [];
  return resource.columns
    .filter((one) => one.readable && one.name !== column.name && groupOf(one) === group)
    .map((one) => `${fieldPrefix}${keysOf({ ...path, column: one }).join(".")}`);
}

/** Returns the key of the field that an operand names; undefined for any other operand. */
export function fieldOf(operand: string): string | undefined {
  return operand.startsWith(fieldPrefix) ? operand.slice(fieldPrefix.length) : undefined;
}

const fieldPrefix = "$FIELD.";

/** Returns the column whose values an operand has: elements for `_has`, texts for patterns. */
export function operandColumn(column: ValueColumn, operator: string): ValueColumn {
  const rule = ruleOf(operator);
  const plain = { ...column, nullable: false };
  if (rule?.target === "ARRAY") return { ...elementOf(plain), nullable: false };
  if (rule?.operands === "JSON") return plain;
  if (operator === "_contains_value") return valueOfRange(plain);
  if (rule?.target === "RANGE") return plain;
  if (rule?.text === true) return textColumn;
  return plain;
}

const rangeValues: Readonly<Record<string, string>> = {
  int4range: "integer",
  int8range: "bigint",
  numrange: "numeric",
  daterange: "date",
  tsrange: "timestamp without time zone",
  tstzrange: "timestamp with time zone",
};

/** The column of the values in a range; of texts if PostgreSQL alone knows their type. */
function valueOfRange(column: ValueColumn): ValueColumn {
  const baseType = rangeValues[unqualified(column.baseType)];
  return baseType === undefined ? textColumn : { ...column, baseType, dataType: baseType };
}

/** A column of plain text. */
export const textColumn: ValueColumn = {
  ...{ dataType: "text", baseType: "text", array: false, values: null, format: null },
  ...{ colors: null, nullable: false },
};

/** Whether a condition has everything that the Data API requires. */
export function isComplete({ keys, inside, operator, operand }: ConditionNode): boolean {
  if (keys.length === 0 || inside === "" || !isEntered(operand)) return false;
  const rule = ruleOf(operator);
  if (operator === "_search") return isEntered(readSearchOperand(operand)?.text ?? operand);
  if (rule?.operands === "LIST") {
    return Array.isArray(operand) ? operand.length > 0 && operand.every(isEntered) : true;
  }
  if (rule?.operands !== "TWO" || !Array.isArray(operand)) return true;
  return operand.length === 2 && operand.every(isEntered);
}

function isEntered(value: unknown): boolean {
  return value !== undefined && value !== null && !(value instanceof UnreadText);
}

/** Returns a condition with another operator; its operand stays if it has the form of the new one. */
export function withOperator(condition: ConditionNode, operator: string): ConditionNode {
  const [before, after] = [ruleOf(condition.operator), ruleOf(operator)];
  const { operand } = condition;
  if (after?.operands === "BOOLEAN") {
    return { ...condition, operator, operand: typeof operand === "boolean" ? operand : true };
  }
  if (before?.operands === after?.operands && before?.target === after?.target) {
    return { ...condition, operator };
  }
  const value = condition.operator === "_search" ? readSearchOperand(operand)?.text : operand;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const literal = typeof first === "boolean" && before?.operands === "BOOLEAN" ? undefined : first;
  const isList = after?.operands === "LIST";
  const single = after?.operands === "ONE" && typeof literal !== "object" ? literal : undefined;
  const list = isList && literal !== undefined ? [literal] : undefined;
  return { ...condition, operator, operand: isList ? list : single };
}

/** The ways in which a full-text search reads its words, the usual one first. */
export const searchModes = ["web", "plain", "phrase", "prefix"] as const;
type SearchMode = (typeof searchModes)[number];

/** A full-text search as the builder shows it. */
interface SearchOperand {
  /** Undefined until it is entered. */
  readonly text: unknown;
  readonly mode: SearchMode;
  /** The name of a text search configuration; the empty text for the default of the database. */
  readonly config: string;
}

/** Reads the operand of `_search`: words, or words with options. Undefined for options that the builder does not know. */
export function readSearchOperand(operand: unknown): SearchOperand | undefined {
  if (!isObject(operand)) return { text: operand, mode: "web", config: "" };
  const { text, mode = "web", config = "", ...others } = operand;
  const known = searchModes.find((one) => one === mode);
  if (known === undefined || typeof config !== "string") return undefined;
  return Object.keys(others).length === 0 ? { text, mode: known, config } : undefined;
}

/** Writes the operand of `_search`: only the words if nothing else was chosen. */
export function writeSearchOperand({ text, mode, config }: SearchOperand): unknown {
  if (mode === "web" && config === "") return text;
  return { text, ...(config !== "" && { config }), ...(mode !== "web" && { mode }) };
}
