import { isObject } from "../../records/filter/read-where.ts";
import type { JsonObject } from "../model/definition.ts";

/** One property of a step, a trigger or a workflow, as its JSON Schema describes it. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** How it is edited: `x-control`. Empty for a property without one. */
  readonly control: string;
  /** Whether all steps with effects have it. */
  readonly isCommon: boolean;
  readonly isRequired: boolean;
  /** What an absent value means; undefined if nothing stands for it. */
  readonly default: unknown;
  readonly schema: JsonObject;
}

/** Lists the properties of an object's JSON Schema, without `kind`, in their order. */
export function fieldsOf(schema: JsonObject): readonly FormField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asObject(schema.properties))
    .filter(([name]) => name !== "kind")
    .map(([name, property]): FormField => {
      const own = asObject(property);
      const isRequired = required.includes(name) && own.default === undefined;
      return {
        ...{ name, isRequired, schema: own, default: own.default },
        title: textOf(own.title) || name,
        help: textOf(own.description),
        control: textOf(own["x-control"]),
        isCommon: own["x-section"] === "common",
      };
    });
}

/** Returns the texts that a choice may have. */
export function choicesOf(schema: JsonObject): readonly string[] {
  const list = schema.enum;
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

/** Returns the schema of a list's items. */
export function itemsOf(schema: JsonObject): JsonObject {
  const list = [schema, ...alternativesOf(schema)].find((one) => isObject(one.items));
  return asObject(list?.items);
}

/** Returns the alternatives of a schema; none for a schema without alternatives. */
export function alternativesOf(schema: JsonObject): readonly JsonObject[] {
  const list = schema.anyOf ?? schema.oneOf;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Whether a schema accepts null. */
export function isNullable(schema: JsonObject): boolean {
  const type = schema.type;
  const isOwn = type === "null" || (Array.isArray(type) && type.includes("null"));
  return isOwn || alternativesOf(schema).some(isNullable);
}

/** Returns the schema without its alternative null. */
export function withoutNull(schema: JsonObject): JsonObject {
  const others = alternativesOf(schema).filter((one) => one.type !== "null");
  const [only] = others;
  return others.length === 1 && only !== undefined ? only : schema;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
