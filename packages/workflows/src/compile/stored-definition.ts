import { parseExactJson } from "@rowhouse/wire";
import { isJsonObject } from "../base/json.ts";
import type { Definition } from "../definition/definition.ts";
import { compileDefinition } from "./compile-definition.ts";
import type { CompiledDefinition } from "./compiled.ts";
import { parseDefinition } from "./parse-definition.ts";

/** The only key of a version that a test with options runs. */
const tested = "tested";

/**
 * Returns the JSON of a version that only a test with options runs. A worker of a build without them cannot read it, so
 * it leaves the run to others, instead of carrying out every step.
 */
export function testedDefinition(json: string): string {
  return `{"${tested}":${json}}`;
}

/** Returns the definition of a version, or of a test, from its parsed JSON. */
export function definitionOf(stored: unknown): unknown {
  return isJsonObject(stored) && Object.hasOwn(stored, tested) ? stored[tested] : stored;
}

/**
 * Parses the definition of a version, or of a test.
 *
 * @param stored JSON
 * @throws AppError BODY_INVALID for a definition that this build cannot read
 */
export function parseStored(stored: string): Definition {
  return parseDefinition(definitionOf(parseExactJson(stored)), "");
}

/** Compiles the definition of a version, or of a test. @throws as `parseStored` */
export function compileStored(stored: string): CompiledDefinition {
  return compileDefinition(parseStored(stored)).compiled;
}
