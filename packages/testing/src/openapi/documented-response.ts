import { createSchemaReader, type Json, type OwnSchema } from "./own-schemas.ts";

/** What of a response decides which response of a document it must match. */
interface Sent {
  readonly method: string;
  /** The path as sent; the query is ignored. */
  readonly path: string;
  readonly status: number;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>;
}

/** A response of the document that a response of the service must match. */
export interface Documented {
  /** Method, template of the path, status, and the id of its schema. */
  readonly kind: string;
  /** Media types; empty for a response without a body. */
  readonly types: readonly string[];
  /** Of a JSON body. */
  readonly schema: OwnSchema | undefined;
}

/** Statuses of an unknown path or method; some are returned before the path is resolved. */
const unrouted: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 429, 500, 503]);

export const json = "application/json";

/**
 * Creates a function that finds the response of an OpenAPI document which a response of the service must match. It
 * returns a text that names the fault of an unknown path, method or status, and undefined for a response that a service
 * may return on any path.
 */
export function createResponseFinder(
  document: object,
): (sent: Sent) => Documented | string | undefined {
  const { paths, components = {} } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components?: {
      readonly responses?: Readonly<Record<string, Response>>;
      readonly schemas?: Readonly<Record<string, Json>>;
    };
  };
  const readSchema = createSchemaReader(components.schemas ?? {});
  const templates = Object.keys(paths)
    .map((path) => ({ path, form: formOf(path) }))
    // A path without parameters takes precedence over a template that also matches.
    .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
  const documented = new Map<string, Documented>();

  return ({ method, path, status }) => {
    const [route = ""] = path.split("?");
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const template = templates.find(
      (candidate) => candidate.form.test(route) && verb in (paths[candidate.path] ?? {}),
    );
    if (template === undefined) {
      return unrouted.has(status) ? undefined : "is not an operation of the document";
    }
    const operation = `${verb} ${template.path} ${status}`;
    const known = documented.get(operation);
    if (known !== undefined) return known;
    const written = paths[template.path]?.[verb]?.responses[status];
    if (written === undefined) return "is a status that the operation does not have";
    const { content = {} } =
      ("$ref" in written ? components.responses?.[lastPart(written.$ref)] : written) ?? {};
    const own = content[json]?.schema;
    const schema = own === undefined ? undefined : readSchema(own);
    const kind = `${operation} ${schema?.id}`;
    const found = { kind, types: Object.keys(content), schema };
    documented.set(operation, found);
    return found;
  };
}

function formOf(path: string): RegExp {
  const parts = path
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

function lastPart(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf("/") + 1);
}
