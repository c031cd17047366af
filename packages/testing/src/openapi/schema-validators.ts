import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { closeSchemas } from "./close-schemas.ts";
import type { OwnSchema } from "./own-schemas.ts";

/** How values are compared with a schema. */
export interface ValidatorOptions {
  /** Whether `format` is enforced. */
  readonly formats: boolean;
  /** Whether `propertyNames` permit further properties. */
  readonly takesNames: boolean;
}

/** Compiled validators of closed schemas. */
export interface SchemaValidators {
  /** Returns the validator of a schema; the same one for each schema with the same text. */
  validatorOf(schema: OwnSchema, options: ValidatorOptions): ValidateFunction;
  /** The number of schemas compiled so far. */
  readonly compiled: number;
}

/** Creates an empty store of validators. */
export function createSchemaValidators(): SchemaValidators {
  const validators = new Map<string, ValidateFunction>();
  const compilers = new Map<boolean, Ajv2020>();
  const compilerOf = (areChecked: boolean): Ajv2020 => {
    const known = compilers.get(areChecked);
    if (known !== undefined) return known;
    const created = new Ajv2020({
      strict: false,
      allErrors: true,
      validateSchema: false,
      validateFormats: areChecked,
      logger: false,
    });
    if (areChecked) formats.default(created);
    compilers.set(areChecked, created);
    return created;
  };
  return {
    validatorOf: (own, options) => {
      const { formats: areChecked, takesNames } = options;
      const key = `${own.id} ${areChecked} ${takesNames}`;
      const known = validators.get(key);
      if (known !== undefined) return known;
      const { schema, components } = closeSchemas(own, takesNames);
      const validator = compilerOf(areChecked).compile({
        $ref: "#/answer",
        unevaluatedProperties: false,
        answer: schema,
        components: { schemas: components },
      });
      validators.set(key, validator);
      return validator;
    },
    get compiled() {
      return validators.size;
    },
  };
}

/** The validators of this process, which all its test files share. */
export const processValidators = createSchemaValidators();
