import { writeJson } from "@rowhouse/client";
import {
  type Document,
  indentLines,
  type OperationObject,
  type Parameter,
  parametersIn,
  referenceName,
  type Schema,
  schemaType,
} from "@rowhouse/client/openapi";

/** An operation of a document. */
export interface Operation {
  /** `GET /admin/api/roles`. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly object: OperationObject;
}

/** The operations of a resource. */
interface OperationGroup {
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** Returns the operations of a document by their resource, in its order: those that contain every word of a search. */
export function groupsOf(document: Document, search: string): readonly OperationGroup[] {
  const words = search.toLowerCase().split(/\s+/);
  const groups = new Map<string, Operation[]>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [name, object] of Object.entries(item)) {
      const method = name.toUpperCase();
      const [group = ""] = object.tags ?? [];
      const text = `${method} ${path} ${group} ${object.summary ?? ""}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      const operation = { key: `${method} ${path}`, method, path, object };
      groups.set(group, [...(groups.get(group) ?? []), operation]);
    }
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

/** Returns the parameters of the path and of the query. */
export function parametersOf(document: Document, { object }: Operation): readonly Parameter[] {
  return (["path", "query"] as const).flatMap((place) => parametersIn(document, object, place));
}

/** Returns the schema of the JSON body, if the operation takes one. */
export function bodyOf({ object }: Operation): Schema | undefined {
  return object.requestBody?.content["application/json"]?.schema;
}

/** Returns the status of the successful response, and the schema of its JSON. */
export function answerOf({ object }: Operation): {
  readonly status: string;
  readonly schema: Schema | undefined;
} {
  const [status, answer] =
    Object.entries(object.responses).find(([code]) => code.startsWith("2")) ?? [];
  return { status: status ?? "", schema: answer?.content?.["application/json"]?.schema };
}

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
    return items === undefined ? [] : [sampleOf(document, items, depth + 1)];
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

/** The table or view of a path of the Data API, with the rest of the path. */
const pattern = /^\/api\/([^/]+)\/(table|view)\/([^/]+)(\/.*)?$/;

/** A table or view that an operation is of. */
interface OperatedResource {
  readonly schema: string;
  readonly kind: "table" | "view";
  readonly name: string;
  /** The rest of the path: empty, `/{id}`, `/query`. */
  readonly rest: string;
}

/** Returns the table or view of an operation of the Data API. */
export function resourceOf({ path }: Operation): OperatedResource | undefined {
  const [, schema, kind, name, rest = ""] = pattern.exec(path) ?? [];
  if (schema === undefined || name === undefined) return undefined;
  return {
    schema: decodeURIComponent(schema),
    kind: kind === "view" ? "view" : "table",
    name: decodeURIComponent(name),
    rest,
  };
}

/** Returns the call of `client.from`; undefined for an operation of another kind. */
export function rowCall(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  const resource = resourceOf(operation);
  if (resource === undefined) return undefined;
  const data = writeJson(
    typeof body === "object" && body !== null && "data" in body ? body.data : body,
  );
  const key = JSON.stringify(values.id ?? "id");
  const calls: Readonly<Record<string, string>> = {
    GET: "list({ limit: 10 })",
    POST: `create(${data})`,
    "POST /query": "query({ limit: 10 })",
    "GET /{id}": `get(${key})`,
    "GET /{id}/history": `history(${key})`,
    "PATCH /{id}": `update(${key}, ${data})`,
    "DELETE /{id}": `remove(${key})`,
  };
  const call = calls[`${operation.method} ${resource.rest}`.trim()];
  const { schema, name, kind } = resource;
  return call === undefined
    ? undefined
    : `client.from(${writeJson({ schema, name, kind })}).${call}`;
}
