import { createRoute, z } from "@hono/zod-openapi";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  changeSettings,
  definitionOf,
  listSettings,
  type SettingChanges,
  settingKeys,
} from "@rowhouse/settings";
import { actorOf } from "../administrator.ts";
import { dataAnswer, dataBody } from "../route-parts.ts";

const setting = z
  .object({
    key: z.string(),
    value: z
      .unknown()
      .openapi({ description: "The effective value: the one that was set, or the default" }),
    default: z.unknown(),
    isSet: z.boolean(),
    sessionOnly: z.boolean().openapi({ description: "A token cannot change it" }),
    description: z.string(),
    schema: z.record(z.string(), z.unknown()).openapi({ description: "JSON Schema of its values" }),
  })
  .openapi("Setting");

/** All settings by key; null restores a default. */
const changes = z.strictObject(
  Object.fromEntries(
    settingKeys.map((key) => {
      const { schema, description, default: standard } = definitionOf(key);
      return [key, schema.nullable().optional().openapi({ description, default: standard })];
    }),
  ),
);

const list = createRoute({
  method: "get",
  path: "/admin/api/settings",
  summary: "List every setting with its value, default and type",
  responses: { 200: dataAnswer(z.array(setting), "In the order of the reference") },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/settings",
  summary: "Change several settings together; null restores a default",
  request: dataBody(changes),
  responses: {
    200: dataAnswer(z.array(setting), "Every setting after the change"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "SESSION_REQUIRED"),
  },
});

const schemas = new Map(
  settingKeys.map((key) => {
    const { $schema: _, ...schema } = z.toJSONSchema(definitionOf(key).schema);
    return [key, schema as Record<string, unknown>];
  }),
);

type Summaries = ReturnType<typeof listSettings>;

function describe(summaries: Summaries) {
  return {
    data: summaries.map((summary) => ({ ...summary, schema: schemas.get(summary.key) ?? {} })),
  };
}

/** Serves the settings of the installation. A change applies from the next request on, in every process. */
export function mountSettingRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => c.json(describe(listSettings(await snapshots.fresh())), 200));
  router.openapi(update, async (c) => {
    const input = c.req.valid("json").data as SettingChanges;
    const hasSession = c.get("principal").session !== null;
    const settings = await changeSettings(database, snapshots, input, actorOf(c), hasSession);
    return c.json(describe(settings), 200);
  });
}
