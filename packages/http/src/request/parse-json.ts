import { createError, createFault, escapePointer, type Fault, throwFaults } from "@rowhouse/errors";
import {
  type ExactNumber,
  isExactNumber,
  isStorableText,
  jsonHint,
  parseExactJson,
  scanJson,
} from "@rowhouse/wire";

/** JSON of a caller; a number that a double cannot represent keeps its digits. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | JsonValue[]
  | { [key: string]: JsonValue };

export interface ParseJsonOptions {
  /** Maximum nesting of objects and arrays; 64 by default. */
  readonly depthMax?: number;
  /** Fields of the body that may have text that PostgreSQL cannot store: it is compared and never stored. */
  readonly anyTextIn?: readonly string[];
}

const depthMaxDefault = 64;

/**
 * Parses a JSON text of a caller. `__proto__` is an own key like any other; a schema decides whether a key is known.
 *
 * @throws `BODY_INVALID`, with a JSON pointer if known, for text that is not JSON, is nested too deep, repeats a key,
 * or contains NUL or a lone surrogate
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const scan = scanJson(text);
  const depthMax = options.depthMax ?? depthMaxDefault;
  if (scan.depth > depthMax) {
    throw createError("BODY_INVALID", {
      message: `The body is nested deeper than ${depthMax} levels`,
    });
  }
  const value = parseText(text);
  const tally = { members: 0, clean: true };
  const checked = withoutTexts(value, options.anyTextIn ?? []);
  check(checked, scan.unicodeEscapes, tally);
  if (!tally.clean) throwFaults(collectFaults(checked, ""));
  if (tally.members !== scan.members) {
    throw createError("BODY_INVALID", {
      message: "A key occurs twice in one object",
      path: findRepeatedKey(text),
    });
  }
  return value;
}

/** The same value with an empty text in each of these fields. */
function withoutTexts(value: JsonValue, fields: readonly string[]): JsonValue {
  if (fields.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    return value;
  }
  if (isExactNumber(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      fields.includes(key) && typeof field === "string" ? "" : field,
    ]),
  );
}

function parseText(text: string): JsonValue {
  try {
    return parseExactJson(text) as JsonValue;
  } catch (error) {
    const message = `The body is not valid JSON${jsonHint(text)}`;
    throw createError("BODY_INVALID", { message, cause: error });
  }
}

/** Walks the value once, counting members and detecting faults, without building paths. */
function check(
  value: JsonValue,
  strings: boolean,
  tally: { members: number; clean: boolean },
): void {
  if (typeof value === "string") {
    if (strings && !isStorableText(value)) tally.clean = false;
  } else if (Array.isArray(value)) {
    for (const item of value) check(item, strings, tally);
  } else if (typeof value === "object" && value !== null && !isExactNumber(value)) {
    for (const key of Object.keys(value)) {
      tally.members += 1;
      if (strings && !isStorableText(key)) tally.clean = false;
      else check(value[key] as JsonValue, strings, tally);
    }
  }
}

function* collectFaults(value: JsonValue, path: string): Generator<Fault> {
  if (typeof value === "string") {
    if (isStorableText(value)) return;
    yield createFault("BODY_INVALID", {
      message: "Text must not contain NUL or a lone surrogate",
      path,
    });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* collectFaults(item, `${path}/${index}`);
  } else if (typeof value === "object" && value !== null && !isExactNumber(value)) {
    for (const key of Object.keys(value)) {
      if (!isStorableText(key)) {
        yield createFault("BODY_INVALID", {
          message: "This key is not allowed",
          path: `${path}/${escapePointer(key.toWellFormed())}`,
        });
      } else {
        yield* collectFaults(value[key] as JsonValue, `${path}/${escapePointer(key)}`);
      }
    }
  }
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Returns the pointer to the first repeated key of an object. `text` must be valid JSON. */
function findRepeatedKey(text: string): string | undefined {
  interface Frame {
    readonly keys: Set<string> | undefined;
    part: string;
    index: number;
  }
  const frames: Frame[] = [];
  let lastString = "";
  for (const [found] of text.matchAll(token)) {
    const top = frames.at(-1);
    if (found === "{") frames.push({ keys: new Set(), part: "", index: 0 });
    else if (found === "[") frames.push({ keys: undefined, part: "0", index: 0 });
    else if (found === "}" || found === "]") frames.pop();
    else if (found === "," && top !== undefined && top.keys === undefined) {
      top.index += 1;
      top.part = String(top.index);
    } else if (found === ":" && top?.keys !== undefined) {
      const key = JSON.parse(lastString) as string;
      top.part = escapePointer(key);
      if (top.keys.has(key)) return frames.map((frame) => `/${frame.part}`).join("");
      top.keys.add(key);
    } else if (found.startsWith('"')) lastString = found;
  }
  return undefined;
}
