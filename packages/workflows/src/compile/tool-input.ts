import { isPossibleName } from "@rowhouse/wire";
import { exceedsSize, isJsonObject, type JsonObject } from "../base/json.ts";

/** Reports a fault, with its pointer into the definition. */
type Report = (pointer: readonly string[], message: string) => void;

/** The limit of a schema, in characters of JSON, approximately: every agent reads it. */
const sizeMax = 16_384;
const depthMax = 8;
const propertiesMax = 100;

const texts: ReadonlySet<string> = new Set(["title", "description"]);
/** The keywords of each type, besides `type`, `title`, `description` and `enum`, with the form of their values. */
const keywords = {
  object: ["properties", "required", "additionalProperties"],
  array: ["items", "minItems", "maxItems"],
  string: ["minLength", "maxLength"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
  boolean: [],
  null: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type InputType = keyof typeof keywords;

function isType(value: unknown): value is InputType {
  return typeof value === "string" && Object.hasOwn(keywords, value);
}

/** Returns the types that a schema accepts; none for a schema with another form. */
export function typesOf({ type }: JsonObject): readonly InputType[] {
  const list: readonly unknown[] = Array.isArray(type) ? type : [type];
  return list.every(isType) && new Set(list).size === list.length ? list : [];
}

/**
 * Reports what prevents the schema of a tool's input from being published. The accepted part of JSON Schema describes
 * closed objects and has no keyword whose check costs more than reading the value.
 */
export function checkInputSchema(
  schema: unknown,
  pointer: readonly string[],
  report: Report,
): void {
  if (exceedsSize(schema, sizeMax)) {
    report(pointer, `The schema must have at most ${sizeMax} characters and no deep nesting`);
    return;
  }
  if (!isJsonObject(schema) || schema.type !== "object") {
    report(pointer, 'The schema of a tool must have the type "object"');
    return;
  }
  const count = { properties: 0 };
  checkSchema(schema, pointer, 1, count, report);
  if (count.properties > propertiesMax) {
    report(pointer, `The schema must have at most ${propertiesMax} properties`);
  }
}

function checkSchema(
  schema: unknown,
  pointer: readonly string[],
  depth: number,
  count: { properties: number },
  report: Report,
): void {
  if (!isJsonObject(schema)) {
    report(pointer, "A schema must be an object");
    return;
  }
  if (depth > depthMax) {
    report(pointer, `Schemas must be nested at most ${depthMax} levels deep`);
    return;
  }
  const types = typesOf(schema);
  if (types.length === 0) {
    const names = Object.keys(keywords).join(", ");
    report([...pointer, "type"], `type must be one of ${names}, or a list of them`);
    return;
  }
  const allowed = new Set<string>(["type", "enum", ...texts]);
  for (const type of types) for (const keyword of keywords[type]) allowed.add(keyword);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = [...pointer, keyword];
    if (!allowed.has(keyword)) {
      report(at, `The keyword ${keyword} is not supported for the type ${types.join(", ")}`);
    } else {
      const message = faultOfKeyword(keyword, value);
      if (message !== undefined) report(at, message);
    }
  }
  if (types.includes("object")) checkObject(schema, pointer, depth, count, report);
  if (types.includes("array")) {
    checkSchema(schema.items, [...pointer, "items"], depth + 1, count, report);
  }
}

function faultOfKeyword(keyword: string, value: unknown): string | undefined {
  switch (keyword) {
    case "title":
    case "description":
      return typeof value === "string" ? undefined : `${keyword} must be a text`;
    case "enum":
      return Array.isArray(value) && value.length > 0 && value.every(isScalar)
        ? undefined
        : "enum must be a list of texts, numbers, true, false and null";
    case "minItems":
    case "maxItems":
    case "minLength":
    case "maxLength":
      return Number.isSafeInteger(value) && Number(value) >= 0
        ? undefined
        : `${keyword} must be a whole number, 0 or more`;
    case "minimum":
    case "maximum":
      return typeof value === "number" ? undefined : `${keyword} must be a number`;
    default:
      return undefined;
  }
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function checkObject(
  schema: JsonObject,
  pointer: readonly string[],
  depth: number,
  count: { properties: number },
  report: Report,
): void {
  const { properties, required = [], additionalProperties } = schema;
  if (additionalProperties !== false) {
    const message = "additionalProperties must be false: the input of a tool is closed";
    report([...pointer, "additionalProperties"], message);
  }
  if (!isJsonObject(properties)) {
    report([...pointer, "properties"], "properties must be an object");
    return;
  }
  for (const [name, property] of Object.entries(properties)) {
    count.properties += 1;
    const at = [...pointer, "properties", name];
    if (!isPossibleName(name)) report(at, "This name is not allowed");
    else checkSchema(property, at, depth + 1, count, report);
  }
  const isList = Array.isArray(required);
  if (!isList || !required.every((name) => Object.hasOwn(properties, String(name)))) {
    report([...pointer, "required"], "required must be a list of names of properties");
  }
}
