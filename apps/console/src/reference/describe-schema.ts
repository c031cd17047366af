import {
  type Document,
  indentLines,
  referenceName,
  type Schema,
  schemaType,
} from "@rowhouse/client/openapi";

/** Components within components are written out to this depth; deeper ones are names. */
const depthMax = 2;

/** Returns a schema as a TypeScript type in lines. */
export function describeSchema(document: Document, schema: Schema): string {
  const typeOf = (one: Schema, depth: number): string =>
    schemaType(one, (name) => {
      const component = document.components.schemas[name];
      return depth >= depthMax || component === undefined ? name : typeOf(component, depth + 1);
    });
  return indentLines(typeOf(schema, 0));
}

/** Samples of nested values stop at this depth. */
const sampleDepthMax = 4;

const textSamples: Readonly<Record<string, string>> = {
  uuid: "00000000-0000-4000-8000-000000000000",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00",
  email: "ada@example.com",
  uri: "https://example.com",
  int64: "1",
  decimal: "1.5",
};

/** Returns a value of a schema: the required members of an object, or its first ones if none is. */
export function sampleOf(document: Document, schema: Schema, depth = 0): unknown {
  if (schema.$ref !== undefined) {
    const component = document.components.schemas[referenceName(schema.$ref)];
    return component === undefined ? null : sampleOf(document, component, depth);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice !== undefined) return sampleOf(document, choice, depth);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return 1;
  if (type === "string") return textSamples[schema.format ?? ""] ?? "text";
  if (depth >= sampleDepthMax) return type === "array" ? [] : {};
  if (type === "array") {
    const { items } = schema;
    return items === undefined || items === false ? [] : [sampleOf(document, items, depth + 1)];
  }
  return sampleMembers(document, schema, depth);
}

function sampleMembers(document: Document, schema: Schema, depth: number): object {
  const { properties = {}, required = [] } = schema;
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(document, properties[name] ?? {}, depth + 1)]),
  );
}
