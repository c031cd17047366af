import { z } from "@hono/zod-openapi";
import { createSample, readSampleState, removeSample } from "@rowhouse/configuration";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, created, none, one } from "@rowhouse/http";
import { mountRoute } from "../mount-route.ts";

const state = z.object({
  state: z.enum(["NONE", "LOADED", "NAME_TAKEN"]).openapi({
    description: "`NAME_TAKEN` if there is a schema `fleet` that is not the sample",
  }),
});

/** Serves the sample, a vehicle fleet in the schema `fleet`. */
export function mountSampleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/admin/api/sample";
  const read = async () => ({ state: await readSampleState(database) });
  mountRoute(router, {
    method: "get",
    path,
    summary: "Get whether the sample is loaded",
    answer: one(state, "The state of the sample"),
    run: read,
  });
  mountRoute(router, {
    method: "post",
    path,
    summary: "Load the sample, a vehicle fleet in the schema `fleet`, and expose its tables",
    codes: ["CONFLICT"],
    answer: created(state, "The sample is loaded"),
    run: async ({ actor }) => {
      await createSample(database, actor);
      return read();
    },
  });
  mountRoute(router, {
    method: "delete",
    path,
    summary: "Drop the sample with its rows and grants",
    codes: ["NOT_FOUND", "CONFLICT"],
    answer: none("Sample dropped"),
    run: ({ actor }) => removeSample(database, actor),
  });
}
