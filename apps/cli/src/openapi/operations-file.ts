import {
  type Document,
  indentLines,
  memberText,
  type OperationObject,
  objectType,
  parametersIn,
  type Schema,
  schemaType,
} from "@rowhouse/client/openapi";

/** What the file of an API is named, and which operations it has. */
export type OperationsFile = {
  /** Name of the exported interface. */
  readonly name: string;
  /** The part that all paths begin with; the keys omit it. */
  readonly prefix: string;
  /** Paths of the operations that the file has. */
  readonly includes: (path: string) => boolean;
};

/**
 * Returns a TypeScript file with the operations of a document by method and path, and with the components that they
 * refer to. Operations without JSON are omitted, and so are descriptions, because they change more often than types.
 */
export function operationsFile(document: Document, file: OperationsFile): string {
  const used = new Set<string>();
  const nameOf = (component: string): string => {
    used.add(component);
    return component;
  };
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(file.prefix) && file.includes(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const type = operationType(document, operation, nameOf);
        const key = `${method.toUpperCase()} ${path.slice(file.prefix.length)}`;
        return type === null ? [] : [`${JSON.stringify(key)}: ${type};\n`];
      }),
    );
  const components = componentTypes(document, used, nameOf);
  const lines = [
    "// Generated from the service's OpenAPI document by `npm run types:client`.\n",
    ...components,
    `/** The operations by method and path. */\nexport interface ${file.name} {\n${operations.join("")}}\n`,
  ].join("\n");
  return indentLines(lines);
}

function componentTypes(
  document: Document,
  used: Set<string>,
  nameOf: (component: string) => string,
): string[] {
  const written = new Map<string, string>();
  // A component may use further ones, which a Set yields while it grows.
  for (const name of used) {
    const schema = document.components.schemas[name] ?? {};
    const type = schemaType(schema, nameOf);
    written.set(name, `export type ${name} = ${type};\n`);
  }
  return [...written.keys()].sort().map((name) => written.get(name) ?? "");
}

function operationType(
  document: Document,
  operation: OperationObject,
  nameOf: (component: string) => string,
): string | null {
  const answer = answerType(operation, nameOf);
  if (answer === null) return null;
  const [path, query] = (["path", "query"] as const).map((place) => {
    const parameters = parametersIn(document, operation, place);
    if (parameters.length === 0) return "null";
    const members = parameters.map(({ name, required, schema }) =>
      memberText(name, schemaType(schema ?? {}, nameOf), required === true),
    );
    return `{\n${members.join("")}}`;
  });
  const members = [`path: ${path}`, `query: ${query}`, bodyMember(operation, nameOf)];
  return `{\n${members.join(";\n")};\nanswer: ${answer};\n${eventsMember(operation, nameOf)}}`;
}

/** Returns the member `events` for the server-sent events of the successful response. */
function eventsMember(
  { responses }: OperationObject,
  nameOf: (component: string) => string,
): string {
  const schema = responses["200"]?.content?.["text/event-stream"]?.schema;
  return schema === undefined ? "" : `events: ${schemaType(schema, nameOf)};\n`;
}

/** Returns the member `data` for a body in the envelope, else `body`. */
function bodyMember(operation: OperationObject, nameOf: (component: string) => string): string {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return "body: null";
  const data = schema.properties?.data;
  return data !== undefined && Object.keys(schema.properties ?? {}).length === 1
    ? `data: ${schemaType(data, nameOf)}`
    : `body: ${schemaType(schema, nameOf)}`;
}

/** Returns the type of the successful responses; null if none of them is JSON or empty. */
function answerType(
  { responses }: OperationObject,
  nameOf: (component: string) => string,
): string | null {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, { content }]): string[] => {
      if (content === undefined) return ["{ data?: never }"];
      const schema: Schema | undefined = content["application/json"]?.schema;
      if (schema === undefined) return [];
      return [
        schema.properties === undefined
          ? schemaType(schema, nameOf)
          : objectType(schema, (each) => schemaType(each, nameOf)),
      ];
    });
  return types.length === 0 ? null : [...new Set(types)].join(" | ");
}
