import { writeJson } from "@rowhouse/client";
import { type Document, parametersIn } from "@rowhouse/client/openapi";
import { bodyOf, type Operation, rowCall, sampleOf } from "./operations.ts";

/** What the snippets of an operation fill in. */
export interface SnippetValues {
  /** Values of the path; a missing one stays its name. */
  readonly path: Readonly<Record<string, string>>;
  /** The secret of a token; without one the snippets name a variable. */
  readonly secret: string | undefined;
}

/** Returns the path with its values. */
function filledPath(path: string, values: SnippetValues["path"]): string {
  return path.replaceAll(/\{(\w+)\}/g, (braces, name: string) => {
    const value = values[name];
    return value === undefined ? braces : encodeURIComponent(value);
  });
}

/** Returns the parameters that the request must have. */
function requiredQuery(document: Document, { object }: Operation): string {
  const parameters = parametersIn(document, object, "query").filter(({ required }) => required);
  const query = parameters.map(({ name, schema = {} }) => {
    const sample = sampleOf(document, schema);
    return `${name}=${encodeURIComponent(typeof sample === "string" ? sample : writeJson(sample))}`;
  });
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

/** Returns a body that the operation takes; undefined if it takes none. */
export function sampleBody(document: Document, operation: Operation): unknown {
  const schema = bodyOf(operation);
  return schema === undefined ? undefined : sampleOf(document, schema);
}

/** Returns a text in single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the command that sends the request. */
export function curlOf(document: Document, operation: Operation, values: SnippetValues): string {
  const { method, path } = operation;
  const body = sampleBody(document, operation);
  const secret = values.secret ?? "$TOKEN";
  const url = location.origin + filledPath(path, values.path) + requiredQuery(document, operation);
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    `-H "Authorization: Bearer ${secret}"`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(writeJson(body))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Returns the program that sends the request by `@rowhouse/client`; undefined for a request that it has no call for. */
export function clientOf(
  document: Document,
  operation: Operation,
  values: SnippetValues,
): string | undefined {
  const body = sampleBody(document, operation);
  const call = areaCall(operation, values.path, body) ?? rowCall(operation, values.path, body);
  if (call === undefined) return undefined;
  const token = values.secret === undefined ? "process.env.TOKEN" : JSON.stringify(values.secret);
  return [
    'import { createClient } from "@rowhouse/client";',
    "",
    `const client = createClient({ url: ${JSON.stringify(location.origin)}, token: ${token} });`,
    `const answer = await ${call};`,
  ].join("\n");
}

/** The areas of the client by the beginning of their paths. */
const areas = [
  ["admin", /^\/admin\/api(?=\/)/],
  ["app", /^\/app\/api(?=\/)/],
  ["api", /^\/api(?=\/(?:auth|workflows)\/|\/openapi$)/],
] as const;

function areaCall(
  { method, path }: Operation,
  values: SnippetValues["path"],
  body: unknown,
): string | undefined {
  const [area, prefix] = areas.find(([, one]) => one.test(path)) ?? [];
  if (area === undefined || prefix === undefined) return undefined;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const options = {
    ...(names.length === 0
      ? {}
      : { path: Object.fromEntries(names.map((name) => [name, values[name] ?? name])) }),
    ...(body === undefined ? {} : isEnveloped(body) ? body : { body }),
  };
  const given = Object.keys(options).length === 0 ? "" : `, ${writeJson(options)}`;
  return `client.${area}.${method.toLowerCase()}(${JSON.stringify(path.replace(prefix, ""))}${given})`;
}

/** Whether a body is `{ "data": … }`, which the client writes itself. */
function isEnveloped(body: unknown): body is { readonly data: unknown } {
  return typeof body === "object" && body !== null && Object.keys(body).join() === "data";
}
