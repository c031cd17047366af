import { writeJson } from "@rowhouse/client";
import type { Operation } from "./operations.ts";

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
