import { parseExactJson, scanJson, toStorableText } from "@rowhouse/wire";
import { isJsonObject, setOwn } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import { depthMax } from "../interpret/run-bounds.ts";

/** Converts a value from outside, binary data included, into one that the journal can store. */
export function toStorable(value: unknown): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorable);
  if (!isJsonObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    setOwn(result, toStorableText(key), toStorable(item));
  return result;
}

/**
 * Parses JSON from outside.
 *
 * @param code the code of the faults
 * @param noun the text, for the messages
 * @throws RunFault for excessive nesting, and for a text that is not JSON
 */
export function parseOutsideJson(text: string, code: string, noun: string): unknown {
  // Checked before any recursive function receives the value.
  if (scanJson(text).depth > depthMax) {
    throw new RunFault(code, `${noun} is nested more than ${depthMax} levels deep`);
  }
  try {
    return parseExactJson(text);
  } catch {
    throw new RunFault(code, `${noun} is not valid JSON`);
  }
}
