import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** Returns the faults of a value as `/path message`; an empty list if it fits the schema. */
export type SchemaCheck = (value: unknown) => string[];

/**
 * Compiles a JSON Schema (draft 2020-12). Keywords that begin with `x-` are annotations.
 *
 * @throws Error for an invalid schema, or one with an unknown keyword
 */
export function createSchemaCheck(schema: object): SchemaCheck {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  formats.default(ajv);
  ajv.addVocabulary(["x-control", "x-section", "x-group"]);
  const check = ajv.compile(schema);
  return (value) =>
    check(value)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
