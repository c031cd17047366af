/** A part of a document: JSON Schema, or an object of OpenAPI. */
export type Json = Readonly<Record<string, unknown>>;

/** A schema that also takes null. */
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

/** An object with these properties. */
export function objectOf(
  properties: Readonly<Record<string, Json>>,
  required: readonly string[] = [],
): Json {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export function refTo(kind: "schemas" | "parameters", name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

/** A body or an answer of JSON. */
export function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}
