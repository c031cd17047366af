import { createRoute, z } from "@hono/zod-openapi";
import { createError, type ErrorCode } from "@rowhouse/errors";
import type { Context } from "hono";
import { errorAnswers, mixedErrorAnswers } from "../answer/error-answers.ts";
import type { ServiceEnvironment } from "../request/edge-context.ts";
import { exactBody } from "../request/exact-body.ts";
import type { ApiRouter } from "./api-router.ts";
import {
  dataAnswer,
  exactJson,
  idParams,
  jsonBody,
  listAnswer,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
} from "./route-parts.ts";

/** A validated request. */
export interface RouteCall<At, Query, Data> {
  /** The parameters of the path. */
  readonly at: At;
  readonly query: Query;
  /** The page that a list is asked for. */
  readonly page: ReturnType<typeof pageRequest>;
  /** The `data` of the body, or its fields. */
  readonly data: Data;
  /** The tags of `If-Match`; undefined without the header. */
  readonly ifMatch: readonly string[] | undefined;
  readonly c: Context<ServiceEnvironment>;
}

/** A response of a route, and what its function returns for it. */
interface RouteAnswer<Result> {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  readonly kind: "ONE" | "TAGGED" | "LIST" | "NONE";
  readonly schema: z.ZodType;
  /** Whether its numbers have every digit that was read. */
  readonly exact?: boolean;
  /** Never set. */
  readonly result?: Result;
}

/** `{ "data": … }`. */
export function one<Item extends z.ZodType>(schema: Item, description: string) {
  return { status: 200, kind: "ONE", schema, description } as RouteAnswer<z.input<Item>>;
}

/** A record with its entity tag, without quotes. */
interface Tagged<Item> {
  readonly data: Item;
  readonly tag: string;
}

/** `{ "data": … }` with an `ETag`. */
export function tagged<Item extends z.ZodType>(schema: Item, description: string) {
  return { status: 200, kind: "TAGGED", schema, description } as RouteAnswer<Tagged<z.input<Item>>>;
}

/** `{ "data": … }` of a new record, with the status 201. */
export function created<Item extends z.ZodType>(schema: Item, description: string) {
  return { status: 201, kind: "ONE", schema, description } as RouteAnswer<z.input<Item>>;
}

interface Items<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** `{ "data": [ … ], "meta": { "nextCursor" } }`; the route has the parameters of a list. */
export function list<Item extends z.ZodType>(schema: Item, description: string) {
  return { status: 200, kind: "LIST", schema, description } as RouteAnswer<Items<z.input<Item>>>;
}

/** No body, with the status 204. */
export function none(description: string) {
  return { status: 204, kind: "NONE", schema: z.undefined(), description } as RouteAnswer<unknown>;
}

/** The same response with every digit of its numbers, for a route whose body is read with doubles or that has none. */
export function exact<Result>(answer: RouteAnswer<Result>): RouteAnswer<Result> {
  return { ...answer, exact: true };
}

type Shape = z.ZodObject;

interface RouteDescription<
  At extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Result,
  Caller,
> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly operationId?: string;
  /** True for a route without a credential. */
  readonly open?: boolean;
  /** The parameters of the path; `{id}` by default. */
  readonly params?: At;
  /** The parameters beside those of a list. */
  readonly query?: Query;
  /** False for a list that cannot be searched. */
  readonly search?: false;
  /** The `data` of the body, or its fields. */
  readonly body?: Body;
  /** Whether the numbers of the body, and those of the response, keep every digit. */
  readonly exactBody?: boolean;
  /** What `If-Match` compares. */
  readonly condition?: string;
  /** The errors that do not follow from the declaration. */
  readonly codes?: readonly ErrorCode[];
  /** Whether one response may have faults of several statuses. */
  readonly mixed?: boolean;
  readonly answer: RouteAnswer<Result>;
  readonly run: (
    call: RouteCall<z.output<At>, z.output<Query>, z.output<Body>> & Caller,
  ) => Result | Promise<Result>;
}

const tagCode = "PRECONDITION_FAILED";

/** How the routes of an API read their requests. */
export interface MountOptions<Caller> {
  /** Whether a body is `{ "data": … }`, or an object of fields. */
  readonly body: "DATA" | "FIELDS";
  /** Returns what every call knows of its caller. */
  readonly callerOf: (c: Context<ServiceEnvironment>) => Caller;
  /** Reads the header `If-Match`. @throws AppError for anything but tags */
  readonly readTags: (text: string) => readonly string[];
}

