import { ExactNumber } from "@rowhouse/client";
import { isObject } from "../../records/filter/read-where.ts";
import type { JsonObject } from "../model/definition.ts";
import {
  alternativesOf,
  choicesOf,
  type FormField,
  isNullable,
  itemsOf,
  withoutNull,
} from "./form-field.ts";

const isText = (value: unknown): value is string => typeof value === "string";
const isTerms = (value: unknown): boolean =>
  isText(value) || (Array.isArray(value) && value.every(isText));
const isNumber = (value: unknown) => typeof value === "number" || value instanceof ExactNumber;

/** Whether one of the types of a schema is a type. */
function hasType(schema: JsonObject, type: string): boolean {
  return schema.type === type || alternativesOf(schema).some((one) => hasType(one, type));
}

type Fits = (value: unknown, schema: JsonObject) => boolean;

const forms: Readonly<Record<string, Fits>> = {
  stepId: isText,
  schema: isText,
  table: isText,
  orderBy: isTerms,
  template: isText,
  templateText: isText,
  text: isText,
  note: isText,
  cel: isText,
  secret: isText,
  user: isText,
  workflow: isText,
  document: isText,
  folder: isText,
  cron: isText,
  timeZone: isText,
  templateJson: () => true,
  fields: (value, schema) =>
    schema.type === "array" ? Array.isArray(value) && value.every(isText) : isTerms(value),
  values: isObject,
  query: isObject,
  headers: (value) => isObject(value) && Object.values(value).every(isText),
  filter: isObject,
  key: (value) => {
    const isPart = (part: unknown) => isText(part) || isNumber(part);
    return isPart(value) || (Array.isArray(value) && value.length > 0 && value.every(isPart));
  },
  milliseconds: isNumber,
  number: isNumber,
  seconds: (value, schema) => isNumber(value) || (isText(value) && hasType(schema, "string")),
  boolean: (value) => typeof value === "boolean",
  choice: (value, schema) => isText(value) && choicesOf(schema).includes(value),
  scalar: (value) => value === null || typeof value !== "object" || value instanceof ExactNumber,
  list: fitsList,
  auth: fitsVariant,
  signature: fitsVariant,
  retry: isObject,
  tool: isObject,
  onError: (value, schema) => {
    const words = alternativesOf(schema).flatMap(choicesOf);
    if (isText(value)) return words.includes(value);
    return isObject(value) && Object.keys(value).join() === "steps";
  },
  steps: () => true,
};

/** Whether the control of a field can show a value and leave it as it is. Another value is edited as JSON. */
export function controlFits(field: FormField, value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null && isNullable(field.schema)) return true;
  const fits = Object.hasOwn(forms, field.control) ? forms[field.control] : undefined;
  return fits?.(value, field.schema) === true;
}

function fitsList(value: unknown, schema: JsonObject): boolean {
  if (isText(value)) return hasType(schema, "string");
  if (!Array.isArray(value)) return false;
  const items = itemsOf(schema);
  const choices = choicesOf(items);
  if (choices.length > 0) {
    return new Set(value).size === value.length && value.every((one) => choices.includes(one));
  }
  if (items.type === "object") return value.every(isObject);
  return value.every(items.type === "integer" ? isNumber : isText);
}

function fitsVariant(value: unknown, schema: JsonObject): boolean {
  return isObject(value) && variantOf(value, schema) !== undefined;
}

/** Lists the kinds of object that a schema accepts. */
export function variantsOf(schema: JsonObject): readonly JsonObject[] {
  const inner = withoutNull(schema);
  return alternativesOf(inner).filter((one) => one.type === "object");
}

/** Returns the members that a kind of object has in every case. */
export function constantsOf(variant: JsonObject): JsonObject {
  const properties = isObject(variant.properties) ? variant.properties : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, one]) =>
      isObject(one) && one.const !== undefined ? [[name, one.const]] : [],
    ),
  );
}

/** Returns the kind of an object. */
export function variantOf(value: JsonObject, schema: JsonObject): JsonObject | undefined {
  return variantsOf(schema).find((variant) =>
    Object.entries(constantsOf(variant)).every(([name, constant]) => value[name] === constant),
  );
}
