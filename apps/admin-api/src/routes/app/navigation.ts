import { createRoute, z } from "@hono/zod-openapi";
import {
  mayRead,
  requestLimitsOf,
  requestOfReading,
  type VisibleResource,
  visibleResources,
  withinSight,
} from "@rowhouse/data";
import type { Column, Database, SnapshotStore } from "@rowhouse/db";
import {
  type ApiRouter,
  dataAnswer,
  documentHeaders,
  embedDocument,
  KeptDocuments,
  notModifiedAnswer,
  sendDocument,
} from "@rowhouse/http";
import { type ColumnPresenter, loadColumnPresenter } from "@rowhouse/permissions";
import {
  dashboardRecords,
  dataViewRecords,
  fieldOf,
  fieldSchema,
  iconSchema,
  namedDataView,
  readIcon,
  resourceRef,
  resourceRefSchema,
  storedReading,
  titleOf,
} from "@rowhouse/readings";
import { settingsOf } from "@rowhouse/settings";
import { opensBy } from "../../app-principal.ts";

const entry = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  icon: iconSchema,
});

const titlePart = z.object({ field: z.string(), before: z.string(), after: z.string() });

const navigation = z
  .object({
    resources: z.array(
      resourceRefSchema.extend({
        description: z.string().nullable(),
        path: z.string().openapi({ description: "Path in the Data API" }),
        actions: z.array(z.enum(["READ", "CREATE", "UPDATE", "DELETE"])),
        history: z
          .boolean()
          .openapi({ description: "Whether the Data API lists the changes of a row" }),
        primaryKey: z.array(z.string()).openapi({ description: "Empty if rows have no address" }),
        title: z
          .array(
            titlePart.extend({
              reference: z
                .object({
                  relation: z.string().openapi({ description: "Name of the to-one relation" }),
                  title: z.array(titlePart),
                })
                .optional()
                .openapi({
                  description:
                    "For a column that refers to a row with a title: the columns of that row which are shown in place of the value",
                }),
            }),
          )
          .openapi({
            description:
              "The title of a record: readable columns in order, each with the texts around it. Empty if no column serves",
          }),
        columns: z.array(
          fieldSchema.extend({
            description: z.string().nullable().openapi({ description: "Comment of the column" }),
            baseType: z.string().openapi({
              description:
                "The built-in type of its values, or of the elements of an array; `enum` for an enum",
            }),
            array: z.boolean(),
            lengthMax: z
              .number()
              .int()
              .nullable()
              .openapi({ description: "Maximum length of a text in characters; null for none" }),
            hasDefault: z
              .boolean()
              .openapi({ description: "Whether a new row without it gets a value" }),
            generated: z
              .boolean()
              .openapi({ description: "Whether the database alone computes its values" }),
            nullable: z.boolean(),
            readable: z.boolean(),
            creatable: z.boolean(),
            updatable: z.boolean(),
            required: z.boolean(),
          }),
        ),
        relations: z.array(
          z.object({
            name: z.string(),
            kind: z.enum(["ONE", "MANY"]),
            foreignKey: z.enum(["OWN", "TARGET", "JUNCTION"]).openapi({
              description: "The table with the foreign key: this one, the target, or the junction",
            }),
            resource: resourceRefSchema,
            junction: resourceRefSchema.nullable(),
            columns: z
              .array(z.object({ from: z.string(), to: z.string() }))
              .nullable()
              .openapi({
                description:
                  "Pairs of columns that are equal: `from` here, `to` in the target. Null unless all of them are readable, and with a junction",
              }),
            part: z.boolean().openapi({
              description:
                "Whether rows of the target are parts of a row here, as the lines of an order are: the foreign key begins their primary key or a unique key, or their table is named after this one",
            }),
            inverse: z
              .string()
              .nullable()
              .openapi({ description: "Name of the same foreign key or junction in the target" }),
          }),
        ),
      }),
    ),
    dataViews: z.array(entry.extend({ resourceId: z.string() })),
    dashboards: z.array(entry),
  })
  .openapi("Navigation");

