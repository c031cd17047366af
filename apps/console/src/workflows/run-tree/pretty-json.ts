import { writeJson } from "@rowhouse/client";
import { isJsonObject } from "../model/definition.ts";

/** Writes a value as JSON on lines of two spaces, with every digit. */
export function prettyJson(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + prettyJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    if (entries.length === 0) return "{}";
    const lines = entries.map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${prettyJson(item, inner)}`,
    );
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return writeJson(value ?? null);
}
