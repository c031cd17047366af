import type { OpenAPIHono } from "@hono/zod-openapi";
import { errorSchemas, headerComponents, referToError, requestIdHeader } from "@rowhouse/errors";
import type { ServiceEnvironment } from "../request/edge-context.ts";
import { declaredCodes } from "./complete-answers.ts";

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  /** The common prefix of all paths; the rest of a path names operations and tags. */
  readonly prefix: string;
  /** The bearer credentials of these routes, by the name of their security scheme. */
  readonly credentials: Readonly<Record<string, { format: string; description: string }>>;
  /** Whether the document has other media types than JSON, and operations without JSON; see `jsonAlone`. */
  readonly exports: boolean;
  /** The credential of routes that respond `SESSION_REQUIRED` to all other credentials. */
  readonly sessionCredential?: string;
}

/** An OpenAPI document as plain JSON. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** Relative to the document's own URL. */
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation from the generator of the routes. */
interface Operation {
  operationId?: string;
  tags?: string[];
  security?: object[];
  requestBody?: { readonly content: Content };
  responses: Record<string, Answer>;
  /** The protocol of an operation that is used by programs of that protocol, not by clients of this document. */
  "x-protocol"?: string;
}

interface Answer {
  readonly headers?: object;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

/** A part of a document, generated from routes or from rows. */
export type DocumentPart = Pick<OpenApiDocument, "tags" | "paths" | "components">;

/**
 * Generates the OpenAPI 3.1 document of an app from its declared routes. Adds names of operations, tags, error
 * responses and headers.
 *
 * @param more parts of the document that are not such routes
 */
export function openApiDocument(
  app: OpenAPIHono<ServiceEnvironment>,
  options: DocumentOptions,
  ...more: readonly DocumentPart[]
): OpenApiDocument {
  return composeDocument(options, describeRoutes(app, options), ...more);
}

/** Composes a document from parts, with their error responses and schemas. */
export function composeDocument(
  {
    title,
    description,
    credentials,
  }: Pick<DocumentOptions, "title" | "description" | "credentials">,
  ...parts: readonly DocumentPart[]
): OpenApiDocument {
  const all = (name: string) =>
    Object.assign({}, ...parts.map(({ components }) => components[name] ?? {}));
  const isEmpty = parts.every(({ paths }) => Object.keys(paths).length === 0);
  return {
    openapi: "3.1.0",
    info: { title, version: "1", description },
    servers: [{ url: "/" }],
    tags: parts.flatMap(({ tags }) => tags),
    security: Object.keys(credentials).map((name) => ({ [name]: [] })),
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    components: {
      schemas: { ...all("schemas"), ...(isEmpty ? {} : errorSchemas) },
      parameters: all("parameters"),
      responses: all("responses"),
      headers: isEmpty ? {} : headerComponents,
      securitySchemes: bearerSchemes(credentials),
    },
  };
}

/** The described routes of each app, by prefix and media types: an app has all its routes before it serves the first document. */
const described = new WeakMap<object, Map<string, DocumentPart>>();

function describeRoutes(
  app: OpenAPIHono<ServiceEnvironment>,
  options: DocumentOptions,
): DocumentPart {
  const parts = described.get(app) ?? new Map<string, DocumentPart>();
  described.set(app, parts);
  const key = `${options.prefix} ${options.exports}`;
  const part = parts.get(key) ?? describeNow(app, options);
  parts.set(key, part);
  return part;
}

function describeNow(app: OpenAPIHono<ServiceEnvironment>, options: DocumentOptions): DocumentPart {
  const { prefix, exports } = options;
  const raw = app.getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  const responses: Record<string, unknown> = {};
  const tags = new Map<string, string>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, item] of Object.entries(raw.paths ?? {})) {
    // An app may serve several APIs, each with its own document.
    if (!path.startsWith(`${prefix}/`)) continue;
    const described: Record<string, unknown> = {};
    for (const [method, declared] of Object.entries(item as Record<string, Operation>)) {
      const operation = exports ? declared : jsonAlone(declared);
      if (operation === undefined) continue;
      const finished = finish(operation, method, path.slice(prefix.length), options, responses);
      const root = path.split("/", prefix.split("/").length + 1).join("/");
      for (const tag of finished.tags ?? []) tags.set(tag, tags.get(tag) ?? root);
      described[method] = finished;
    }
    if (Object.keys(described).length > 0) paths[path] = described;
  }
  return {
    tags: Array.from(tags, ([name, root]) => ({ name, description: `\`${root}\`` })),
    paths,
    components: {
      schemas: namedIn([paths, responses], raw.components?.schemas ?? {}),
      responses,
    },
  };
}

