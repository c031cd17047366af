import { z } from "@hono/zod-openapi";
import { readOwnAccount } from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { type ApiRouter, one } from "@rowhouse/http";
import { mergePreferences, type Preferences, readPreferences } from "@rowhouse/readings";
import { settingsOf } from "@rowhouse/settings";
import { mountRoute } from "../../mount-route.ts";
import { columnName, columnsMax, width } from "./view-definition.ts";

const person = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    timeZone: z.string().nullable(),
    language: z.string().nullable(),
    region: z.string().nullable().openapi({
      description:
        "With the language it gives the order of dates, the form of numbers and the first day of the week",
    }),
    systemTimeZone: z.string().nullable().openapi({
      description: "The time zone of the installation, for an account without its own",
    }),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    isAdministrator: z.boolean(),
    mayCreateTokens: z.boolean(),
    mcp: z
      .object({ enabled: z.boolean() })
      .openapi({ description: "The MCP server of this installation, `/mcp`" }),
  })
  .openapi("Person");

/** Serves the principal with everything that a front end needs before its other requests. */
export function mountMeRoute(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  mountRoute(router, {
    method: "get",
    path: "/app/api/me",
    operationId: "readMe",
    summary: "Get the principal of the request",
    answer: one(person, "The person"),
    run: async ({ c }) => {
      const { isAdministrator, mayCreateTokens, ...principal } = c.get("principal");
      const snapshot = await snapshots.fresh();
      const settings = settingsOf(snapshot);
      const mcp = { enabled: settings["mcp.enabled"] };
      const rights = { isAdministrator, mayCreateTokens, mcp };
      if (c.get("caller")?.kind !== "ROLES") {
        return { ...(await readOwnAccount(database, principal)), ...rights };
      }
      const own = principal.roleIds.flatMap((id) => snapshot.roles.get(id) ?? []);
      const nobody = { id: principal.userId, email: "", name: "", timeZone: null, language: null };
      const systemTimeZone = settings["system.timezone"];
      return {
        ...nobody,
        region: null,
        systemTimeZone,
        roles: own.map(({ id, name }) => ({ id, name })),
        ...rights,
      };
    },
  });
}

const bytesMax = 65_536;
const resourcesMax = 1000;

const theme = z.enum(["light", "dark", "system"]);
const density = z.enum(["compact", "comfortable"]);
const columns = z.array(columnName).max(columnsMax);

const grid = z.strictObject({
  widths: z.record(columnName, width).optional(),
  hidden: columns.optional(),
  order: columns.optional(),
  pinned: columns.optional(),
});

const pinnedMax = 50;
const recentMax = 20;

const place = { kind: z.enum(["dashboard", "dataView", "resource"]), id: z.guid() };
const pinned = z
  .array(z.strictObject(place))
  .max(pinnedMax)
  .openapi({ description: "What the person pinned, in order" });
const recent = z
  .array(z.strictObject({ ...place, openedAt: z.iso.datetime().openapi({ format: "date-time" }) }))
  .max(recentMax)
  .openapi({ description: "What the person opened last" });

const home = z.strictObject({ pinned: pinned.optional(), recent: recent.optional() });

const preferences = z
  .strictObject({
    theme: theme.optional(),
    density: density.optional(),
    shortcuts: z.boolean().optional().openapi({ description: "Shortcuts of a single letter" }),
    grid: z
      .record(z.guid(), grid)
      .optional()
      .openapi({ description: "The columns of a grid by the id of its resource" }),
    home: home.optional().openapi({
      description: "Ids as stored: the navigation tells which of them the person may open",
    }),
  })
  .openapi("Preferences");

/** The same members; null removes one. */
const changes = z.strictObject({
  theme: theme.nullable().optional(),
  density: density.nullable().optional(),
  shortcuts: z.boolean().nullable().optional(),
  grid: z
    .record(
      z.guid(),
      z
        .strictObject({
          widths: z.record(columnName, width.nullable()).nullable().optional(),
          hidden: columns.nullable().optional(),
          order: columns.nullable().optional(),
          pinned: columns.nullable().optional(),
        })
        .nullable(),
    )
    .nullable()
    .optional(),
  home: z
    .strictObject({
      pinned: pinned.nullable().optional(),
      recent: recent.nullable().optional(),
    })
    .nullable()
    .optional(),
});

/** Serves the preferences of a person. */
export function mountPreferenceRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  const path = "/app/api/preferences";
  mountRoute(router, {
    method: "get",
    path,
    operationId: "readPreferences",
    summary: "Get one's preferences for the pages",
    description: "Time zone, language and region belong to the account: `/app/api/me`.",
    answer: one(preferences, "The preferences; empty at first"),
    run: async ({ c }) => stored(await readPreferences(database, c.get("principal").userId)),
  });
  mountRoute(router, {
    method: "patch",
    path,
    operationId: "updatePreferences",
    summary: "Merge changes into one's preferences; null removes a member",
    body: changes,
    answer: one(preferences, "All preferences"),
    run: async ({ data, c }) => {
      const { userId } = c.get("principal");
      return stored(await mergePreferences(database, userId, data, requireSmall));
    },
  });
}

/** Each change was validated. A newer process may have stored other members, so the whole is not parsed again. */
function stored(content: Preferences): z.output<typeof preferences> {
  return content;
}

/** @throws AppError BODY_INVALID for preferences that have grown too large */
function requireSmall(merged: Preferences): void {
  const { grid: grids } = stored(merged);
  const isSmall = Buffer.byteLength(JSON.stringify(merged)) <= bytesMax;
  if (isSmall && Object.keys(grids ?? {}).length <= resourcesMax) return;
  const message = `Preferences have at most ${bytesMax} bytes and the grids of ${resourcesMax} resources; null removes a grid`;
  throw createError("BODY_INVALID", { path: "/data", message });
}
