import { z } from "@hono/zod-openapi";
import { entityTagsOf } from "@rowhouse/data";
import type { PageRequest } from "@rowhouse/db";
import { exactBody } from "@rowhouse/http";
import { writeExactJson } from "@rowhouse/wire";
import type { Context, TypedResponse } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { JSONParsed } from "hono/utils/types";

const limitDefault = 50;
const limitMax = 1000;

/** `{id}` of a record. A malformed id gets the response of an unknown id. */
export const idParams = z.object({ id: z.guid() });

/** A timestamp, ISO 8601 in UTC. */
export const moment = z.string().openapi({ format: "date-time" });

/** A timestamp in a parameter of a list. */
export const givenMoment = z.iso
  .datetime({ offset: true, error: "Must be a timestamp, such as 2026-01-31T12:00:00Z" })
  // Postgres has no year 0.
  .refine((text) => !text.startsWith("0000"), "Must be a timestamp, such as 2026-01-31T12:00:00Z");

/** Several values in one parameter, separated by commas. */
export function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .max(1000)
    .transform((text) => text.split(","))
    .pipe(z.array(item).max(50));
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

/**
 * Returns a copy of a package's schema that has `.openapi()`. zod gives a schema its methods when it is created, so a schema from before
 * `@hono/zod-openapi` was loaded lacks this one.
 */
export function describable<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.clone();
}

/** A request body `{ "data": … }`. */
export function dataBody<Schema extends z.ZodType>(data: Schema) {
  return {
    body: {
      required: true as const,
      content: { "application/json": { schema: z.strictObject({ data }) } },
    },
  };
}

/** A request body `{ "data": … }` whose validator receives every digit of its numbers. */
export function exactDataBody<Schema extends z.ZodType>(data: Schema) {
  return exactFieldsBody({ data });
}

/** A request body with these fields, whose validators receive every digit of its numbers. */
export function exactFieldsBody<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return {
    body: {
      required: true as const,
      content: { "application/json": { schema: exactBody(z.strictObject(fields)) } },
    },
  };
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

/** Returns the tags of `If-Match`; undefined without the header. */
export function ifMatchOf(headers: {
  readonly "if-match"?: string | undefined;
}): readonly string[] | undefined {
  const text = headers["if-match"];
  return text === undefined ? undefined : entityTagsOf(text);
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
