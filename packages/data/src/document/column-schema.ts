import { isTextual } from "@rowhouse/access";
import type { Column, ColumnType } from "@rowhouse/db";

const text: Json = { type: "string" };
const whole = (minimum: number, maximum: number): Json => ({ type: "integer", minimum, maximum });
const exact = "-?[0-9]+(?:\\.[0-9]+)?";
const float: Json = {
  anyOf: [{ type: "number" }, { type: "string", enum: ["NaN", "Infinity", "-Infinity"] }],
};

/** JSON Schema of each built-in type (docs/data-api.md, Types). A format is a hint only: a date may be `infinity`. */
const outputs: Readonly<Record<string, Json>> = {
  boolean: { type: "boolean" },
  smallint: whole(-32_768, 32_767),
  integer: { ...whole(-2_147_483_648, 2_147_483_647), format: "int32" },
  bigint: { type: "string", format: "int64", pattern: "^-?[0-9]+$" },
  numeric: { type: "string", format: "decimal", pattern: `^(?:${exact}|NaN|-?Infinity)$` },
  money: { type: "string", format: "decimal", pattern: `^${exact}$` },
  real: float,
  "double precision": float,
  text,
  "character varying": text,
  character: text,
  bpchar: text,
  name: text,
  '"char"': text,
  uuid: { type: "string", format: "uuid" },
  date: { type: "string", format: "date" },
  "time without time zone": { type: "string", format: "time-local" },
  "time with time zone": { type: "string", format: "time" },
  "timestamp without time zone": { type: "string", format: "date-time-local" },
  "timestamp with time zone": { type: "string", format: "date-time" },
  interval: text,
  bytea: { type: "string", contentEncoding: "base64" },
  json: {},
  jsonb: {},
  inet: text,
  cidr: text,
  macaddr: text,
  macaddr8: text,
  bit: text,
  "bit varying": text,
  xml: text,
  tsvector: text,
  tsquery: text,
  point: text,
  line: text,
  lseg: text,
  box: text,
  path: text,
  polygon: text,
  circle: text,
};

/** Types whose input may be a number or a string; a string preserves every digit. */
const inputs: Readonly<Record<string, Json>> = {
  boolean: { type: ["boolean", "string"] },
  smallint: { type: ["integer", "string"] },
  integer: { type: ["integer", "string"] },
  bigint: { type: ["string", "integer"], format: "int64" },
  numeric: { type: ["string", "number"], format: "decimal" },
  money: { type: ["string", "number"], format: "decimal" },
  real: { type: ["number", "string"] },
  "double precision": { type: ["number", "string"] },
};

/** Returns the schema of a column's value in a response, for rows in which the field is visible. */
export function outputSchema(column: Column): Json {
  const { type, nullable } = column;
  const one = outputOf(type);
  const schema = type.array ? { type: "array", items: orNull(one) } : one;
  return described(nullable ? orNull(schema) : schema, column);
}

/** Returns the schema of a column's value in a request. */
export function inputSchema(column: Column): Json {
  const { type, nullable } = column;
  const one = inputs[type.base] ?? outputOf(type);
  const schema = type.array
    ? { anyOf: [{ type: "array", items: orNull(one) }, { type: "string" }] }
    : one;
  return described(nullable ? orNull(schema) : schema, column);
}

/** Returns the schema of a key column's value in a URL path. */
export function keySchema({ type }: Column): Json {
  const schema = outputOf(type);
  return schema.type === "string" || schema.type === "integer" || schema.type === "boolean"
    ? schema
    : text;
}

function outputOf(type: ColumnType): Json {
  if (type.labels !== null) return { type: "string", enum: type.labels };
  if (type.kind === "RANGE") return text;
  if (type.kind === "COMPOSITE") return { type: "object", additionalProperties: true };
  const known = outputs[type.base];
  // The JSON form of an extension's type is unknown here: the extension may define its own cast to json.
  if (known === undefined) return isTextual({ ...type, array: false }) ? text : {};
  return type.lengthMax === null ? known : { ...known, maxLength: type.lengthMax };
}

function described(schema: Json, { comment, type }: Column): Json {
  // The document omits the name of a user-defined type, because it may be hidden from the reader.
  const name = Object.hasOwn(outputs, type.base)
    ? `\`${type.base}${type.array ? "[]" : ""}\``
    : null;
  const description = [comment, name].filter((part) => part !== null).join("\n\n");
  return description === "" ? schema : { ...schema, description };
}

/** A part of the document: a JSON Schema or an OpenAPI object. */
export type Json = Readonly<Record<string, unknown>>;

/** Extends a schema by null. */
export function orNull(schema: Json): Json {
  const { type } = schema;
  if (schema.enum === undefined && (typeof type === "string" || Array.isArray(type))) {
    return { ...schema, type: [...[type].flat(), "null"] };
  }
  if (type === undefined && schema.anyOf === undefined && schema.$ref === undefined) return schema;
  const { description, ...rest } = schema;
  const either = { anyOf: [rest, { type: "null" }] };
  return description === undefined ? either : { ...either, description };
}

export function objectOf(
  properties: Readonly<Record<string, Json>>,
  required: readonly string[] = [],
): Json {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export function refTo(kind: "schemas" | "parameters", name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

export function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}

/**
 * Returns the schema of a text that contains JSON. Generated clients serialize an object in a parameter in ways of their own;
 * a text they send as it is.
 */
export function jsonText(schema: Json): Json {
  return { type: "string", contentMediaType: "application/json", contentSchema: schema };
}
