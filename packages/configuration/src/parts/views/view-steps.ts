import { isDeepStrictEqual } from "node:util";
import type { Database } from "@rowhouse/db";
import {
  compileRenameView,
  createView,
  dropView,
  fillView,
  guardReplacement,
  guardView,
  previewDropView,
  previewRedefinition,
  redefineView,
  renameView,
  requireNoDependents,
  requireView,
  rolledBack,
  settleView,
  targetOf,
} from "@rowhouse/ddl";
import { createFault, escapePointer, throwFaults, unescapePointer } from "@rowhouse/errors";
import { namesOfRelation, relationKey } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import { noEffects, type PartChange, type Step, stepOrder, type World } from "../../model/part.ts";
import { awaitedObjects, refuseGuarded, refuseOthers, refuseReserved } from "../guarded.ts";
import { presentationSteps } from "../presentation.ts";
import { schemaSteps } from "../schema-step.ts";
import { elsewhereView, type ViewDocument } from "./view-document.ts";
import { viewsInOrder } from "./view-order.ts";

/**
 * @param from the present path of a view that gets another name
 * @param awaited receives the views that get another definition, until they have it
 */
export async function viewSteps(
  { world, missing, documents }: PartChange<ViewDocument>,
  document: Document<ViewDocument>,
  found: ViewDocument | undefined,
  from: string | undefined,
  awaited: Set<string>,
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
  const steps: Step[] = [];
  if (present === undefined) {
    steps.push(...(await schemaSteps(world.database, document.path, schema)));
  }
  const settled =
    present === undefined || present.query === value.query
      ? value.query
      : ((await settle(world.database, schema, name, value)) ?? value.query);
  const isSame =
    present?.comment === value.comment &&
    present.materialized === value.materialized &&
    isDeepStrictEqual(present.indexes, value.indexes) &&
    present.query?.trim() === settled?.trim();
  if (!isSame) steps.push(writeStep(document, present, from, settled, awaited));
  return [...steps, ...lookSteps(document, present)];
}

/** Returns the steps that give a view its name and schema; what reads it follows. */
export async function renameSteps(
  { database, snapshots }: World,
  { path, names: [schema = "", name = ""] }: Document<ViewDocument>,
  from: string,
): Promise<Step[]> {
  const [formerSchema = "", formerName = ""] = namesOfRelation("views", from) ?? [];
  const former = { schema: formerSchema, name: formerName };
  const to = { schema, name };
  const target = async (world: Pick<World, "snapshots">) =>
    targetOf(requireView((await world.snapshots.fresh()).catalogue, former.schema, former.name));
  const { oid } = await target({ snapshots });
  return [
    ...(await schemaSteps(database, path, schema)),
    {
      kind: "view.rename",
      document: path,
      subject: relationKey(schema, name),
      order: stepOrder.views.rename,
      detail: { former: relationKey(former.schema, former.name) },
      meant: oid,
      locate: () => ["renamedFrom"],
      preview: async (world) => ({
        ...noEffects,
        sql: compileRenameView(await target(world), to),
      }),
      run: async (world) => {
        await renameView(world.database, await target(world), to, world.actor);
      },
    },
  ];
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

function writeStep(
  document: Document<ViewDocument>,
  present: ViewDocument | undefined,
  from: string | undefined,
  settled: string | null,
  awaited: Set<string>,
): Step {
  const [schema = "", name = ""] = document.names;
  const { query, materialized, comment, indexes } = document.value;
  // A replacement without a list keeps every index, also those that documents do not describe.
  const isListed = materialized && !isDeepStrictEqual(indexes, present?.indexes);
  const parts = { definition: query ?? "", comment, ...(isListed ? { indexes } : {}) };
  const locate = (pointer: string) =>
    pointer.startsWith("/data/definition")
      ? ["query"]
      : pointer.split("/").slice(2).map(unescapePointer);
  const [formerSchema = schema, formerName = name] = namesOfRelation("views", from ?? "") ?? [];
  const target = async ({ snapshots }: World) => {
    const { catalogue } = await snapshots.fresh();
    // A plan only previews that it gets another name.
    const isNamed = catalogue.relationByName(schema, name) !== undefined;
    return targetOf(
      isNamed
        ? requireView(catalogue, schema, name)
        : requireView(catalogue, formerSchema, formerName),
    );
  };
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
      run: async ({ database, actor, isTrial }) => {
        const view = await guardView(schema, { name, materialized, ...parts });
        await createView(database, view, actor);
        if (materialized && isTrial !== true) await fillView(database, view);
      },
    };
  }
  const subject = relationKey(schema, name);
  awaited.add(subject);
  const isAwaited = (view: RelationName) => awaited.has(relationKey(view.schema, view.name));
  const consentOf = (column: string) => `drop:${subject}.${column}`;
  const guarded = () => guardReplacement({ schema, name, materialized }, parts);
  return {
    ...common,
    values: {
      before: valuesOf(present, present.query),
      after: valuesOf(document.value, settled),
    },
    kind: "view.replace",
    preview: async (world, isTried) => {
      const view = await target(world);
      const { sql, lost, losses, notes } = await previewRedefinition(
        world.database,
        view,
        await guarded(),
        { isAside: world.dropped.has(view.oid), isTried, isAwaited },
      );
      requireNoLook(document, lost);
      const confirmations = lost.map((column) => ({ path: "", confirm: consentOf(column) }));
      return { ...noEffects, sql, losses, confirmations, notes };
    },
    run: async (world, isConsented) => {
      const { database, aside, actor } = world;
      awaited.delete(subject);
      const view = aside.find(schema, name)?.target ?? (await target(world));
      const mayLose = (column: string) => isConsented(consentOf(column));
      await redefineView(database, view, await guarded(), { aside, isAwaited, mayLose, actor });
    },
  };
}

