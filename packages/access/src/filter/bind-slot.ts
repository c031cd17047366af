import {
  arrayLiteral,
  builtInType,
  type ColumnType,
  listType,
  type ParameterType,
} from "@rowhouse/db";
import { AppError, createError, createFault } from "@rowhouse/errors";
import { comparedText } from "./column-value.ts";
import type { Slot } from "./filter.ts";
import { prefixQuery } from "./search.ts";

/** How a slot's value is converted to a parameter. */
export type Conversion =
  | "VALUE"
  | "LIST"
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
      return type;
    case "LIST":
      return listType(type);
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
  if (binding.conversion === "LIST") {
    const values = Array.isArray(slot.value) ? (slot.value as readonly string[]) : [];
    return listText(binding.type, values, slot);
  }
  if (binding.conversion === "ELEMENTS") {
    const values = typeof slot.value === "string" ? [slot.value] : slot.value;
    return listText({ ...binding.type, array: false }, values, slot);
  }
  const text = slot.value;
  if (typeof text !== "string") throw valueInvalid(slot);
  switch (binding.conversion) {
    case "VALUE": {
      const compared = comparedText(binding.type, text);
      if (compared === undefined) throw valueInvalid(slot);
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

function listText(type: ColumnType, values: readonly string[], slot: Slot): string {
  return arrayLiteral(
    values.map((value) => {
      const text = comparedText(type, value);
      if (text === undefined) throw valueInvalid(slot);
      return text;
    }),
  );
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

function valueInvalid(slot: Slot): AppError {
  return new AppError([createFault("VALUE_INVALID", { path: slot.path })]);
}
