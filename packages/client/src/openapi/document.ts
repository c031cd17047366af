/** A JSON Schema as the service's documents use it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly "x-hidden-in-some-rows"?: boolean;
  /** The schemas of the values of a composite key. */
  readonly "x-values"?: readonly Schema[];
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
};

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export type OperationObject = {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
};

/** The part of an OpenAPI 3.1 document that types derive from. */
export type Document = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
};

/** Returns the last part of a reference: `#/components/schemas/Role` → `Role`. */
export function referenceName(reference: string): string {
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns the parameters of an operation at one place, with their references resolved. */
export function parametersIn(
  document: Document,
  operation: OperationObject,
  place: "path" | "query",
): Parameter[] {
  return (operation.parameters ?? [])
    .map((each) =>
      "$ref" in each ? document.components.parameters?.[referenceName(each.$ref)] : each,
    )
    .filter((each) => each !== undefined)
    .filter((each) => each.in === place);
}