/** What the reader of a plan compares; both SELECTs are written as PostgreSQL does, if it can. */
function valuesOf({ materialized, comment, indexes }: ViewDocument, query: string | null) {
  return { query: query === null ? null : `${query.trim()}\n`, materialized, comment, indexes };
}

/** @throws AppError with the places at which a document shows columns that its view loses */
function requireNoLook({ value }: Document<ViewDocument>, lost: readonly string[]): void {
  const shown = lost.filter((column) => value.columns[column] !== undefined);
  throwFaults(
    shown.map((column) => {
      const path = `/data/columns/${escapePointer(column)}`;
      return createFault("VALUE_INVALID", { path, message: `The view loses its column ${column}` });
    }),
  );
}

interface RelationName {
  readonly schema: string;
  readonly name: string;
}

/**
 * Returns the steps that drop views, those that read others before these, and those that hide views of other tools whose
 * files were deleted.
 */
export async function dropSteps(
  { present, wanted, documents, applied }: PartChange<ViewDocument>,
  renamed: ReadonlySet<string>,
): Promise<Step[]> {
  const dropped: { names: readonly string[]; path: string; query: string }[] = [];
  const hidden: Step[] = [];
  for (const [path, view] of present) {
    const names = namesOfRelation("views", path) ?? [];
    const [schema = "", name = ""] = names;
    if (wanted.has(path) || renamed.has(path)) continue;
    if (view.managed === null && !documents.isOthers(schema, name)) {
      dropped.push({ names, path, query: view.query ?? "" });
    } else if (applied.has(path) && view.actual !== undefined) {
      hidden.push(...lookSteps({ path, value: elsewhereView }, view));
    }
  }
  const ordered = await viewsInOrder(dropped);
  const drops = ordered
    .toReversed()
    .map(({ path, query }) => ({ ...dropStep(path, query), isOptional: !applied.has(path) }));
  return [...drops, ...hidden];
}

function dropStep(path: string, query: string): Step {
  const [schema = "", name = ""] = namesOfRelation("views", path) ?? [];
  const target = async ({ snapshots }: World) =>
    targetOf(requireView((await snapshots.fresh()).catalogue, schema, name));
  return {
    kind: "view.drop",
    document: path,
    subject: relationKey(schema, name),
    order: stepOrder.views.drop,
    detail: null,
    values: { before: { query }, after: null },
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
