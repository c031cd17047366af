import { isDeepStrictEqual } from "node:util";
import type { Database } from "@rowhouse/db";
import {
  createView,
  dropView,
  guardReplacement,
  guardView,
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
import { namesOfRelation, relationKey } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import { noEffects, type PartChange, type Step, stepOrder, type World } from "../../model/part.ts";
import { awaitedObjects, refuseGuarded, refuseOthers, refuseReserved } from "../guarded.ts";
import { presentationSteps } from "../presentation.ts";
import { schemaSteps } from "../schema-step.ts";
import { elsewhereView, type ViewDocument } from "./view-document.ts";
import { viewsInOrder } from "./view-order.ts";

export async function viewSteps(
  { world, missing, documents }: PartChange<ViewDocument>,
  document: Document<ViewDocument>,
  found: ViewDocument | undefined,
): Promise<Step[]> {
  const [schema = "", name = ""] = document.names;
  const { value, path } = document;
  const subject = relationKey(schema, name);
  const miss = (message: string) => missing.push({ document: path, subject, message });
  const isMissing = found === undefined || found.actual === undefined;
  if (isMissing) refuseGuarded(document);
  if (value.managed === "sql") {
    for (const sentence of awaitedObjects(document, new Set(found?.actual?.elsewhere)))
      miss(sentence);
    const hasSql = documents.has(path.replace(/^views(.*)yaml$/, "sql$1sql"));
    if (isMissing && hasSql) return lookSteps(document, undefined);
  }
  if (value.managed !== null) {
    if (!isMissing) return lookSteps(document, found);
    refuseReserved(document);
    miss("It is managed elsewhere, and there is no such view yet");
    return [];
  }
  refuseOthers(document, "view", documents.isOthers);
  const present = isMissing ? undefined : { ...found, ...found.actual };
  for (const sentence of awaitedObjects(document, new Set(present?.elsewhere))) miss(sentence);
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
function lookSteps(
  document: Pick<Document<ViewDocument>, "path" | "value">,
  present: ViewDocument | undefined,
): Step[] {
  const [schema = "", name = ""] = namesOfRelation("views", document.path) ?? [];
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

/**
 * Returns the steps that drop views, those that read others before these, and those that hide views of other tools whose
 * files were deleted.
 */
export async function dropSteps({
  present,
  wanted,
  documents,
  applied,
}: PartChange<ViewDocument>): Promise<Step[]> {
  const dropped: { names: readonly string[]; path: string; query: string }[] = [];
  const hidden: Step[] = [];
  for (const [path, view] of present) {
    const names = namesOfRelation("views", path) ?? [];
    const [schema = "", name = ""] = names;
    if (wanted.has(path)) continue;
    if (view.managed === null && !documents.isOthers(schema, name)) {
      dropped.push({ names, path, query: view.query ?? "" });
    } else if (applied.has(path) && view.actual !== undefined) {
      hidden.push(...lookSteps({ path, value: elsewhereView }, view));
    }
  }
  const ordered = await viewsInOrder(dropped);
  const drops = ordered
    .toReversed()
    .map(({ path }) => ({ ...dropStep(path), isOptional: !applied.has(path) }));
  return [...drops, ...hidden];
}

function dropStep(path: string): Step {
  const [schema = "", name = ""] = namesOfRelation("views", path) ?? [];
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
