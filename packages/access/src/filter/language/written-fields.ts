import { isObject } from "@rowhouse/wire";
import { conditionOperators, isConditionOperator, isQuantifier } from "./operator.ts";
import { renameFieldOperand } from "./scalar.ts";
import { joinPaths, plainPath, readPath, writeName } from "./written-name.ts";

/**
 * Returns the current path of a field, given its path from the filter's own relation.
 *
 * @param written the path as `readPath` returns it
 */
export type FieldNames = (path: string, written: string) => string;

/**
 * Replaces the names of fields in a filter as it is written. The relations of a path keep their names. What is no filter
 * remains as it is.
 */
export function renameWrittenFields(filter: unknown, nameOf: FieldNames): unknown {
  return renameObject(filter, "", nameOf);
}

/** Writes the last part of a renamed path; a name that stays is returned as it was written. */
export function renameWritten(written: string, nameOf: FieldNames, prefix = ""): string {
  const marked = `${prefix}${readPath(written)}`;
  const path = plainPath(marked);
  const renamed = nameOf(path, marked);
  if (renamed === path) return written;
  return writeName(renamed.slice(plainPath(prefix).length));
}

type Entry = readonly [key: string, value: unknown];

function renameObject(input: unknown, prefix: string, nameOf: FieldNames): unknown {
  if (!isObject(input)) return input;
  const entries = Object.entries(input).flatMap(([key, value]): Entry[] => {
    if (key === "_and" || key === "_or") {
      const isList = Array.isArray(value);
      return [[key, isList ? value.map((item) => renameObject(item, prefix, nameOf)) : value]];
    }
    if (key === "_not") return [[key, renameObject(value, prefix, nameOf)]];
    return renameField(key, value, prefix, prefix, nameOf);
  });
  return joined(entries);
}

/**
 * A column and a relation may have one name: the operators are those of the column, the rest is the relation's.
 *
 * @param base the relation at which the paths of operands start, with the end of its name, or empty
 */
function renameField(
  key: string,
  value: unknown,
  prefix: string,
  base: string,
  nameOf: FieldNames,
): Entry[] {
  if (!isObject(value)) return [[key, value]];
  const inner = joinPaths(`${prefix}${readPath(key)}`, "");
  const own: Entry[] = [];
  const nested: Entry[] = [];
  const related: Entry[] = [];
  for (const [name, operand] of Object.entries(value)) {
    if (!name.startsWith("_")) nested.push([name, operand]);
    else if (isQuantifier(name)) related.push([name, renameObject(operand, inner, nameOf)]);
    else if (name === "_count") related.push([name, renameCount(operand, inner, nameOf)]);
    else own.push([name, renameOperand(name, operand, base, nameOf)]);
  }
  const renamed: Entry[] = [];
  if (own.length > 0) renamed.push([renameWritten(key, nameOf, prefix), Object.fromEntries(own)]);
  if (related.length > 0) renamed.push([key, Object.fromEntries(related)]);
  if (nested.length > 0) {
    const fields = nested.flatMap(([name, operand]) =>
      renameField(name, operand, inner, base, nameOf),
    );
    renamed.push(...fields.map((entry): Entry => [key, Object.fromEntries([entry])]));
  }
  return renamed.length === 0 ? [[key, value]] : merged(renamed);
}

/** The rows that are counted have fields; the operators compare with numbers. */
function renameCount(input: unknown, inner: string, nameOf: FieldNames): unknown {
  if (!isObject(input)) return input;
  return mapEntries(input, (value, key) =>
    key === "_where" ? renameObject(value, inner, nameOf) : value,
  );
}

/** The fields that an operand names: `$FIELD.price`, in a list, or in the conditions on a part of a value. */
function renameOperand(
  operator: string,
  operand: unknown,
  base: string,
  nameOf: FieldNames,
): unknown {
  if (typeof operand === "string" && comparesValues(operator)) {
    return renameFieldOperand(operand, (written) => renameWritten(written, nameOf, base));
  }
  if (Array.isArray(operand)) {
    return operand.map((item) => renameOperand(operator, item, base, nameOf));
  }
  if (!isObject(operand)) return operand;
  if (operator === "_lower" || operator === "_upper") {
    return mapEntries(operand, (value, name) => renameOperand(name, value, base, nameOf));
  }
  if (operator !== "_path" && operator !== "_part") return operand;
  return mapEntries(operand, (operators) =>
    isObject(operators)
      ? mapEntries(operators, (value, name) => renameOperand(name, value, base, nameOf))
      : operators,
  );
}

function comparesValues(operator: string): boolean {
  return isConditionOperator(operator) && !conditionOperators[operator].text;
}

function mapEntries(
  input: Readonly<Record<string, unknown>>,
  map: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, map(value, key)]));
}

/** Joins the objects of one key as far as their own keys differ. */
function merged(entries: readonly Entry[]): Entry[] {
  const result: Entry[] = [];
  for (const [key, value] of entries) {
    const at = result.findIndex(([known, other]) => known === key && areDisjoint(other, value));
    const known = result[at]?.[1];
    if (isObject(known) && isObject(value)) {
      result[at] = [key, Object.fromEntries([...Object.entries(known), ...Object.entries(value)])];
    } else result.push([key, value]);
  }
  return result;
}

function areDisjoint(one: unknown, other: unknown): boolean {
  return (
    isObject(one) && isObject(other) && !Object.keys(one).some((key) => Object.hasOwn(other, key))
  );
}

/** An object of entries, of which several may have one name after a rename. */
function joined(entries: readonly Entry[]): unknown {
  const isDistinct = new Set(entries.map(([key]) => key)).size === entries.length;
  if (isDistinct) return Object.fromEntries(entries);
  return { _and: entries.map((entry) => Object.fromEntries([entry])) };
}
