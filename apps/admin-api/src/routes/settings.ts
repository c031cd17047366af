import { z } from "@hono/zod-openapi";
import {
  type Database,
  isServiceClosed,
  type SnapshotStore,
  serverVersionOf,
  testedVersions,
} from "@rowhouse/db";
import { type ApiRouter, one, tagged } from "@rowhouse/http";
import {
  changeSettings,
  definitionOf,
  listSettings,
  type SettingChanges,
  settingKeys,
  tagOfSettings,
} from "@rowhouse/settings";
import { mountRoute } from "../mount-route.ts";

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

const schemas = new Map(
  settingKeys.map((key) => {
    const { $schema: _, ...schema } = z.toJSONSchema(definitionOf(key).schema);
    return [key, schema as Record<string, unknown>];
  }),
);

type Summaries = ReturnType<typeof listSettings>;

function describe(summaries: Summaries) {
  const data = summaries.map((summary) => ({ ...summary, schema: schemas.get(summary.key) ?? {} }));
  return { data, tag: tagOfSettings(summaries) };
}

const databaseServer = z.object({
  version: z.string().openapi({ description: "Such as `18.3`" }),
  isTested: z
    .boolean()
    .openapi({ description: "Whether the tests of Rowhouse run on its major version" }),
  testedFrom: z.int().openapi({ description: "The oldest major version that is tested" }),
  testedTo: z.int().openapi({ description: "The newest major version that is tested" }),
  codeMayAdminister: z.boolean().openapi({
    description:
      "Whether a login that may create triggers or functions in this database can act as an administrator",
  }),
});

/** Serves the settings of the installation, and the version of its database. A change applies from the next request on, in every process. */
export function mountSettingRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRoute(router, {
    method: "get",
    path: "/admin/api/database-server",
    summary: "Return the version of PostgreSQL, whether it is tested, and what code in it may do",
    answer: one(databaseServer, "Of the server that answers now"),
    run: async () => {
      const { version, support } = await serverVersionOf(database);
      return {
        ...{ version, isTested: support === "TESTED" },
        ...{ testedFrom: testedVersions.from, testedTo: testedVersions.to },
        codeMayAdminister: !(await isServiceClosed(database)),
      };
    },
  });
  const path = "/admin/api/settings";
  mountRoute(router, {
    method: "get",
    path,
    summary: "List every setting with its value, default and type",
    answer: tagged(z.array(setting), "In the order of the reference"),
    run: async () => describe(listSettings(await snapshots.fresh())),
  });
  mountRoute(router, {
    method: "patch",
    path,
    summary: "Change several settings together; null restores a default",
    body: changes,
    condition: "settings",
    codes: ["VALUE_INVALID", "SESSION_REQUIRED"],
    answer: tagged(z.array(setting), "Every setting after the change"),
    run: async ({ data, actor, ifMatch, c }) => {
      const input = data as SettingChanges;
      const hasSession = c.get("principal").session !== null;
      return describe(await changeSettings(database, snapshots, input, actor, hasSession, ifMatch));
    },
  });
}
