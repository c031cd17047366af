import { escapePointer } from "@rowhouse/errors";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { closeSchemas } from "./close-schemas.ts";

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
  /** @throws Error that names the difference between response and document */
  check(answer: CheckedAnswer): void;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
}

export interface AnswerCheckOptions {
  /** Whether `format` is enforced; it is not for values of columns, because a date may be `infinity`. */
  readonly formats: boolean;
}

/** Statuses of an unknown path or method; some are returned before the path is resolved. */
const unrouted: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 429, 500, 503]);

/**
 * Creates a check of responses against an OpenAPI document: path, method, status, media type and body. An object may
 * have only the properties that its schema names.
 */
export function createAnswerCheck(document: object, options: AnswerCheckOptions): AnswerCheck {
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components?: { readonly responses?: Readonly<Record<string, Response>> };
  };
  const plain = schemaValidators(() => closeSchemas(document, false), options);
  const named = schemaValidators(() => closeSchemas(document, true), options);
  const templates = Object.keys(paths)
    .map((path) => ({ path, form: formOf(path) }))
    // A path without parameters takes precedence over a template that also matches.
    .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));

  const faultOf = ({ method, path, status, contentType, text }: CheckedAnswer): string | null => {
    const [route = "", ...query] = path.split("?");
    const found = templates.filter(({ form }) => form.test(route));
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const template = found.find((candidate) => verb in (paths[candidate.path] ?? {}));
    if (template === undefined) {
      return unrouted.has(status) ? null : "is not an operation of the document";
    }
    const responses = paths[template.path]?.[verb]?.responses ?? {};
    const written = responses[status];
    if (written === undefined) return "is a status that the operation does not have";
    const base =
      "$ref" in written
        ? written.$ref.slice(1)
        : `/paths/${pointerPart(template.path)}/${verb}/responses/${status}`;
    const response =
      "$ref" in written ? components?.responses?.[written.$ref.split("/").at(-1) ?? ""] : written;
    const types = Object.keys(response?.content ?? {});
    if (types.length === 0) return text === "" ? null : "has a body, and should have none";
    if (method === "HEAD") return null;
    const type = (contentType ?? "").split(";", 1)[0] ?? "";
    if (!types.includes(type)) return `has the type ${type}, and should have ${types.join(" or ")}`;
    if (type !== "application/json") return null;
    const validatorOf = namesMembers(route, query.join()) ? named : plain;
    const validate = validatorOf(`${base}/content/${pointerPart(type)}/schema`);
    if (validate(JSON.parse(text))) return null;
    return `does not match its schema: ${texts.errorsText(validate.errors, { dataVar: "body" })}`;
  };
  return {
    check: (answer) => {
      const fault = faultOf(answer);
      if (fault === null) return;
      const { method, path, status, text } = answer;
      throw new Error(
        `The response ${status} to ${method} ${path} ${fault}.\nCorrect the route or its declaration (errorAnswers, its schemas).\nThe response was: ${text.slice(0, 2000)}`,
      );
    },
  };
}

const texts = new Ajv2020();

/** Returns the validator of the schema at a pointer. */
type Validators = (pointer: string) => ValidateFunction;

function schemaValidators(
  closed: () => object,
  { formats: areChecked }: AnswerCheckOptions,
): Validators {
  let ajv: Ajv2020 | undefined;
  const validators = new Map<string, ValidateFunction>();
  return (pointer) => {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    if (ajv === undefined) {
      ajv = new Ajv2020({
        strict: false,
        allErrors: true,
        validateSchema: false,
        validateFormats: areChecked,
        logger: false,
      });
      if (areChecked) formats.default(ajv);
      ajv.addSchema(closed(), "document");
    }
    const made = ajv.compile({ $ref: `document#${pointer}`, unevaluatedProperties: false });
    validators.set(pointer, made);
    return made;
  };
}

/** Whether a request chooses names of members: by an alias, an aggregate or a group. Its body is unknown here. */
function namesMembers(route: string, query: string): boolean {
  return route.endsWith("/query") || /:|%3a|aggregate|group_by/i.test(query);
}

function formOf(path: string): RegExp {
  const parts = path
    .split(/\{[^}]*\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

function pointerPart(segment: string): string {
  return encodeURIComponent(escapePointer(segment));
}
