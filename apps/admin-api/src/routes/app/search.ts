import { createRoute, z } from "@hono/zod-openapi";
import { visibleResources } from "@rowhouse/data";
import type { Relation, Snapshot } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  type Preferences,
  readPreferences,
  resourceRef,
  resourceRefSchema,
  searchRows,
} from "@rowhouse/readings";
import { isObject } from "@rowhouse/wire";
import { callerOf } from "../../app-principal.ts";
import type { ReadingRoutesDependencies } from "./data-views.ts";

const textMax = 200;

const found = z.object({
  resource: resourceRefSchema,
  key: z.array(z.string()).openapi({ description: "The values of the key as texts, in its order" }),
  title: z.string(),
});

const answer = z
  .object({
    data: z.array(found),
    meta: z.object({
      searched: z
        .array(resourceRefSchema)
        .openapi({ description: "The tables whose rows were searched" }),
      unanswered: z
        .array(resourceRefSchema)
        .openapi({ description: "The tables that took too long, whose rows are missing" }),
    }),
  })
  .openapi("FoundRows");

const read = createRoute({
  method: "get",
  path: "/app/api/search",
  operationId: "searchRows",
  summary: "Find rows by the words of their titles, in the tables that the principal used last",
  description:
    "At most five rows of each of at most five tables: those that the principal opened last, then others that they may read. The search takes at most 500 ms.",
  request: {
    query: z.object({
      q: z
        .string()
        .trim()
        .min(1)
        .max(textMax)
        .openapi({ description: "The words; each of them occurs in the title", example: "novak" }),
    }),
  },
  responses: {
    200: {
      description: "The rows, by table",
      content: { "application/json": { schema: answer } },
    },
    ...errorAnswers("QUERY_INVALID"),
  },
});

/** Serves the search for rows of the palette. */
export function mountSearchRoute(
  router: ApiRouter,
  { database, snapshots, engine, exports }: ReadingRoutesDependencies,
): void {
  router.openapi(read, async (c) => {
    const principal = c.get("principal");
    const snapshot = await snapshots.fresh();
    const preferences = await readPreferences(database, principal.userId);
    const reader = {
      ...{ database, engine, exports, snapshot, principal },
      caller: callerOf(c),
      timeZone: c.req.header("x-service-timezone") ?? null,
    };
    const relations = lastUsed(preferences, snapshot, principal);
    const { rows, searched, unanswered } = await searchRows(
      c.req.valid("query").q,
      relations,
      reader,
    );
    return c.json(
      {
        data: rows.map(({ relation, key, title }) => ({
          ...{ resource: resourceRef(relation), title },
          key: [...key],
        })),
        meta: { searched: searched.map(resourceRef), unanswered: unanswered.map(resourceRef) },
      },
      200,
    );
  });
}

/** The relations that a principal may read, those that they opened last first. */
function lastUsed(
  preferences: Preferences,
  snapshot: Snapshot,
  principal: Parameters<typeof visibleResources>[1],
): readonly Relation[] {
  const home = isObject(preferences.home) ? preferences.home : {};
  const ids = [home.recent, home.pinned].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((one) => (isObject(one) ? String(one.id) : [])) : [],
  );
  const placeOf = (relation: Relation) => {
    const place = ids.indexOf(relation.resource.id);
    return place < 0 ? ids.length : place;
  };
  return visibleResources(snapshot, principal)
    .filter(({ actions }) => actions.includes("READ"))
    .map(({ relation }) => relation)
    .sort((one, other) => placeOf(one) - placeOf(other));
}
