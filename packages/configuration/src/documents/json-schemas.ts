import type { PartName } from "@rowhouse/wire";
import { z } from "zod";
import type { Part } from "../model/part.ts";

/** Returns the JSON Schema of the documents of each part, for editors: made of the schemas that check them. */
export function jsonSchemasOf(
  parts: readonly Part<unknown>[],
): Readonly<Record<PartName, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(
    parts.map(({ name, schema, bodies = [], isText = false }) => {
      if (isText) return [name, { type: "string" }];
      const whole = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      return [name, withoutFields(whole, new Set(bodies.map(({ field }) => field)))];
    }),
  ) as ReturnType<typeof jsonSchemasOf>;
}

type JsonSchema = Readonly<Record<string, unknown>>;

/** The text of a file beside a document is no key of it. */
function withoutFields(schema: JsonSchema, fields: ReadonlySet<string>): JsonSchema {
  const {
    properties = {},
    required = [],
    oneOf,
    anyOf,
  } = schema as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
    oneOf?: readonly JsonSchema[];
    anyOf?: readonly JsonSchema[];
  };
  const kept = Object.entries(properties).filter(([name]) => !fields.has(name));
  const branches = (list: readonly JsonSchema[]) => list.map((one) => withoutFields(one, fields));
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(kept) }),
    ...(schema.required === undefined
      ? {}
      : { required: required.filter((name) => !fields.has(name)) }),
    ...(oneOf === undefined ? {} : { oneOf: branches(oneOf) }),
    ...(anyOf === undefined ? {} : { anyOf: branches(anyOf) }),
  };
}
