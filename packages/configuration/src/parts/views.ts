import { isDeepStrictEqual } from "node:util";
import type { Database } from "@rowhouse/db";
import {
  createView,
  dropView,
  guardReplacement,
  guardView,
  loadDocumentedViews,
  previewDropView,
  previewReplaceView,
  replaceView,
  requireNoDependents,
  requireView,
  rolledBack,
  settleView,
  targetOf,
} from "@rowhouse/ddl";
import { AppError } from "@rowhouse/errors";
import { z } from "zod";
import { gather } from "../documents/document-faults.ts";
import { namesOfRelation, relationKey, relationPath } from "../documents/document-name.ts";
import type { Document } from "../model/document.ts";
import { noEffects, type Part, type Step, stepOrder, type World } from "../model/part.ts";
import {
  columnLooks,
  columnPresentationSchema,
  presentationOf,
  presentationSchema,
  presentationSteps,
  withoutNull,
} from "./presentation.ts";
import { schemaSteps } from "./schema-step.ts";
import { viewsInOrder } from "./view-order.ts";

const schema = z.strictObject({
  /** The SELECT, from the file beside it. */
  query: z.string(),
  materialized: z.boolean().default(false),
  comment: z.string().nullable().default(null),
  indexes: z
    .array(
      z.strictObject({ columns: z.array(z.string()).min(1), unique: z.boolean().default(false) }),
    )
    .default([]),
  ...presentationSchema,
  columns: z.record(z.string(), z.strictObject(columnPresentationSchema)).default({}),
});

export type ViewDocument = z.output<typeof schema>;

export const viewsPart: Part<ViewDocument> = {
  name: "views",
  schema: schema as z.ZodType<ViewDocument>,
  bodies: [{ extension: ".sql", field: "query" }],
  namesOf: (path) => namesOfRelation("views", path),
  read: async ({ database, snapshot }) => {
    const views = await database.transaction(loadDocumentedViews);
    return new Map(
      views.map((view): [string, ViewDocument] => {
        const relation = snapshot.catalogue.relationByName(view.schema, view.name);
        const shown = relation && presentationOf(snapshot, relation);
        const looks = relation === undefined ? [] : columnLooks(snapshot, relation);
        const { materialized, comment } = view;
        const document = {
          query: `${view.definition.trim()}\n`,
          ...{ materialized, comment },
          indexes: view.indexes.flatMap(({ columns, unique }) =>
            columns === null ? [] : [{ columns: [...columns], unique }],
          ),
          exposed: [...(shown?.exposed ?? [])],
          label: shown?.label ?? null,
          description: shown?.description ?? null,
          title: shown?.title ?? null,
          columns: Object.fromEntries(looks),
        };
        return [relationPath("views", view), document];
      }),
    );
  },
  write: ({ query, materialized, comment, indexes, columns, exposed, ...looks }) =>
    withoutNull({
      materialized: materialized || null,
      comment,
      ...looks,
      exposed: exposed.length > 0 ? exposed : null,
      indexes:
        indexes.length === 0
          ? null
          : indexes.map(({ columns: of, unique }) => ({
              columns: of,
              ...(unique ? { unique } : {}),
            })),
      columns:
        Object.keys(columns).length === 0
          ? null
          : Object.fromEntries(
              Object.entries(columns).map(([name, look]) => [name, withoutNull(look)]),
            ),
    }),
  compare: async ({ world, present, wanted }) => {
    const ordered = await viewsInOrder(
      [...wanted.values()].map((document) => ({ ...document, query: document.value.query })),
    );
    const steps = await gather(ordered, (document) =>
      viewSteps(world, document, present.get(document.path)),
    );
    return [...steps, ...(await dropSteps(present, wanted))];
  },
};

