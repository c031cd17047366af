import { createRoute, z } from "@hono/zod-openapi";
import type { DataEngine } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { loadColumnPresenter } from "@rowhouse/resources";
import { readDataView } from "@rowhouse/saved-views";
import { callerOf, requireOpen } from "../../app-principal.ts";
import { idParams } from "../../route-parts.ts";
import { fieldOf, fieldSchema, moreSchema, resourceRef, resourceRefSchema } from "./presenter.ts";
import { answerReading } from "./reading-answer.ts";

const limitMax = 100_000;

const dataView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    resource: resourceRefSchema,
    orderBy: z.array(z.string()),
    presentation: z.record(z.string(), z.unknown()),
    fields: z.array(fieldSchema),
    rows: z.array(z.record(z.string(), z.unknown())),
  })
  .openapi("OpenDataView");

const envelope = z.object({
  data: dataView,
  meta: z
    .object({
      nextCursor: z.string().nullable().optional(),
      count: z.number().optional(),
      more: moreSchema.optional(),
    })
    .optional(),
});

const read = createRoute({
  method: "get",
  path: "/app/api/data-views/{id}",
  summary: "Open a DataView: its rows, limited to those that the reader may see",
  request: {
    params: idParams,
    query: z.object({
      limit: z
        .string()
        .regex(/^[0-9]{1,6}$/, "Must be a whole number")
        .transform(Number)
        .refine((rows) => rows >= 1 && rows <= limitMax, `Must be from 1 to ${limitMax}`)
        .optional()
        .openapi({
          type: "integer",
          minimum: 1,
          maximum: limitMax,
          description: "Maximum number of rows",
        }),
      cursor: z.string().max(10_000).optional(),
      search: z.string().max(1000).optional(),
      count: z.enum(["exact", "estimated"]).optional(),
    }),
  },
  responses: {
    200: {
      description: "The DataView",
      content: { "application/json": { schema: envelope } },
    },
    ...errorAnswers("NOT_FOUND", "QUERY_INVALID", "ACTION_DENIED", "QUERY_TIMEOUT"),
  },
});

export interface ReadingRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engine: Pick<DataEngine, "answer">;
}

/** Serves open DataViews. */
export function mountOpenDataViewRoute(
  router: ApiRouter,
  { database, snapshots, engine }: ReadingRoutesDependencies,
): void {
  router.openapi(read, async (c) => {
    const principal = c.get("principal");
    const view = await readDataView(database, c.req.valid("param").id);
    requireOpen(principal, view.roleIds);
    const snapshot = await snapshots.fresh();
    const relation = snapshot.catalogue.relationByResource(view.resourceId);
    const answer = await answerReading({ kind: "LIST", ...view }, relation, c.req.valid("query"), {
      engine,
      snapshot,
      principal,
      caller: callerOf(c),
      timeZone: c.req.header("x-service-timezone") ?? null,
    });
    const shown = answer.fields ?? [];
    const relations = shown.map((field) => field.relation);
    const present = await loadColumnPresenter(database, snapshot, relations);
    const head = JSON.stringify({
      id: view.id,
      name: view.name,
      description: view.description,
      resource: relation === undefined ? null : resourceRef(relation),
      orderBy: view.orderBy.filter((term) => isShown(term, shown)),
      presentation: view.presentation,
      fields: shown.map((field) => fieldOf(field, present)),
    });
    // The rows are the JSON of Postgres with every digit.
    const data = `${head.slice(0, -1)},"rows":${answer.rows}}`;
    const body = c.body(`{"data":${data}${answer.meta}}`, 200, {
      "Content-Type": "application/json",
    });
    return body as unknown as ReturnType<typeof c.json<z.output<typeof envelope>, 200>>;
  });
}

/** Returns the order in terms of the shown fields; other fields could reveal names that the reader may not see. */
function isShown(term: string, fields: readonly { readonly path: string }[]): boolean {
  const path = term.replace(/^-/, "").replace(/:nulls_(?:first|last)$/, "");
  return fields.some((field) => field.path === path);
}