/**
 * Returns an operation with JSON as the only media type; undefined if it has only others. A generated client that has a
 * choice may send or expect one that its program does not.
 */
function jsonAlone(operation: Operation): Operation | undefined {
  const { requestBody, responses } = operation;
  const sent = requestBody === undefined ? undefined : jsonOf(requestBody.content);
  const answers = Object.entries(responses).map(
    ([status, { content, ...answer }]): [string, Answer] => {
      const json = content === undefined ? undefined : jsonOf(content);
      return [status, json === undefined ? answer : { ...answer, content: json }];
    },
  );
  const isLost = Object.entries(responses).some(
    ([status, { content }]) =>
      status.startsWith("2") && content !== undefined && jsonOf(content) === undefined,
  );
  if ((requestBody !== undefined && sent === undefined) || isLost) return undefined;
  if (operation["x-protocol"] !== undefined) return undefined;
  return {
    ...operation,
    ...(sent === undefined ? {} : { requestBody: { ...requestBody, content: sent } }),
    responses: Object.fromEntries(answers),
  };
}

function jsonOf({ [json]: media }: Content): Content | undefined {
  return media === undefined ? undefined : { [json]: media };
}

const json = "application/json";

/** Returns the schemas that the parts of a document reference, directly or through other schemas. */
function namedIn(parts: unknown, schemas: object): Record<string, unknown> {
  const all = schemas as Readonly<Record<string, unknown>>;
  const named: Record<string, unknown> = {};
  const seek = (part: unknown): void => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      if (name in named || !(name in all)) continue;
      named[name] = all[name];
      seek(all[name]);
    }
  };
  seek(parts);
  return named;
}

function bearerSchemes(credentials: DocumentOptions["credentials"]): Record<string, object> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, { format, description }]) => [
      name,
      { type: "http", scheme: "bearer", bearerFormat: format, description },
    ]),
  );
}

function finish(
  operation: Operation,
  method: string,
  path: string,
  { sessionCredential }: DocumentOptions,
  responses: Record<string, unknown>,
): Operation {
  const answers = Object.entries(operation.responses);
  const codes = answers.flatMap(([, answer]) => declaredCodes(answer));
  const needsSession = sessionCredential !== undefined && codes.includes("SESSION_REQUIRED");
  const name = operationName({
    method,
    path,
    creates: "201" in operation.responses,
    lists: answersList(operation.responses["200"]),
  });
  return {
    operationId: name,
    tags: [tagOf(path)],
    ...(needsSession ? { security: [{ [sessionCredential]: [] }] } : {}),
    ...operation,
    responses: Object.fromEntries(
      answers.map(([status, answer]) => [status, finishAnswer(answer, responses)]),
    ),
  };
}

function finishAnswer(answer: Answer, responses: Record<string, unknown>): Answer | object {
  const codes = declaredCodes(answer);
  if (codes.length === 0) return { ...answer, headers: { ...answer.headers, ...requestIdHeader } };
  return referToError(codes, responses);
}

/** Whether a response's `data` is a list. */
function answersList(answer: Answer | undefined): boolean {
  const schema = answer?.content?.["application/json"]?.schema as
    | { readonly properties?: { readonly data?: { readonly type?: unknown } } }
    | undefined;
  return schema?.properties?.data?.type === "array";
}

/** `/auth-providers/{id}` → `Auth providers`. */
function tagOf(path: string): string {
  const words = (path.split("/")[1] ?? "").replaceAll(/[^A-Za-z0-9]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Input of an operation's name: method, path, and whether it creates or lists something. */
export interface OperationAddress {
  readonly method: string;
  /** Without the common prefix of the document's paths. */
  readonly path: string;
  readonly creates: boolean;
  readonly lists: boolean;
}

const verbs: Readonly<Record<string, string>> = {
  get: "read",
  put: "replace",
  patch: "update",
  delete: "delete",
};

/**
 * Returns a name for an operation that declares none: `listRoles`, `readRole`, `createRoleMember`, `deactivateUser`,
 * `previewSchemaTables`.
 */
function operationName({ method, path, creates, lists }: OperationAddress): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  const words = segments.flatMap((segment, index) => {
    if (segment.startsWith("{")) return [];
    const isOne = segments[index + 1]?.startsWith("{") === true;
    return [isOne ? singular(segment) : segment];
  });
  const last = words.at(-1) ?? "";
  if (method === "post" && !creates && words.length > 1) {
    return camel([last, ...words.slice(0, -1)]);
  }
  if (creates) return camel(["create", ...words.slice(0, -1), singular(last)]);
  return camel([lists && method === "get" ? "list" : (verbs[method] ?? method), ...words]);
}

function singular(word: string): string {
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function camel(words: readonly string[]): string {
  return words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .filter((word) => word !== "")
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}