async function viewSteps(
  world: World,
  document: Document<ViewDocument>,
  present: ViewDocument | undefined,
): Promise<Step[]> {
  const [schema = "", name = ""] = document.names;
  const { value } = document;
  if (present !== undefined && present.materialized !== value.materialized) {
    const message = "A view cannot become materialized, or a plain one";
    throw new AppError([document.faultAt(["materialized"], message)]);
  }
  const steps: Step[] = [];
  if (present === undefined) {
    steps.push(...(await schemaSteps(world.database, document.path, schema)));
  }
  const isSame =
    present?.comment === value.comment &&
    isDeepStrictEqual(present.indexes, value.indexes) &&
    (present.query === value.query ||
      present.query.trim() === (await settle(world.database, schema, name, value))?.trim());
  if (!isSame) steps.push(writeStep(document, present === undefined));
  const { exposed, label, description, title } = value;
  steps.push(
    ...presentationSteps({
      document,
      subject: relationKey(schema, name),
      relation: { schema, name },
      wanted: { exposedMethods: exposed, label, description, title },
      present: present && {
        exposedMethods: present.exposed,
        ...{ label: present.label, description: present.description, title: present.title },
      },
      columns: new Map(Object.entries(value.columns)),
      presentColumns: new Map(Object.entries(present?.columns ?? {})),
    }),
  );
  return steps;
}

/** Returns a SELECT as PostgreSQL writes it; undefined if it reads what does not exist yet. */
async function settle(
  database: Database,
  schema: string,
  name: string,
  { query }: ViewDocument,
): Promise<string | undefined> {
  const view = await guardView(schema, { name, definition: query });
  try {
    return await rolledBack(database, (transaction) => settleView(transaction, view));
  } catch {
    return undefined;
  }
}

function writeStep(document: Document<ViewDocument>, isNew: boolean): Step {
  const [schema = "", name = ""] = document.names;
  const { query: definition, materialized, comment, indexes } = document.value;
  const parts = { definition, comment, ...(materialized ? { indexes } : {}) };
  const locate = (pointer: string) =>
    pointer.startsWith("/data/definition") ? ["query"] : pointer.split("/").slice(2);
  const target = async ({ snapshots }: World) =>
    targetOf(requireView((await snapshots.fresh()).catalogue, schema, name));
  const common = {
    document: document.path,
    subject: relationKey(schema, name),
    order: stepOrder.views.create,
    detail: parts,
    locate,
  };
  if (isNew) {
    return {
      ...common,
      kind: "view.create",
      run: async ({ database, actor }) => {
        const view = await guardView(schema, { name, materialized, ...parts });
        await createView(database, view, actor);
      },
    };
  }
  return {
    ...common,
    kind: "view.replace",
    preview: async (world) => {
      const view = await target(world);
      const { sql } = await previewReplaceView(
        world.database,
        view,
        await guardReplacement(view, parts),
      );
      return { ...noEffects, sql };
    },
    run: async (world) => {
      const view = await target(world);
      await replaceView(world.database, view, await guardReplacement(view, parts), world.actor);
    },
  };
}

/** Returns the steps that drop views, those that read others before these. */
async function dropSteps(
  present: ReadonlyMap<string, ViewDocument>,
  wanted: ReadonlyMap<string, unknown>,
): Promise<Step[]> {
  const dropped = [...present].filter(([path]) => !wanted.has(path));
  const ordered = await viewsInOrder(
    dropped.map(([path, { query }]) => ({ names: viewsPart.namesOf(path) ?? [], path, query })),
  );
  return ordered.toReversed().map(({ path }) => dropStep(path));
}

function dropStep(path: string): Step {
  const [schema = "", name = ""] = viewsPart.namesOf(path) ?? [];
  const target = async ({ snapshots }: World) =>
    targetOf(requireView((await snapshots.fresh()).catalogue, schema, name));
  return {
    kind: "view.drop",
    document: path,
    subject: relationKey(schema, name),
    order: stepOrder.views.drop,
    detail: null,
    consent: `drop:${relationKey(schema, name)}`,
    isUsedBy: ({ kind }) => /^(schema|type|table|view)\./.test(kind),
    // It would keep the readers of the view waiting until the plan ends.
    preview: async (world) => {
      const view = await target(world);
      const { sql, loses, dependents } = await previewDropView(world.database, view, world.dropped);
      requireNoDependents(dependents);
      world.dropped.add(view.oid);
      const losses = [
        ...loses.roles.map((role) => ({ object: "grant", name: role })),
        ...loses.dataViews.map((one) => ({ object: "DataView", name: one })),
        ...loses.dashboards.map((one) => ({ object: "panel of the dashboard", name: one })),
      ];
      return {
        ...noEffects,
        sql,
        losses: losses.map((loss) => ({ ...loss, path: "", note: null })),
      };
    },
    run: async (world) => {
      await dropView(world.database, await target(world), name, world.actor);
    },
  };
}
