import { ExactNumber, writeJson } from "@rowhouse/client";
import { isJsonObject } from "../model/definition.ts";
import { readJsonText, readNumberText } from "./json-text.ts";

/** The forms in which a value of any type is edited. */
export const valueForms = ["TEXT", "NUMBER", "BOOLEAN", "NULL", "JSON"] as const;
/** The forms of a value that may be an object, whose members are then rows. */
export const rowForms = ["ROWS", ...valueForms] as const;

export type ValueForm = (typeof rowForms)[number];

/** Returns the form that shows a value. */
export function formOf(value: unknown): ValueForm {
  if (typeof value === "string") return "TEXT";
  if (typeof value === "number" || value instanceof ExactNumber) return "NUMBER";
  if (typeof value === "boolean") return "BOOLEAN";
  return value === null ? "NULL" : "JSON";
}

/** Returns a value in another form, with as much of it as that form has. */
export function inForm(value: unknown, form: ValueForm): unknown {
  if (formOf(value) === form && value !== undefined) return value;
  if (form === "ROWS" && isJsonObject(value)) return value;
  const text = typeof value === "string" ? value : value == null ? "" : writeJson(value);
  switch (form) {
    case "TEXT":
      return text;
    case "NUMBER":
      return readNumberText(text)?.value ?? 0;
    case "BOOLEAN":
      return text === "true";
    case "NULL":
      return null;
    case "ROWS": {
      const read = readJsonText(text)?.value;
      return isJsonObject(read) ? read : text === "" ? {} : { value };
    }
    case "JSON": {
      const read = readJsonText(text)?.value;
      if (typeof read === "object" && read !== null && !(read instanceof ExactNumber)) return read;
      return text === "" ? {} : [value];
    }
    default:
      return form satisfies never;
  }
}
