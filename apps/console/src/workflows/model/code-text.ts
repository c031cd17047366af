import { ExactNumber, readJson, writeJson } from "@rowhouse/client";
import { type Definition, isJsonObject } from "./definition.ts";

/** Returns a definition as indented JSON, with every digit of its numbers. */
export function writeCode(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const items = value.map((item) => inner + writeCode(item, inner));
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  if (!isJsonObject(value)) return value instanceof ExactNumber ? value.text : writeJson(value);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (entries.length === 0) return "{}";
  const members = entries.map(
    ([name, item]) => `${inner}${JSON.stringify(name)}: ${writeCode(item, inner)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

/** Returns the definition of a text; undefined if it is no JSON object. */
export function readCode(text: string): Definition | undefined {
  try {
    const value = readJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two values are equal as JSON, in whatever order the fields of objects are. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSameJson(item, other[at]));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const names = Object.keys(one).filter((name) => one[name] !== undefined);
    const others = Object.keys(other).filter((name) => other[name] !== undefined);
    return (
      names.length === others.length &&
      names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
    );
  }
  return one instanceof ExactNumber && other instanceof ExactNumber && one.text === other.text;
}
