import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type AnswerSample, chosenSample, everyAnswer } from "./answer-sample.ts";
import { componentPrefix, createSchemaReader, type Json, type OwnSchema } from "./own-schemas.ts";

/** A response with its request. */
export interface CheckedAnswer {
  readonly method: string;
  /** The path as sent; the query is ignored. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Compares responses with a document. */
export interface AnswerCheck {
  /**
   * Compares a response.
   *
   * @throws Error that names the difference between response and document
   */
  check(answer: CheckedAnswer): void;
  /**
   * Compares a response if the sample of this process includes it. One that is no operation of the document, or has
   * another status, is always reported.
   *
   * @throws Error that names the difference between response and document
   */
  checkSampled(answer: CheckedAnswer): void;
}

export interface AnswerCheckOptions {
  /** Whether `format` is enforced; it is not for values of columns, because a date may be `infinity`. */
  readonly formats: boolean;
  /** By default, that of this process. */
  readonly sample?: AnswerSample;
  /** By default, those of this process. */
  readonly validators?: SchemaValidators;
}

/**
 * Creates a check of responses against an OpenAPI document: path, method, status, media type and body. An object may
 * have only the properties that its schema names.
 */
export function createAnswerCheck(document: object, options: AnswerCheckOptions): AnswerCheck {
  const { sample = chosenSample, validators = processValidators } = options;
  const find = createResponseFinder(document);
  const faultOf = (answer: CheckedAnswer, { types, schema }: Documented): string | null => {
    const { method, path, contentType, text } = answer;
    if (types.length === 0) return text === "" ? null : "has a body, and should have none";
    if (method === "HEAD") return null;
    const type = (contentType ?? "").split(";", 1)[0] ?? "";
    if (!types.includes(type)) return `has the type ${type}, and should have ${types.join(" or ")}`;
    if (type !== json) return null;
    if (schema === undefined) return "has a body, for which the document has no schema";
    const validate = validators.validatorOf(schema, {
      formats: options.formats,
      takesNames: namesMembers(path),
    });
    if (validate(JSON.parse(text))) return null;
    return `does not match its schema: ${texts.errorsText(validate.errors, { dataVar: "body" })}`;
  };
  const compare = (answer: CheckedAnswer, chosen: AnswerSample): void => {
    const found = find(answer);
    if (found === undefined) return;
    if (typeof found === "string") throw faultError(answer, found);
    if (!chosen.includes(`${found.kind} ${namesMembers(answer.path)}`)) return;
    const fault = faultOf(answer, found);
    if (fault !== null) throw faultError(answer, fault);
  };
  return {
    check: (answer) => compare(answer, everyAnswer),
    checkSampled: (answer) => compare(answer, sample),
  };
}

function faultError({ method, path, status, text }: CheckedAnswer, fault: string): Error {
  return new Error(
    `The response ${status} to ${method} ${path} ${fault}.\nCorrect the route or its declaration (errorAnswers, its schemas).\nThe response was: ${text.slice(0, 2000)}`,
  );
}

const texts = new Ajv2020();

/** Whether a request chooses names of members: by an alias, an aggregate or a group. Its body is unknown here. */
function namesMembers(path: string): boolean {
  const [route = "", ...query] = path.split("?");
  return route.endsWith("/query") || /:|%3a|aggregate|group_by/i.test(query.join());
}

/** How values are compared with a schema. */
export interface ValidatorOptions {
  /** Whether `format` is enforced. */
  readonly formats: boolean;
  /** Whether `propertyNames` permit further properties. */
  readonly takesNames: boolean;
}

/** Compiled validators of closed schemas. */
interface SchemaValidators {
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
const processValidators = createSchemaValidators();

/** Keywords that combine several schemas for one value, so that none of them alone may close the object. */
const together: ReadonlySet<string> = new Set(["allOf"]);
/** Keywords whose members are schemas by name. */
const byName: ReadonlySet<string> = new Set(["properties", "patternProperties"]);

/** A schema and the components that it reaches. */
type Schemas = Pick<OwnSchema, "schema" | "components">;

/**
 * Returns schemas in which each object permits only its named properties. OpenAPI leaves objects open; a test treats an
 * undocumented field of a response as a fault.
 *
 * @param takesNames whether `propertyNames` permit further properties: the request may have chosen names
 */
function closeSchemas({ schema, components }: Schemas, takesNames: boolean): Schemas {
  // A schema that already restricts the names of its properties.
  const named = new Set(
    Object.entries(components)
      .filter(([, { propertyNames }]) => takesNames && propertyNames !== undefined)
      .map(([name]) => `${componentPrefix}${name}`),
  );
  return {
    schema: close(schema, false, named) as Json,
    // A component is closed at its reference, unless that reference is combined with other schemas.
    components: Object.fromEntries(
      Object.entries(components).map(([name, component]) => [
        name,
        close(component, true, named) as Json,
      ]),
    ),
  };
}

function close(value: unknown, open: boolean, named: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => close(item, open, named));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (byName.has(key) && isObject(inner)) {
      return [
        key,
        Object.fromEntries(
          Object.entries(inner).map(([name, schema]) => [name, close(schema, false, named)]),
        ),
      ];
    }
    return [key, close(inner, together.has(key), named)];
  });
  const closed: Json = Object.fromEntries(entries);
  return open || !isClosable(closed, named) ? closed : { ...closed, unevaluatedProperties: false };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns whether a schema describes an object or refers to one that does. */
function isClosable(schema: Json, named: ReadonlySet<string>): boolean {
  if (schema.additionalProperties !== undefined || schema.propertyNames !== undefined) return false;
  if (typeof schema.$ref === "string" && named.has(schema.$ref)) return false;
  const refersToSchema = typeof schema.$ref === "string" && schema.$ref.startsWith(componentPrefix);
  return refersToSchema || isObject(schema.properties) || Array.isArray(schema.allOf);
}

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
interface Documented {
  /** Method, template of the path, status, and the id of its schema. */
  readonly kind: string;
  /** Media types; empty for a response without a body. */
  readonly types: readonly string[];
  /** Of a JSON body. */
  readonly schema: OwnSchema | undefined;
}

/** Statuses of an unknown path or method; some are returned before the path is resolved. */
const unrouted: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 429, 500, 503]);

const json = "application/json";

/**
 * Creates a function that finds the response of an OpenAPI document which a response of the service must match. It
 * returns a text that names the fault of an unknown path, method or status, and undefined for a response that a service
 * may return on any path.
 */
function createResponseFinder(document: object): (sent: Sent) => Documented | string | undefined {
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
