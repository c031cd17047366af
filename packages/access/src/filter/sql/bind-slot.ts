import {
  arrayLiteral,
  builtInType,
  type ColumnType,
  listType,
  type ParameterType,
  sentType,
} from "@rowhouse/db";
import { AppError, createError, createFault, type Fault } from "@rowhouse/errors";
import { valueHint } from "@rowhouse/wire";
import type { Slot } from "../language/filter.ts";
import { prefixQuery } from "../language/search.ts";
import { comparedText } from "./column-value.ts";

/** How a slot's value is converted to a parameter. */
export type Conversion =
  | "VALUE"
  | "LIST"
  | "ARRAYS"
  | "LIKE"
  | "CONTAINS"
  | "STARTS_WITH"
  | "ENDS_WITH"
  | "TEXT"
  | "PREFIX"
  | "ELEMENTS"
  | "JSON";

export interface SlotBinding {
  readonly slot: number;
  readonly conversion: Conversion;
  readonly type: ColumnType;
}

const text = builtInType("text");
const jsonb = builtInType("jsonb");

/** The type with which a slot's parameter is compared. */
export function slotType({
  conversion,
  type,
}: Pick<SlotBinding, "conversion" | "type">): ParameterType {
  switch (conversion) {
    case "VALUE":
    case "ELEMENTS":
      return sentType(type);
    case "LIST":
      return listType(sentType(type));
    case "ARRAYS":
      // PostgreSQL has no array of arrays that differ in length.
      return listType(text);
    case "JSON":
      return jsonb;
    default:
      return text;
  }
}

/**
 * Returns the parameter text of a slot.
 *
 * @throws AppError VALUE_INVALID if the column cannot hold the value, QUERY_INVALID for a malformed pattern
 */
export function bindSlot(binding: SlotBinding, slot: Slot): string {
  if (binding.conversion === "LIST") return listText(binding.type, valuesOf(slot), slot);
  if (binding.conversion === "ARRAYS") return arrayLiteral(bindArrays(binding, slot));
  if (binding.conversion === "ELEMENTS") {
    const values = typeof slot.value === "string" ? [slot.value] : slot.value;
    return listText({ ...binding.type, array: false }, values, slot);
  }
  const text = slot.value;
  if (typeof text !== "string") throw valueInvalid(slot);
  switch (binding.conversion) {
    case "VALUE": {
      const compared = comparedText(binding.type, text);
      if (compared === undefined) throw valueInvalid(slot, text);
      return compared;
    }
    case "LIKE":
      // PostgreSQL rejects a pattern that ends within an escape, but only on some rows.
      if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) {
        throw createError("QUERY_INVALID", {
          path: slot.path,
          message: "A pattern cannot end with a single backslash",
        });
      }
      return text;
    case "CONTAINS":
      return `%${escapeLike(text)}%`;
    case "STARTS_WITH":
      return `${escapeLike(text)}%`;
    case "ENDS_WITH":
      return `%${escapeLike(text)}`;
    case "TEXT":
      return text;
    case "PREFIX":
      return prefixQuery(text);
    case "JSON":
      if (!isJson(text)) throw valueInvalid(slot);
      return text;
    default:
      return binding.conversion satisfies never;
  }
}

function valuesOf({ value }: Slot): readonly string[] {
  return typeof value === "string" ? [] : value;
}

/**
 * Returns the arrays of a list, each as the text that PostgreSQL reads.
 *
 * @throws AppError VALUE_INVALID if the column cannot hold one of them
 */
export function bindArrays({ type }: Pick<SlotBinding, "type">, slot: Slot): string[] {
  const values = slot.commas === true ? splitArrays(valuesOf(slot).join(",")) : valuesOf(slot);
  return boundTexts(type, values, slot);
}

/** Splits `{a,b},{c}` at the commas between the arrays. */
function splitArrays(text: string): string[] {
  const arrays: string[] = [];
  let [start, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === "\\") at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === "{") depth += 1;
    else if (sign === "}") depth -= 1;
    else if (sign === "," && depth === 0) {
      arrays.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...arrays, text.slice(start)];
}

function listText(type: ColumnType, values: readonly string[], slot: Slot): string {
  return arrayLiteral(boundTexts(type, values, slot));
}

function boundTexts(type: ColumnType, values: readonly string[], slot: Slot): string[] {
  return values.map((value) => {
    const text = comparedText(type, value);
    if (text === undefined) throw valueInvalid(slot, value);
    return text;
  });
}

/** Whether the text is JSON that PostgreSQL can store: without NUL and lone surrogates. */
function isJson(text: string): boolean {
  let isStorable = true;
  const check = (part: unknown): void => {
    if (typeof part === "string" && (part.includes("\0") || !part.isWellFormed()))
      isStorable = false;
  };
  try {
    JSON.parse(text, (key, value) => {
      check(key);
      check(value);
      return value;
    });
    return isStorable;
  } catch {
    return false;
  }
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

function valueInvalid(slot: Slot, text?: string): AppError {
  return new AppError([impossibleValue(slot.path, text)]);
}

/** Returns the fault of a value that its column cannot hold. In brackets, a null looks like the text. */
export function impossibleValue(path: string, text = ""): Fault {
  const hint = valueHint(text);
  const message = hint === "" ? undefined : `The column cannot hold this value${hint}`;
  return createFault("VALUE_INVALID", { path, ...(message !== undefined && { message }) });
}
