import { OpenAPIHono, type RouteConfig } from "@hono/zod-openapi";
import { createError, createFault, type ErrorCode, faultsMax, throwFaults } from "@rowhouse/errors";
import { findExcess, roundNumbers } from "@rowhouse/wire";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import { completeAnswers } from "../answer/complete-answers.ts";
import { standardHeaders } from "../answer/respond.ts";
import type { ServiceEnvironment } from "../request/edge-context.ts";
import { isExactBody } from "../request/exact-body.ts";
import { parseJson } from "../request/parse-json.ts";
import { parseQueryStrict, type QueryShape } from "../request/parse-query-strict.ts";
import { rawPath } from "../request/raw-path.ts";
import { readJsonBodyText, readOptionalJsonText } from "../request/read-body.ts";
import { faultsOf, toPointer } from "../request/zod-faults.ts";

/** A router whose routes are declared with their schemas. */
export type ApiRouter = OpenAPIHono<ServiceEnvironment>;

export interface ApiRouterOptions {
  /** The size limit of a body; called on each request because it is a setting. */
  readonly bodyBytesMax: () => number | Promise<number>;
  /** Error codes of the middleware before the routes; documented with each route. */
  readonly refusals?: readonly ErrorCode[];
  /** Fields, by the paths of their routes, that accept any text, even text that PostgreSQL cannot store. */
  readonly anyTextIn?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Creates a router for routes declared with `createRoute`. Each route accepts exactly what it declares: a body is read
 * by `readJsonBody`, a query may have declared parameters only, and every fault of a value is reported with its path.
 * Responses of `c.json` have the standard headers.
 *
 * Declare bodies as `z.strictObject`, so that unknown fields are rejected.
 */
export function createApiRouter(options: ApiRouterOptions): ApiRouter {
  // Global, because the validators of the routes accept no messages of their own.
  z.config({ customError: zodMessage });
  const router: ApiRouter = new OpenAPIHono<ServiceEnvironment>({
    getPath: rawPath,
    defaultHook: (result) => {
      if (!result.success) refuse(result.target, result.error.issues);
    },
  });
  const declare = router.openapi;
  router.openapi = ((route: RouteConfig, ...rest: [never]) => {
    const { body } = route.request ?? {};
    const content = body?.content["application/json"];
    const schema = content !== undefined && "schema" in content ? content.schema : undefined;
    const strict = [
      guardQuery(route),
      ...(body === undefined
        ? []
        : [guardBody(options, route.path, schema, body.required === true)]),
    ];
    const own = route.middleware === undefined ? [] : [route.middleware].flat();
    const responses = completeAnswers(route, options.refusals ?? []);
    return declare({ ...route, responses, middleware: [...own, setHeaders, ...strict] }, ...rest);
  }) as typeof declare;
  return router;
}

const setHeaders: MiddlewareHandler<ServiceEnvironment> = async (c, next) => {
  for (const [name, value] of Object.entries(standardHeaders(c.env.edge.requestId))) {
    c.header(name, value);
  }
  await next();
};

/**
 * @param schema the schema that the subsequent validators apply to the body
 * @param isRequired whether a request without a body is rejected; otherwise its body is `{}`
 */
function guardBody(
  options: ApiRouterOptions,
  path: string,
  schema: unknown,
  isRequired: boolean,
): MiddlewareHandler<ServiceEnvironment> {
  const anyTextIn = options.anyTextIn?.[path] ?? [];
  return async (c, next) => {
    const read = isRequired ? readJsonBodyText : readOptionalJsonText;
    const text = await read(c.req.raw, { bytesMax: await options.bodyBytesMax() });
    const value = parseJson(text, { anyTextIn });
    if (schema instanceof z.ZodType) {
      throwFaults(
        findExcess(schema, value, faultsMax).map(({ path, message }) =>
          createFault("BODY_INVALID", { message, path: toPointer(path) }),
        ),
      );
    }
    // The validator of the body calls `json`, and `arrayBuffer` of a request without a type, which has no body by now; the
    // stream of the request can be read only once.
    const body = schema instanceof z.ZodType && isExactBody(schema) ? value : roundNumbers(value);
    Object.assign(c.req, {
      json: () => Promise.resolve(body),
      arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
    });
    await next();
  };
}

function guardQuery(route: RouteConfig): MiddlewareHandler<ServiceEnvironment> {
  const shape = queryShapeOf(route.request?.query);
  return async (c, next) => {
    parseQueryStrict(c.req.url, shape);
    await next();
  };
}

function queryShapeOf(schema: z.ZodType | undefined): QueryShape {
  if (!(schema instanceof z.ZodObject)) return {};
  const names = Object.keys(schema.shape);
  const takesList = (name: string) =>
    schema
      .safeParse({ [name]: ["a", "b"] })
      .error?.issues.some(
        (issue) =>
          issue.path.length === 1 && issue.path[0] === name && issue.code === "invalid_type",
      ) !== true;
  const repeated = names.filter(takesList);
  return { single: names.filter((name) => !repeated.includes(name)), repeated };
}

function refuse(target: string, issues: readonly z.core.$ZodIssue[]): void {
  // A malformed id is treated as an unknown id.
  if (target === "param") throw createError("NOT_FOUND");
  if (target === "json") throwFaults(faultsOf(issues, "BODY_INVALID", toPointer));
  throwFaults(faultsOf(issues, "QUERY_INVALID", (keys) => keys.map(String).join(".")));
}

const kinds: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  null: "null",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

/**
 * Messages of schemas without their own: they name the missing field or the accepted values. Zod's defaults name types of
 * JavaScript ("expected string, received undefined").
 *
 * @returns undefined for issues whose default message is clear
 */
const zodMessage: z.core.$ZodErrorMap = (issue) => {
  const { code, input, path } = issue;
  if (input === undefined && isAboutPresence(code)) {
    const name = path?.at(-1);
    return typeof name === "string" ? `${name} is required` : "A value is required";
  }
  switch (code) {
    case "invalid_type": {
      const kind = kinds[issue.expected];
      return kind === undefined ? undefined : `Must be ${kind}`;
    }
    case "invalid_value":
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return boundMessage(issue.origin, issue.inclusive ? "at least" : "more than", issue.minimum);
    case "too_big":
      return boundMessage(issue.origin, issue.inclusive ? "at most" : "less than", issue.maximum);
    default:
      return undefined;
  }
};

function isAboutPresence(code: string | undefined): boolean {
  return code === "invalid_type" || code === "invalid_value" || code === "invalid_union";
}

function boundMessage(origin: string, relation: string, bound: number | bigint): string {
  switch (origin) {
    case "string":
      return `Must have ${relation} ${counted(bound, "character")}`;
    case "array":
    case "set":
      return `Must have ${relation} ${counted(bound, "item")}`;
    case "object":
    case "map":
      return `Must have ${relation} ${counted(bound, "key")}`;
    default:
      return `Must be ${relation} ${bound}`;
  }
}

function counted(count: number | bigint, unit: string): string {
  return `${count} ${unit}${Number(count) === 1 ? "" : "s"}`;
}
