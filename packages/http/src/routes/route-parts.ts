import { z } from "@hono/zod-openapi";
import { writeExactJson } from "@rowhouse/wire";
import type { Context, TypedResponse } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { JSONParsed } from "hono/utils/types";
import { exactBody } from "../request/exact-body.ts";

const limitDefault = 50;
const limitMax = 1000;

/** `{id}` of a record. A malformed id gets the response of an unknown id. */
export const idParams = z.object({ id: z.guid() });

/** A page of a list, as a caller asks for it. */
interface PageRequest {
  readonly limit: number;
  readonly cursor: string | null;
  readonly search: string | null;
}

const limit = z
  .string()
  .regex(/^[0-9]{1,4}$/, "Must be a whole number")
  .transform(Number)
  .refine((items) => items >= 1 && items <= limitMax, `Must be from 1 to ${limitMax}`)
  .optional()
  .openapi({
    type: "integer",
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: "Maximum number of items",
  });

/** The parameters of every list. */
export const pageQuery = z.object({
  limit,
  cursor: z.string().optional().openapi({ description: "`meta.nextCursor` of the previous page" }),
  search: z.string().max(200).optional().openapi({ description: "Text to search for" }),
});

/** Converts the parameters of a list to a `PageRequest`. */
export function pageRequest(query: z.output<typeof pageQuery>): PageRequest {
  return {
    limit: query.limit ?? limitDefault,
    cursor: query.cursor ?? null,
    search: query.search ?? null,
  };
}

/** A request body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true as const, content: { "application/json": { schema } } } };
}

/** A request body `{ "data": … }`. */
export function dataBody<Schema extends z.ZodType>(data: Schema) {
  return jsonBody(z.strictObject({ data }));
}

/** A request body `{ "data": … }` whose validator receives every digit of its numbers. */
export function exactDataBody<Schema extends z.ZodType>(data: Schema) {
  return exactFieldsBody({ data });
}

/** A request body with these fields, whose validators receive every digit of its numbers. */
export function exactFieldsBody<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return jsonBody(exactBody(z.strictObject(fields)));
}

/** A response `{ "data": … }`. */
export function dataAnswer<Schema extends z.ZodType>(data: Schema, description: string) {
  return { description, content: { "application/json": { schema: z.object({ data }) } } };
}

const tagHeader = z.string().openapi({ description: "Entity tag of the definition" });

/** The same response with the `ETag` of the record. */
export function taggedAnswer<Answer extends object>(answer: Answer) {
  return { ...answer, headers: z.object({ ETag: tagHeader }) };
}

/** The header `If-Match` of a change. */
export function tagCondition(noun: string) {
  return z.object({
    "if-match": z
      .string()
      .optional()
      .openapi({
        description: `The \`ETag\` of the ${noun} as last read: a ${noun} changed since then is 412`,
      }),
  });
}

/** A response `{ "data": [ … ], "meta": { "nextCursor" } }`. */
export function listAnswer<Schema extends z.ZodType>(item: Schema, description: string) {
  const schema = z.object({
    data: z.array(item),
    meta: z.object({ nextCursor: z.string().nullable() }),
  });
  return { description, content: { "application/json": { schema } } };
}

/** Returns the body of a `listAnswer`. */
export function pageEnvelope<Item>(page: {
  readonly items: Item[];
  readonly nextCursor: string | null;
}): { data: Item[]; meta: { nextCursor: string | null } } {
  return { data: page.items, meta: { nextCursor: page.nextCursor } };
}

/** Sends a response whose numbers have every digit that `parseExactJson` preserved. */
export function exactJson<Body, Status extends ContentfulStatusCode>(
  c: Context,
  body: Body,
  status: Status,
): Response & TypedResponse<JSONParsed<Body>, Status, "json"> {
  const answer = c.body(writeExactJson(body), status, { "Content-Type": "application/json" });
  return answer as unknown as Response & TypedResponse<JSONParsed<Body>, Status, "json">;
}

/**
 * Returns a copy of a package's schema that has `.openapi()`. zod gives a schema its methods when it is created, so a schema from before
 * `@hono/zod-openapi` was loaded lacks this one.
 */
export function describable<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.clone();
}
