import { z } from "@hono/zod-openapi";
import { isVisibleResource } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { type ApiRouter, one, type ServiceEnvironment } from "@rowhouse/http";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  lostDescription,
  lostField,
  readingName,
  readVisibleView,
  savedViewsMax,
  updateSavedView,
} from "@rowhouse/readings";
import { roundNumbers } from "@rowhouse/wire";
import type { Context } from "hono";
import { mountRoute } from "../../mount-route.ts";
import { mountRecords } from "../../record-routes.ts";
import { moment } from "../../route-parts.ts";
import { viewDefinition } from "./view-definition.ts";

const savedView = z
  .object({
    id: z.string(),
    resourceId: z.string(),
    name: z.string(),
    position: z.int(),
    definition: z.record(z.string(), z.unknown()),
    lost: z.array(lostField).openapi({ description: lostDescription }),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("SavedView");

const position = z
  .preprocess(roundNumbers, z.int().min(0).max(1_000_000))
  .openapi({ type: "integer", minimum: 0, maximum: 1_000_000 });

const input = z.strictObject({
  resourceId: z.guid(),
  name: readingName,
  position: position.optional().openapi({ description: "By default after all others" }),
  definition: viewDefinition,
});

/** Serves the views that a person saved. They grant nothing: the Data API checks the names that they contain. */
export function mountSavedViewRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const path = "/app/api/saved-views";
  const ownerOf = (c: Context<ServiceEnvironment>) => c.get("principal").userId;
  /** Reads a view of the caller. @throws AppError NOT_FOUND */
  const readOwn = async (c: Context<ServiceEnvironment>, id: string) =>
    readVisibleView(database, await snapshots.fresh(), c.get("principal"), id);
  mountRoute(router, {
    method: "get",
    path,
    operationId: "listSavedViews",
    summary: `List one's saved views, at most ${savedViewsMax}`,
    query: z.strictObject({ resourceId: z.guid().optional() }),
    answer: one(z.array(savedView), "By position and name"),
    run: async ({ query, c }) => {
      const principal = c.get("principal");
      const wanted = query.resourceId?.toLowerCase();
      const snapshot = await snapshots.fresh();
      const visible = new Map<string, boolean>();
      return (await listSavedViews(database, snapshot, principal.userId)).filter(
        ({ resourceId }) => {
          if (wanted !== undefined && wanted !== resourceId) return false;
          const isKnown =
            visible.get(resourceId) ?? isVisibleResource(resourceId, snapshot, principal);
          visible.set(resourceId, isKnown);
          return isKnown;
        },
      );
    },
  });
  mountRecords(router, {
    path,
    noun: "saved view",
    item: savedView,
    exact: true,
    create: {
      summary: "Save a view of a resource for oneself",
      body: input,
      codes: ["CONFLICT", "NOT_FOUND"],
      run: async ({ data, c }) => {
        const snapshot = await snapshots.fresh();
        if (!isVisibleResource(data.resourceId, snapshot, c.get("principal"))) {
          throw createError("BODY_INVALID", {
            path: "/data/resourceId",
            message: "Unknown resource",
          });
        }
        return createSavedView(database, snapshot, ownerOf(c), data);
      },
    },
    read: { summary: "Get a saved view of one's own", run: ({ at, c }) => readOwn(c, at.id) },
    update: {
      summary: "Change a saved view; its resource cannot change",
      body: input.omit({ resourceId: true }).partial(),
      codes: ["CONFLICT"],
      run: async ({ at, data, c }) => {
        const view = await readOwn(c, at.id);
        return updateSavedView(database, await snapshots.fresh(), ownerOf(c), view, data);
      },
    },
    remove: {
      summary: "Delete a saved view",
      answer: "Saved view deleted",
      run: async ({ at, c }) => {
        await readOwn(c, at.id);
        await deleteSavedView(database, ownerOf(c), at.id);
      },
    },
  });
}