/** Mounts a route, and describes it in the OpenAPI document. */
export type MountRoute<Caller> = <
  Result,
  At extends Shape = typeof idParams,
  Query extends Shape = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
>(
  router: ApiRouter,
  description: RouteDescription<At, Query, Body, Result, Caller>,
) => void;

/** Returns the function that mounts the routes of an API. */
export function routeMounter<Caller>(options: MountOptions<Caller>): MountRoute<Caller> {
  return (router, description) => {
    const { answer, body, exactBody: isExact = false, run, condition, codes = [] } = description;
    const { method, path } = description;
    const isList = answer.kind === "LIST";
    const params = path.includes("{") ? (description.params ?? idParams) : undefined;
    const paging = description.search === false ? pageQuery.omit({ search: true }) : pageQuery;
    const query = isList ? paging.extend(description.query?.shape ?? {}) : description.query;
    const answers = description.mixed === true ? mixedErrorAnswers : errorAnswers;
    const route = createRoute({
      ...{ method, path, ...wordsOf(description) },
      request: {
        ...(params === undefined ? {} : { params }),
        ...(query === undefined ? {} : { query }),
        ...(condition === undefined ? {} : { headers: tagCondition(condition) }),
        ...(body === undefined ? {} : bodyOf(options.body, body, isExact)),
      },
      responses: {
        [answer.status]: responseOf(answer),
        ...answers(...new Set<ErrorCode>(condition === undefined ? codes : [...codes, tagCode])),
      },
    });
    // The types of the description prove what the router cannot infer from generic types.
    const handle = async (c: Context<ServiceEnvironment>) => {
      const valid = (part: string) => c.req.valid(part as never) as never;
      const given: z.output<typeof pageQuery> = query === undefined ? {} : valid("query");
      const tags = c.req.header("if-match");
      if (tags !== undefined && condition === undefined) {
        const message = "If-Match does not apply to this route";
        throw createError("QUERY_INVALID", { path: "If-Match", message });
      }
      const call = {
        ...options.callerOf(c),
        at: params === undefined ? {} : valid("param"),
        query: given,
        page: pageRequest(given),
        data: body === undefined ? undefined : contentOf(options.body, valid("json")),
        ifMatch: tags === undefined ? undefined : options.readTags(tags),
        c,
      };
      const result = await run(call as unknown as Parameters<typeof run>[0]);
      if (answer.kind === "NONE") return c.body(null, 204);
      const envelope = envelopeOf(answer, result);
      if (answer.kind === "TAGGED") c.header("ETag", `"${(result as Tagged<unknown>).tag}"`);
      const status = answer.status as 200;
      return isExact || answer.exact ? exactJson(c, envelope, status) : c.json(envelope, status);
    };
    router.openapi(route, handle as never);
  };
}

type Words = Pick<
  RouteDescription<Shape, Shape, z.ZodType, unknown, unknown>,
  "summary" | "description" | "operationId" | "open"
>;

function wordsOf({ summary, description, operationId, open = false }: Words) {
  return {
    summary,
    ...(description === undefined ? {} : { description }),
    ...(operationId === undefined ? {} : { operationId }),
    ...(open ? { security: [] } : {}),
  };
}

function bodyOf(kind: MountOptions<unknown>["body"], body: z.ZodType, exact: boolean) {
  const schema = kind === "FIELDS" ? body : z.strictObject({ data: body });
  return jsonBody(exact ? exactBody(schema) : schema);
}

function contentOf(kind: MountOptions<unknown>["body"], body: object): unknown {
  return kind === "FIELDS" ? body : (body as { readonly data: unknown }).data;
}

function responseOf({ kind, schema, description }: RouteAnswer<unknown>) {
  switch (kind) {
    case "ONE":
      return dataAnswer(schema, description);
    case "TAGGED":
      return taggedAnswer(dataAnswer(schema, description));
    case "LIST":
      return listAnswer(schema, description);
    case "NONE":
      return { description };
  }
}

function envelopeOf({ kind }: RouteAnswer<unknown>, result: unknown): object {
  if (kind === "TAGGED") return { data: (result as Tagged<unknown>).data };
  if (kind !== "LIST") return { data: result };
  const { items, nextCursor } = result as Items<unknown>;
  return { data: items, meta: { nextCursor } };
}
