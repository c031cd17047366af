import { createRoute, z } from "@hono/zod-openapi";
import type { Database, Snapshot, SnapshotStore } from "@rowhouse/db";
import { throwFaults } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import {
  createDataView,
  type DataViewInput,
  deleteDataView,
  listDataViews,
  plainTable,
  readDataView,
  type StoredDataView,
  updateDataView,
} from "@rowhouse/readings";
import { actorOf } from "../administrator.ts";
import { storedReading } from "../open-view/prepare-view.ts";
import { requireUnchanged, tagOfReading } from "../reading-tag.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  exactDataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";
import { columnsOfDataView, currentDataView } from "../stored-data-view.ts";
import { iconSchema, positionSchema, presentationSchema } from "./presentation.ts";
import {
  faultsOf,
  faultsOfRoles,
  fieldNames,
  filter,
  orderTerms,
  presentationFaults,
  readingDescription,
  readingName,
  roleIds,
  rowLimit,
} from "./reading-parts.ts";

const dataView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    position: z.int(),
    resourceId: z.string(),
    fields: z.array(z.string()).nullable(),
    where: z.record(z.string(), z.unknown()).nullable(),
    orderBy: z.array(z.string()),
    limit: z.int().nullable(),
    presentation: presentationSchema,
    roleIds: z.array(z.string()),
    createdAt: moment,
    updatedAt: moment,
  })
  .openapi("DataView");

/** A DataView in the body of a request. */
export const dataViewInput = z.strictObject({
  name: readingName,
  description: readingDescription.optional(),
  icon: iconSchema.optional(),
  position: positionSchema.optional(),
  resourceId: z.guid(),
  fields: fieldNames.optional(),
  where: filter.optional(),
  orderBy: orderTerms.optional(),
  limit: rowLimit.optional().openapi({ description: "Maximum number of rows" }),
  presentation: presentationSchema.optional(),
  roleIds: roleIds.optional(),
});

const list = createRoute({
  method: "get",
  path: "/admin/api/data-views",
  summary: "List the DataViews",
  request: { query: pageQuery.extend({ resourceId: z.guid().optional() }) },
  responses: {
    200: listAnswer(dataView, "By position and name"),
    ...errorAnswers("QUERY_INVALID"),
  },
});

const create = createRoute({
  method: "post",
  path: "/admin/api/data-views",
  summary: "Create a DataView",
  request: exactDataBody(dataViewInput),
  responses: {
    201: dataAnswer(dataView, "The DataView"),
    ...errorAnswers("BODY_INVALID", "FIELD_UNKNOWN", "VALUE_INVALID"),
  },
});

const update = createRoute({
  method: "patch",
  path: "/admin/api/data-views/{id}",
  summary: "Change a DataView; its resource cannot change",
  request: {
    params: idParams,
    headers: tagCondition("DataView"),
    ...exactDataBody(dataViewInput.omit({ resourceId: true }).partial()),
  },
  responses: {
    200: taggedAnswer(dataAnswer(dataView, "The DataView")),
    ...errorAnswers(
      "BODY_INVALID",
      "FIELD_UNKNOWN",
      "VALUE_INVALID",
      "NOT_FOUND",
      "PRECONDITION_FAILED",
    ),
  },
});

/** Serves DataViews: saved readings of resources. They grant no rights. */
export function mountDataViewRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(list, async (c) => {
    const { resourceId = null, ...query } = c.req.valid("query");
    const request = { ...pageRequest(query), resourceId, roleIds: null };
    const { items, nextCursor } = await listDataViews(database, request);
    return c.json(pageEnvelope({ items: items.map(currentDataView), nextCursor }), 200);
  });
  router.openapi(create, async (c) => {
    const view = viewOfBody(c.req.valid("json").data);
    const snapshot = await snapshots.fresh();
    requireValid(snapshot, view);
    const columns = columnsOfDataView(snapshot, view);
    const created = await createDataView(database, view, columns, actorOf(c));
    return c.json({ data: currentDataView(created) }, 201);
  });
  mountRead(
    router,
    "/admin/api/data-views",
    dataView,
    { summary: "Get a DataView", description: "The DataView" },
    async (id) => currentDataView(await readDataView(database, id)),
    tagOfReading,
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const snapshot = await snapshots.fresh();
    const { fields, where, orderBy, limit, presentation } = changes;
    const isReadAnew = [fields, where, orderBy, limit, presentation].some(
      (part) => part !== undefined,
    );
    const revise = (stored: StoredDataView) => {
      const current = currentDataView(stored);
      requireUnchanged(current, ifMatch, "DataView");
      const view = { ...current, ...withoutAbsent(changes) };
      if (isReadAnew) requireValid(snapshot, view);
      else throwFaults(faultsOfRoles(view.roleIds, snapshot));
      return { view, columns: columnsOfDataView(snapshot, view) };
    };
    const view = currentDataView(await updateDataView(database, id, changes, revise, actorOf(c)));
    return c.json({ data: view }, 200, tagHeaders(tagOfReading(view)));
  });
  mountDelete(
    router,
    "/admin/api/data-views",
    { summary: "Delete a DataView", description: "DataView deleted" },
    (id, actor) => deleteDataView(database, id, actor),
  );
}

/** Returns the DataView of a body, with the defaults of omitted members. */
export function viewOfBody(given: z.output<typeof dataViewInput>): DataViewInput {
  return {
    description: "",
    icon: null,
    position: 0,
    fields: null,
    where: null,
    orderBy: [],
    limit: null,
    presentation: plainTable,
    roleIds: [],
    name: given.name,
    resourceId: given.resourceId,
    ...withoutAbsent(given),
  };
}

/** @throws AppError with every fault of a DataView at its path */
export function requireValid(snapshot: Snapshot, view: DataViewInput, path = "/data"): void {
  const { resourceId, presentation } = view;
  const at = `${path}/resourceId`;
  const faults = [
    ...faultsOf(snapshot, resourceId, at, { kind: "LIST", ...view }, path),
    ...presentationFaults(snapshot, resourceId, presentation, `${path}/presentation`),
  ];
  if (faults.length === 0) {
    // Each alone is right, but both are read together.
    const together = faultsOf(snapshot, resourceId, at, storedReading(view), path);
    faults.push(...together.map((fault) => ({ ...fault, path: `${path}/presentation` })));
  }
  throwFaults([...faults, ...faultsOfRoles(view.roleIds, snapshot, path)]);
}

type Given<Value> = { readonly [Key in keyof Value]?: Exclude<Value[Key], undefined> };

function withoutAbsent<Value extends object>(changes: Value): Given<Value> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Value>;
}
