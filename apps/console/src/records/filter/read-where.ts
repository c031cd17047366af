import { isConditionOperator, isQuantifier } from "@rowhouse/access/operator";
import { type FilterNode, type GroupNode, groupOf, newId, type Where } from "./filter-tree.ts";

/** Reads a filter of the Data API. Parts of an unknown form become nodes that keep them. */
export function readWhere(where: Where): GroupNode {
  return groupOf(readObject(where));
}

/** Whether a value is an object as JSON has it. */
export function isObject(value: unknown): value is Where {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function readObject(where: Where): FilterNode[] {
  return Object.entries(where).flatMap(([key, value]) => {
    if ((key === "_and" || key === "_or") && Array.isArray(value) && value.every(isObject)) {
      const join = key === "_and" ? "AND" : "OR";
      return [groupOf(value.map(readItem), { join, isList: true })];
    }
    if (key === "_not" && isObject(value)) return [readNegation(value)];
    if (key === "_and" || key === "_or" || key === "_not") return [unknown([key], value)];
    return readField([key], value);
  });
}

function readItem(item: Where): FilterNode {
  const nodes = readObject(item);
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : groupOf(nodes);
}

function readNegation(value: Where): GroupNode {
  const inner = readObject(value);
  const [only] = inner;
  const isOne = inner.length === 1 && only?.kind === "GROUP" && !only.isNegated;
  return isOne ? { ...only, isNegated: true } : groupOf(inner, { isNegated: true });
}

function readField(keys: readonly string[], value: unknown): FilterNode[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [unknown(keys, value)];
  return Object.entries(value).flatMap(([key, inner]): FilterNode[] => {
    const path = [...keys, key];
    if (!key.startsWith("_")) return readField(path, inner);
    if (key === "_path") return readDocument(keys, inner);
    if (isQuantifier(key) && isObject(inner)) {
      const group = groupOf(readObject(inner));
      return [{ kind: "RELATED", id: newId(), keys, quantifier: key, group }];
    }
    return isConditionOperator(key) ? [condition(keys, null, key, inner)] : [unknown(path, inner)];
  });
}

/** Reads conditions inside a document: `{ "a.b": { "_eq": 1 } }`. */
function readDocument(keys: readonly string[], value: unknown): FilterNode[] {
  if (!isObject(value) || Object.keys(value).length === 0) {
    return [unknown([...keys, "_path"], value)];
  }
  return Object.entries(value).flatMap(([inside, operators]): FilterNode[] => {
    const path = [...keys, "_path", inside];
    if (!isObject(operators) || Object.keys(operators).length === 0)
      return [unknown(path, operators)];
    return Object.entries(operators).map(([key, operand]) =>
      isConditionOperator(key)
        ? condition(keys, inside, key, operand)
        : unknown([...path, key], operand),
    );
  });
}

function condition(
  keys: readonly string[],
  inside: string | null,
  operator: string,
  operand: unknown,
): FilterNode {
  return { kind: "CONDITION", id: newId(), keys, inside, operator, operand };
}

function unknown(keys: readonly string[], value: unknown): FilterNode {
  return { kind: "UNKNOWN", id: newId(), keys, value };
}
