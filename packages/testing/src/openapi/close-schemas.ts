import { componentPrefix, type Json, type OwnSchema } from "./own-schemas.ts";

/** Keywords that combine several schemas for one value, so that none of them alone may close the object. */
const together: ReadonlySet<string> = new Set(["allOf"]);
/** Keywords whose members are schemas by name. */
const byName: ReadonlySet<string> = new Set(["properties", "patternProperties"]);

/** A schema and the components that it reaches. */
type Schemas = Pick<OwnSchema, "schema" | "components">;

/**
 * Returns schemas in which each object permits only its named properties. OpenAPI leaves objects open; a test treats an
 * undocumented field of a response as a fault.
 *
 * @param takesNames whether `propertyNames` permit further properties: the request may have chosen names
 */
export function closeSchemas({ schema, components }: Schemas, takesNames: boolean): Schemas {
  // A schema that already restricts the names of its properties.
  const named = new Set(
    Object.entries(components)
      .filter(([, { propertyNames }]) => takesNames && propertyNames !== undefined)
      .map(([name]) => `${componentPrefix}${name}`),
  );
  return {
    schema: close(schema, false, named) as Json,
    // A component is closed at its reference, unless that reference is combined with other schemas.
    components: Object.fromEntries(
      Object.entries(components).map(([name, component]) => [
        name,
        close(component, true, named) as Json,
      ]),
    ),
  };
}

function close(value: unknown, open: boolean, named: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => close(item, open, named));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (byName.has(key) && isObject(inner)) {
      return [
        key,
        Object.fromEntries(
          Object.entries(inner).map(([name, schema]) => [name, close(schema, false, named)]),
        ),
      ];
    }
    return [key, close(inner, together.has(key), named)];
  });
  const closed: Json = Object.fromEntries(entries);
  return open || !isClosable(closed, named) ? closed : { ...closed, unevaluatedProperties: false };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a schema describes an object or refers to one that does. */
function isClosable(schema: Json, named: ReadonlySet<string>): boolean {
  if (schema.additionalProperties !== undefined || schema.propertyNames !== undefined) return false;
  if (typeof schema.$ref === "string" && named.has(schema.$ref)) return false;
  const refersToSchema = typeof schema.$ref === "string" && schema.$ref.startsWith(componentPrefix);
  return refersToSchema || isObject(schema.properties) || Array.isArray(schema.allOf);
}
