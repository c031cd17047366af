import { isDeepStrictEqual } from "node:util";
import type { Database, Snapshot } from "@rowhouse/db";
import {
  createView,
  type DocumentedView,
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
import { matcherOf } from "../documents/elsewhere.ts";
import type { Document } from "../model/document.ts";
import {
  noEffects,
  type Part,
  type PartChange,
  type State,
  type Step,
  stepOrder,
  type World,
} from "../model/part.ts";
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

const written = z.strictObject({
  /** The view itself is created and changed by other tools; its document only exposes and shows it. */
  managed: z.literal("elsewhere").nullable().default(null),
  /** The SELECT, from the file beside it; null for a view that is managed elsewhere. */
  query: z.string().nullable().default(null),
  materialized: z.boolean().default(false),
  comment: z.string().nullable().default(null),
  indexes: z
    .array(
      z.strictObject({ columns: z.array(z.string()).min(1), unique: z.boolean().default(false) }),
    )
    .default([]),
  ...presentationSchema,
  columns: z.record(z.string(), z.strictObject(columnPresentationSchema)).default({}),
  /** Objects of the view that documents do not describe; they stay as they are. */
  elsewhere: z.array(z.string()).default([]),
});

const schema = written.superRefine((view, context) => {
  const refuse = (key: string, message: string) =>
    context.addIssue({ code: "custom", path: [key], message });
  if (view.managed === null) {
    if (view.query === null) refuse("query", "A view has a SELECT");
    return;
  }
  const structure = elsewhereView;
  for (const key of structuralKeys) {
    if (isDeepStrictEqual(view[key], structure[key])) continue;
    refuse(key, "The structure of a view that is managed elsewhere has no place here");
  }
});

type ViewStructure = Pick<z.output<typeof written>, (typeof structuralKeys)[number]>;
const structuralKeys = ["query", "materialized", "comment", "indexes", "elsewhere"] as const;

/** The document of a view of other tools that is neither exposed nor shown in its own way. */
export const elsewhereView = written.parse({ managed: "elsewhere" });

export interface ViewDocument extends z.output<typeof written> {
  /** In the present state: what the view is, also if other tools manage it; undefined for one that does not exist. */
  readonly actual?: ViewStructure | undefined;
}

export const viewsPart: Part<ViewDocument> = {
  name: "views",
  schema: schema as z.ZodType<ViewDocument>,
  bodies: [{ extension: ".sql", field: "query" }],
  namesOf: (path) => namesOfRelation("views", path),
  read: readViews,
  write: ({ query, actual, materialized, comment, indexes, columns, exposed, ...rest }) => {
    const { managed, elsewhere, ...looks } = rest;
    return withoutNull({
      managed,
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
      elsewhere: elsewhere.length === 0 ? null : elsewhere,
    });
  },
  compare: async (change) => {
    const { present, wanted } = change;
    const ordered = await viewsInOrder(
      [...wanted.values()].map((document) => ({ ...document, query: document.value.query ?? "" })),
    );
    const steps = await gather(ordered, (document) =>
      viewSteps(change, document, present.get(document.path)),
    );
    return [...steps, ...(await dropSteps(change))];
  },
};

/** Reads the documents of all views, by path, and those of views that other tools have not created yet. */
async function readViews(state: State): Promise<Map<string, ViewDocument>> {
  const { database, snapshot, elsewhere } = state;
  const isMatched = matcherOf(elsewhere.patterns);
  const present = new Map<string, ViewDocument>();
  for (const view of await database.transaction(loadDocumentedViews)) {
    const path = relationPath("views", view);
    const isOthers = isMatched(view.schema, view.name) || view.isOfExtension;
    const { managed = false, objects = [] } = elsewhere.documents[path] ?? {};
    const document = documentOf(snapshot, view, isOthers || managed ? undefined : objects);
    const isPlain = isDeepStrictEqual({ ...document, actual: undefined }, plainView);
    if (!(isOthers && isPlain)) present.set(path, document);
  }
  for (const [path, { managed }] of Object.entries(elsewhere.documents)) {
    const isView = namesOfRelation("views", path) !== undefined;
    if (managed && isView && !present.has(path)) present.set(path, elsewhereView);
  }
  return present;
}

const plainView = { ...elsewhereView, actual: undefined };

/** @param named the objects that the last applied document leaves to other tools; undefined for a whole view */
function documentOf(
  snapshot: Snapshot,
  view: DocumentedView,
  named: readonly string[] | undefined,
): ViewDocument {
  const relation = snapshot.catalogue.relationByName(view.schema, view.name);
  const shown = relation && presentationOf(snapshot, relation);
  const looks = relation === undefined ? [] : columnLooks(snapshot, relation);
  const { materialized, comment } = view;
  const actual: ViewStructure = {
    query: `${view.definition.trim()}\n`,
    ...{ materialized, comment },
    indexes: view.indexes.flatMap(({ columns, unique }) =>
      columns === null ? [] : [{ columns: [...columns], unique }],
    ),
    elsewhere: [...view.others],
  };
  const structure =
    named === undefined
      ? elsewhereView
      : { ...actual, elsewhere: [...new Set([...actual.elsewhere, ...named])].toSorted() };
  return {
    ...structure,
    ...{ managed: named === undefined ? ("elsewhere" as const) : null, actual },
    exposed: [...(shown?.exposed ?? [])],
    label: shown?.label ?? null,
    description: shown?.description ?? null,
    title: shown?.title ?? null,
    columns: Object.fromEntries(looks),
  };
}

async function viewSteps(
  { world, missing, documents }: PartChange<ViewDocument>,
  document: Document<ViewDocument>,
  found: ViewDocument | undefined,
): Promise<Step[]> {
  const [schema = "", name = ""] = document.names;
  const { value, path } = document;
  const subject = relationKey(schema, name);
  const miss = (message: string) => missing.push({ document: path, subject, message });
  const isMissing = found === undefined || found.actual === undefined;
  if (value.managed !== null) {
    if (!isMissing) return lookSteps(document, found);
    miss("It is managed elsewhere, and there is no such view yet");
    return [];
  }
  if (matcherOf(documents.elsewhere)(schema, name)) {
    const message = "The root file leaves this view to other tools: write managed: elsewhere";
    throw new AppError([document.faultAt(["managed"], message)]);
  }
  const present = isMissing ? undefined : { ...found, ...found.actual };
  for (const object of value.elsewhere) {
    if (present?.elsewhere.includes(object)) continue;
    miss(`It leaves ${object} to other tools, and there is no such object`);
  }
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
      present.query?.trim() === (await settle(world.database, schema, name, value))?.trim());
  if (!isSame) steps.push(writeStep(document, present));
  return [...steps, ...lookSteps(document, present)];
}

