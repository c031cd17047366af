import { Ajv2020 } from "ajv/dist/2020.js";
import { type AnswerSample, chosenSample, everyAnswer } from "./answer-sample.ts";
import { createResponseFinder, type Documented, json } from "./documented-response.ts";
import { processValidators, type SchemaValidators } from "./schema-validators.ts";

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
