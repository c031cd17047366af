import type { Catalogue } from "@rowhouse/db";
import {
  compileDropView,
  compileReturn,
  findViewsOf,
  type ReadPart,
  readViewRecord,
  requireDroppable,
  type ViewTarget,
  withReaders,
} from "@rowhouse/ddl";
import { relationKey, relationPath } from "../../documents/document-name.ts";
import {
  type BrokenPart,
  type Documents,
  noEffects,
  type Step,
  stepOrder,
  type World,
} from "../../model/part.ts";
import { viewsPart } from "./views-part.ts";

/**
 * Returns the steps that drop the views which read what other steps drop or give another type, and create them again. Those
 * that read a column which is dropped come back only with another definition: where there is none, the step that drops it
 * says what depends on it.
 */
export async function setAsideSteps(
  world: World,
  steps: readonly Step[],
  documents: Documents,
): Promise<Step[]> {
  const broken = steps.flatMap(({ breaks = [] }) => breaks);
  if (broken.length === 0) return [];
  const { catalogue } = await world.snapshots.fresh();
  const named = (kind: Step["kind"]) =>
    new Set(steps.filter((step) => step.kind === kind).map(({ subject }) => subject));
  const [dropped, replaced] = [named("view.drop"), named("view.replace")];
  // The views of the catalogue have their present names.
  const names = new Map(
    steps.flatMap(({ kind, subject, detail }) =>
      kind === "view.rename" ? [[(detail as { former: string }).former, subject] as const] : [],
    ),
  );
  const keyOf = ({ schema, name }: ViewTarget): string => {
    const key = relationKey(schema, name);
    return names.get(key) ?? key;
  };
  const read = async (isGone: boolean) => {
    const parts = broken.filter((part) => part.isGone === isGone);
    const oids = await findViewsOf(world.database, partsIn(catalogue, parts));
    const found = await withReaders(world.database, oids);
    return found.filter(({ oid }) => oids.includes(oid));
  };
  const isDropped = (view: ViewTarget) => dropped.has(keyOf(view));
  const isOthers = ({ schema, name }: ViewTarget) =>
    documents.isOthers(schema, name) ||
    isManaged(documents, relationPath("views", { schema, name }));
  const gone = await read(true);
  // These cannot come back: the step that drops what they read says so.
  if (gone.some((view) => !replaced.has(keyOf(view)) && !dropped.has(keyOf(view)))) return [];
  const retyped = await read(false);
  const seeds = [...gone, ...retyped].filter((view) => !isDropped(view)).map(({ oid }) => oid);
  const all = await withReaders(world.database, seeds);
  const views = all.filter((view) => !isDropped(view));
  if (views.length === 0 || views.some(isOthers)) return [];
  const renames = steps.flatMap(({ renamesColumns = [] }) => renamesColumns);
  const [document] = steps.flatMap((step) => (step.breaks ? [step.document] : []));
  const common = { document: document ?? "", subject: views.map(keyOf).join(", ") };
  const kept = views.filter((view) => !replaced.has(keyOf(view)));
  const restore: Step = {
    ...common,
    kind: "view.restore",
    subject: kept.map(keyOf).join(", "),
    order: stepOrder.views.restore,
    detail: kept.map(keyOf),
    preview: async ({ database }) => {
      const sql: string[] = [];
      for (const target of kept) {
        sql.push(...compileReturn({ target, record: await readViewRecord(database, target.oid) }));
      }
      return { ...noEffects, sql };
    },
    run: ({ database, aside }) => aside.bringReady(database, () => false),
  };
  const setAside: Step = {
    ...common,
    kind: "view.suspend",
    order: stepOrder.views.setAside,
    detail: views.map(keyOf),
    isUsedBy: ({ kind }) => /^(schema|type|table|view)\./.test(kind),
    preview: async ({ database, dropped: isGone }) => {
      await requireDroppable(database, views);
      for (const { oid } of views) isGone.add(oid);
      const sql = views.toReversed().map(compileDropView);
      return { ...noEffects, sql, notes: [comeBack] };
    },
    run: async ({ database, aside }) => {
      await aside.take(database, seeds, renames);
    },
  };
  return kept.length === 0 ? [setAside] : [setAside, restore];
}

const comeBack =
  "These views read what the plan changes. They are created again in the same transaction, and keep their records, privileges and triggers.";

function partsIn(catalogue: Catalogue, broken: readonly BrokenPart[]): ReadPart[] {
  return broken.flatMap(({ schema, table, column }): ReadPart[] => {
    const relation = catalogue.relationByName(schema, table);
    if (relation === undefined) return [];
    const oid = String(relation.oid);
    if (column === null) return [{ oid, attributeNumber: null }];
    const found = relation.columnByName(column);
    return found === undefined ? [] : [{ oid, attributeNumber: found.attributeNumber }];
  });
}

function isManaged(documents: Documents, path: string): boolean {
  return documents.of(viewsPart).get(path)?.value.managed != null;
}