/** Returns the steps that expose and show a view. */
function lookSteps(document: Document<ViewDocument>, present: ViewDocument | undefined): Step[] {
  const [schema = "", name = ""] = document.names;
  const { value } = document;
  const { exposed, label, description, title } = value;
  return presentationSteps({
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
  });
}

/** Returns a SELECT as PostgreSQL writes it; undefined if it reads what does not exist yet. */
async function settle(
  database: Database,
  schema: string,
  name: string,
  { query }: ViewDocument,
): Promise<string | undefined> {
  const view = await guardView(schema, { name, definition: query ?? "" });
  try {
    return await rolledBack(database, (transaction) => settleView(transaction, view));
  } catch {
    return undefined;
  }
}

function writeStep(document: Document<ViewDocument>, present: ViewDocument | undefined): Step {
  const [schema = "", name = ""] = document.names;
  const { query, materialized, comment, indexes } = document.value;
  // A replacement without a list keeps every index, also those that documents do not describe.
  const isListed = materialized && !isDeepStrictEqual(indexes, present?.indexes);
  const parts = { definition: query ?? "", comment, ...(isListed ? { indexes } : {}) };
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
  if (present === undefined) {
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
async function dropSteps({
  present,
  wanted,
  documents,
  applied,
}: PartChange<ViewDocument>): Promise<Step[]> {
  const isOthers = matcherOf(documents.elsewhere);
  const dropped = [...present].flatMap(([path, { managed, query }]) => {
    const names = namesOfRelation("views", path) ?? [];
    const [schema = "", name = ""] = names;
    if (wanted.has(path) || managed !== null || isOthers(schema, name)) return [];
    return [{ names, path, query: query ?? "" }];
  });
  const ordered = await viewsInOrder(dropped);
  return ordered.toReversed().map(({ path }) => {
    return { ...dropStep(path), isOptional: !applied.has(path) };
  });
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
