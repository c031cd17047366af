import { createFault, escapePointer, type Fault, faultsMax } from "@rowhouse/errors";
import { exactNumberText, isStorableText } from "@rowhouse/wire";
import { isJsonObject, type JsonObject, toJson } from "../base/json.ts";
import { type InputType, typesOf } from "../compile/tool-input.ts";

/**
 * Returns the faults of a tool's input by its published schema, as BODY_INVALID with JSON pointers.
 *
 * @param input JSON with exact numbers
 * @param pointer the position of the input in the arguments: `/input`
 */
export function findInputFaults(schema: JsonObject, input: unknown, pointer: string): Fault[] {
  const faults: Fault[] = [];
  visit(schema, input, pointer, (path, message) => {
    if (faults.length < faultsMax) faults.push(createFault("BODY_INVALID", { path, message }));
  });
  return faults;
}

type Refuse = (path: string, message: string) => void;

function visit(schema: JsonObject, value: unknown, path: string, refuse: Refuse): void {
  const types = typesOf(schema);
  const type = typeOf(value);
  if (type === undefined || !types.some((one) => one === type || isWhole(one, type))) {
    refuse(path, `Must be of the type ${types.join(" or ")}`);
    return;
  }
  if (Array.isArray(schema.enum)) {
    const text = toJson(value);
    if (!schema.enum.some((one) => toJson(one) === text)) {
      refuse(path, `Must be one of ${schema.enum.map(toJson).join(", ")}`);
    }
  }
  switch (type) {
    case "object":
      if (isJsonObject(value)) visitObject(schema, value, path, refuse);
      break;
    case "array":
      if (Array.isArray(value)) visitArray(schema, value, path, refuse);
      break;
    case "string":
      if (typeof value === "string") visitText(schema, value, path, refuse);
      break;
    case "integer":
    case "number":
      visitNumber(schema, Number(exactNumberText(value) ?? value), path, refuse);
      break;
    default:
  }
}

/** A whole number is also a number. */
function isWhole(allowed: InputType, type: InputType): boolean {
  return allowed === "number" && type === "integer";
}

function typeOf(value: unknown): InputType | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const digits = exactNumberText(value) ?? (typeof value === "number" ? String(value) : undefined);
  if (digits !== undefined) return /^-?[0-9]+(?:\.0+)?$/.test(digits) ? "integer" : "number";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  return isJsonObject(value) ? "object" : undefined;
}

function visitObject(schema: JsonObject, value: JsonObject, path: string, refuse: Refuse): void {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (!Object.hasOwn(value, String(name))) {
      refuse(`${path}/${escapePointer(String(name))}`, "This field is required");
    }
  }
  for (const [name, item] of Object.entries(value)) {
    const own = `${path}/${escapePointer(name)}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isJsonObject(property)) visit(property, item, own, refuse);
    else refuse(own, "Unknown field");
  }
}

function visitArray(
  { items, minItems = 0, maxItems = Infinity }: JsonObject,
  value: readonly unknown[],
  path: string,
  refuse: Refuse,
): void {
  if (value.length < Number(minItems) || value.length > Number(maxItems)) {
    refuse(path, `Must have ${rangeOf(minItems, maxItems)} items`);
    return;
  }
  if (!isJsonObject(items)) return;
  for (const [index, item] of value.entries()) visit(items, item, `${path}/${index}`, refuse);
}

function visitText(
  { minLength = 0, maxLength = Infinity }: JsonObject,
  value: string,
  path: string,
  refuse: Refuse,
): void {
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...value].length;
  if (!isStorableText(value)) refuse(path, "The text contains a character that cannot be stored");
  if (length < Number(minLength) || length > Number(maxLength)) {
    refuse(path, `Must have ${rangeOf(minLength, maxLength)} characters`);
  }
}

function visitNumber(
  { minimum = -Infinity, maximum = Infinity }: JsonObject,
  value: number,
  path: string,
  refuse: Refuse,
): void {
  if (value < Number(minimum) || value > Number(maximum)) {
    refuse(path, `Must be ${rangeOf(minimum, maximum)}`);
  }
}

function rangeOf(min: unknown, max: unknown): string {
  if (max === Infinity) return `at least ${String(min)}`;
  if (min === -Infinity || min === 0) return `at most ${String(max)}`;
  return `from ${String(min)} to ${String(max)}`;
}
