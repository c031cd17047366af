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

/** Returns the schema of an object with these properties. */
export function objectOf(
  properties: Readonly<Record<string, Json>>,
  required: readonly string[] = [],
): Json {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export function refTo(kind: "schemas" | "parameters", name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns the content of a JSON request or response body. */
export function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}
