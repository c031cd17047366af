import {
  type Document,
  type OperationObject,
  type Parameter,
  parametersIn,
  type Schema,
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