const read = createRoute({
  method: "get",
  path: "/app/api/navigation",
  operationId: "readNavigation",
  summary:
    "List the resources, DataViews and dashboards that the principal may open, with the allowed actions",
  request: { headers: documentHeaders },
  responses: {
    200: dataAnswer(navigation, "Resources by schema and name, the others by position and name"),
    ...notModifiedAnswer,
  },
});

/** Maximum numbers of DataViews and of dashboards. */
const entriesMax = 1000;

/** Serves the content of a front end's menus. */
export function mountNavigationRoute(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  const kept = new KeptDocuments();
  router.openapi(read, async (c) => {
    const principal = c.get("principal");
    const snapshot = await snapshots.fresh();
    const page = { limit: entriesMax, cursor: null, search: null, roleIds: opensBy(principal) };
    const views = await dataViewRecords.list(database, page);
    const dashboards = await dashboardRecords.list(database, page);
    const limits = requestLimitsOf(settingsOf(snapshot));
    const dataViews = views.items.map(namedDataView).filter((view) => {
      const relation = snapshot.catalogue.relationByResource(view.resourceId);
      if (relation === undefined) return false;
      const seen = withinSight(storedReading(view), relation, snapshot, principal);
      return (
        seen !== null &&
        mayRead(requestOfReading(relation, seen.reading, limits), snapshot, principal)
      );
    });
    const roles = [...principal.roleIds].sort().join();
    const resources = await kept.of(snapshot, roles, async () => {
      const visible = visibleResources(snapshot, principal);
      const relations = visible.map(({ relation }) => relation);
      const present = await loadColumnPresenter(database, snapshot, relations);
      const found = new Map(visible.map((item) => [item.relation, item]));
      return visible.map((item) => ({
        ...describe(item, present),
        title: titleOf(item, snapshot, (relation) => found.get(relation)),
      }));
    });
    const records = JSON.stringify({
      dataViews: dataViews.map(({ id, name, description, icon, resourceId }) => ({
        ...{ id, name, description, icon, resourceId },
      })),
      dashboards: dashboards.items.map(({ id, name, description, icon }) => ({
        ...{ id, name, description },
        icon: readIcon(icon),
      })),
    });
    // No epoch counts changes of DataViews and dashboards, so they are read for each response.
    const document = embedDocument(`{"data":{"resources":`, resources, `,${records.slice(1)}}`);
    return sendDocument<{ data: z.output<typeof navigation> }>(c, document);
  });
}

function describe(visible: VisibleResource, present: ColumnPresenter) {
  const { relation, actions, history, columns, relations } = visible;
  const { schema, name, resource } = relation;
  const kind = resource.kind === "VIEW" ? "view" : "table";
  const readable = new Set(
    columns.filter((item) => item.readable).map(({ column }) => column.name),
  );
  return {
    ...resourceRef(relation),
    description: resource.description,
    path: `/api/${encodeURIComponent(schema)}/${kind}/${encodeURIComponent(name)}`,
    actions: [...actions],
    history,
    // A reader cannot build an address from a key with an unreadable column.
    primaryKey: relation.primaryKey.every((column) => readable.has(column))
      ? [...relation.primaryKey]
      : [],
    columns: columns.map(({ column, ...rights }) => ({
      ...fieldOf({ path: column.name, relation, column }, present),
      ...typeOf(column),
      nullable: column.nullable,
      ...rights,
    })),
    relations: relations.map(({ target, junction, ...item }) => ({
      ...item,
      resource: resourceRef(target),
      junction: junction && resourceRef(junction),
    })),
  };
}

function typeOf({ type, comment, identity, hasDefault, ...column }: Column) {
  const generated = column.generated || identity === "ALWAYS";
  return {
    description: comment,
    baseType: type.base,
    array: type.array,
    lengthMax: type.lengthMax,
    hasDefault: !generated && (hasDefault || identity !== null),
    generated,
  };
}
