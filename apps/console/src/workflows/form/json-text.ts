import { readJson, writeJson } from "@rowhouse/client";
import { findJsonFault } from "../../records/values/json-fault.ts";
import { prettyJson } from "../../records/values/pretty-json.ts";

/** Returns a value as JSON that people read, with the digits of its numbers. */
export function jsonText(value: unknown): string {
  return value === undefined ? "" : prettyJson(writeJson(value));
}

/** Returns the value of a JSON text; undefined for any other text. */
export function readJsonText(text: string): { readonly value: unknown } | undefined {
  return findJsonFault(text) === undefined ? { value: readJson(text) } : undefined;
}

/** Returns the number of a text; undefined for any other text. */
export function readNumberText(text: string): { readonly value: unknown } | undefined {
  const trimmed = text.trim();
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)
    ? { value: readJson(trimmed) }
    : undefined;
}
