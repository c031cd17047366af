import { createRoute, type z } from "@hono/zod-openapi";
import type { AuditActor } from "@rowhouse/db";
import type { ErrorCode } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import type { JSONValue } from "hono/utils/types";
import { actorOf } from "./administrator.ts";
import { dataAnswer, idParams, taggedAnswer, tagHeaders } from "./route-parts.ts";

/** The path of a list of records, such as `/admin/api/roles`. */
type ListPath = `/admin/api/${string}`;

/**
 * Mounts `GET {path}/{id}`, which returns one record.
 *
 * @param tagOf returns the entity tag of a record, which the response has as its `ETag`
 */
export function mountRead<Item extends z.ZodType>(
  router: ApiRouter,
  path: ListPath,
  item: Item,
  words: { readonly summary: string; readonly description: string },
  read: (id: string) => z.input<Item> | Promise<z.input<Item>>,
  tagOf?: (record: z.input<Item>) => string,
): void {
  // The type of `read` proves that the record fits the schema; the router cannot infer it from a generic type.
  const schema: z.ZodType = item;
  const answer = dataAnswer(schema, words.description);
  const route = createRoute({
    method: "get",
    path: `${path}/{id}`,
    summary: words.summary,
    request: { params: idParams },
    responses: {
      200: tagOf === undefined ? answer : taggedAnswer(answer),
      ...errorAnswers("NOT_FOUND"),
    },
  });
  router.openapi(route, async (c) => {
    const data = await read(c.req.valid("param").id);
    const headers = tagOf === undefined ? {} : tagHeaders(tagOf(data));
    return c.json({ data } as { readonly data: JSONValue }, 200, headers);
  });
}

/** Mounts `DELETE {path}/{id}`, which deletes one record. */
export function mountDelete(
  router: ApiRouter,
  path: ListPath,
  words: { readonly summary: string; readonly description: string },
  remove: (id: string, actor: AuditActor) => Promise<unknown>,
  codes: readonly ErrorCode[] = [],
): void {
  const route = createRoute({
    method: "delete",
    path: `${path}/{id}`,
    summary: words.summary,
    request: { params: idParams },
    responses: { 204: { description: words.description }, ...errorAnswers("NOT_FOUND", ...codes) },
  });
  router.openapi(route, async (c) => {
    await remove(c.req.valid("param").id, actorOf(c));
    return c.body(null, 204);
  });
}
