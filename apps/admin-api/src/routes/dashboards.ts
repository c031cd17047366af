import { createRoute, z } from "@hono/zod-openapi";
import type { Database, Snapshot, SnapshotStore } from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createDashboard,
  deleteDashboard,
  listDashboards,
  type Panel,
  readDashboard,
  updateDashboard,
} from "@rowhouse/saved-views";
import { actorOf } from "../administrator.ts";
import { readingOfPanel } from "../panel-reading.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  exactDataBody,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";
import { iconSchema } from "./presentation.ts";
import {
  aggregateTerms,
  faultsOf,
  faultsOfRoles,
  fieldNames,
  filter,
  groupTerms,
  orderTerms,
  presentation,
  readingDescription,
  readingName,
  roleIds,
  rowLimit,
  storableText,
} from "./reading-parts.ts";

const panelParts = {
  id: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
      "Must be lower-case letters, digits and hyphens, at most 40",
    ),
  title: storableText(0, 200).optional(),
  resourceId: z.guid(),
  presentation: presentation.optional(),
};

const panelInput = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("LIST"),
    ...panelParts,
    definition: z.strictObject({
      fields: fieldNames.optional(),
      where: filter.optional(),
      orderBy: orderTerms.optional(),
      limit: rowLimit.optional(),
    }),
  }),
  z.strictObject({
    kind: z.literal("FIGURE"),
    ...panelParts,
    definition: z.strictObject({
      aggregate: aggregateTerms.max(1),
      where: filter.optional(),
    }),
  }),
  z.strictObject({
    kind: z.literal("CHART"),
    ...panelParts,
    definition: z.strictObject({
      aggregate: aggregateTerms,
      groupBy: groupTerms.min(1),
      where: filter.optional(),
      having: filter.optional(),
      orderBy: orderTerms.optional(),
      limit: rowLimit.optional(),
    }),
  }),
]);

const panel = z
  .object({
    id: z.string(),
    title: z.string(),
    kind: z.enum(["LIST", "FIGURE", "CHART"]),
    resourceId: z
      .string()
      .nullable()
      .openapi({ description: "Null after the resource was dropped" }),
    definition: z.record(z.string(), z.unknown()),
    presentation: z.record(z.string(), z.unknown()),
  })
  .openapi("Panel");

const dashboard = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    position: z.int(),
    roleIds: z.array(z.string()),
    panels: z.array(panel),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("Dashboard");

const input = z.strictObject({
  name: readingName,
  description: readingDescription.optional(),
  roleIds: roleIds.optional(),
  panels: z.array(panelInput).max(40).optional(),
});

const list = createRoute({
  method: "get",
  path: "/admin/api/dashboards",
  summary: "List the dashboards",
  request: { query: pageQuery },
  responses: {
    200: listAnswer(dashboard, "By position and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/dashboards",
  summary: "Create a dashboard",
  request: exactDataBody(input),
  responses: {
    201: dataAnswer(dashboard, "The dashboard"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/dashboards/{id}",
  summary: "Change a dashboard; panels replaces all panels",
  request: { params: idParams, ...exactDataBody(input.partial()) },
  responses: {
    200: dataAnswer(dashboard, "The dashboard"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID", "NOT_FOUND"),
  },
});

/** Serves dashboards: several readings shown together. They grant no rights. */
export function mountDashboardRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const request = { ...pageRequest(c.req.valid("query")), roleIds: null };
    return c.json(pageEnvelope(await listDashboards(database, request)), 200);
  });
  router.openapi(create, async (c) => {
    const { name, description = "", roleIds = [], ...given } = c.req.valid("json").data;
    const panels = panelsOf(given.panels) ?? [];
    check(await snapshots.fresh(), panels, roleIds);
    const input = { name, description, roleIds, panels };
    return c.json({ data: await createDashboard(database, input, actorOf(c)) }, 201);
  });
  mountRead(
    router,
    "/admin/api/dashboards",
    dashboard,
    { summary: "Get a dashboard", description: "The dashboard" },
    (id) => readDashboard(database, id),
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const { name, description, roleIds, ...given } = c.req.valid("json").data;
    const panels = panelsOf(given.panels);
    check(await snapshots.fresh(), panels ?? [], roleIds ?? []);
    const changes = { name, description, roleIds, panels };
    return c.json({ data: await updateDashboard(database, id, changes, actorOf(c)) }, 200);
  });
  mountDelete(
    router,
    "/admin/api/dashboards",
    { summary: "Delete a dashboard with its panels", description: "Dashboard deleted" },
    (id, actor) => deleteDashboard(database, id, actor),
  );
}

function check(snapshot: Snapshot, panels: readonly Panel[], roleIds: readonly string[]): void {
  const faults = panels.flatMap((panel, index): Fault[] => {
    const path = `/data/panels/${index}`;
    const isFirst = panels.findIndex(({ id }) => id === panel.id) === index;
    const message = "Another panel has this id";
    return [
      ...(isFirst ? [] : [createFault("BODY_INVALID", { path: `${path}/id`, message })]),
      ...faultsOf(
        snapshot,
        panel.resourceId ?? "",
        `${path}/resourceId`,
        readingOfPanel(panel),
        `${path}/definition`,
      ),
    ];
  });
  throwFaults([...faults, ...faultsOfRoles(roleIds, snapshot)]);
}

/** Returns the panels of a body with the defaults of omitted fields. */
function panelsOf(panels: readonly z.output<typeof panelInput>[] | undefined): Panel[] | undefined {
  return panels?.map(({ title = "", presentation = {}, ...panel }) => ({
    ...panel,
    title,
    presentation,
  }));
}
