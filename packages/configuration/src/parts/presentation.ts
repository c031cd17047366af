import { isDeepStrictEqual } from "node:util";
import type { Method, Relation, Snapshot } from "@rowhouse/db";
import { previewLocks, readTableState, rolledBack } from "@rowhouse/ddl";
import { createFault, throwFaults } from "@rowhouse/errors";
import {
  type ColumnChanges,
  checkResource,
  columnColorsSchema,
  columnFormatSchema,
  methods,
  type ResourceChanges,
  updateResource,
  updateResourceColumn,
  writtenTitle,
} from "@rowhouse/permissions";
import { z } from "zod";
import type { Document } from "../model/document.ts";
import { noEffects, type Step, stepOrder, type World } from "../model/part.ts";

/** How a relation is exposed and shown. */
export const presentationSchema = {
  exposed: z
    .array(z.enum(methods))
    .default([])
    .transform((exposed) => methods.filter((method) => exposed.includes(method))),
  label: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  title: z.string().nullable().default(null),
};

/** How a column is shown. */
export const columnPresentationSchema = {
  label: z.string().nullable().default(null),
  format: columnFormatSchema.nullable().default(null),
  colors: columnColorsSchema.nullable().default(null),
  relationName: z.string().nullable().default(null),
};

export interface Presentation {
  readonly exposed: readonly Method[];
  readonly label: string | null;
  readonly description: string | null;
  readonly title: string | null;
}

export type ColumnLook = {
  readonly [Field in keyof ColumnChanges]-?: Exclude<ColumnChanges[Field], undefined>;
};

const plainColumn: ColumnLook = { label: null, format: null, colors: null, relationName: null };

export function presentationOf(snapshot: Snapshot, relation: Relation): Presentation {
  const { exposedMethods, label, description } = relation.resource;
  const exposed = methods.filter((method) => exposedMethods.includes(method));
  return { exposed, label, description, title: writtenTitle(snapshot, relation) };
}

/** Returns how each column is shown, by name; a column that is shown as it is has no entry. */
export function columnLooks(
  { presentations }: Snapshot,
  relation: Relation,
): ReadonlyMap<string, ColumnLook> {
  const stored = presentations.get(relation.resource.id);
  return new Map(
    relation.columns.flatMap(({ attributeNumber, name }): [string, ColumnLook][] => {
      const found = stored?.get(attributeNumber);
      const look = {
        label: found?.label ?? null,
        format: (found?.format ?? null) as ColumnLook["format"],
        colors: (found?.colors ?? null) as ColumnLook["colors"],
        relationName: relation.resource.relationNames[attributeNumber] ?? null,
      };
      return isDeepStrictEqual(look, plainColumn) ? [] : [[name, look]];
    }),
  );
}

/** Leaves out what is null. */
export function withoutNull(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** A relation, as the documents want it and as it is. */
export interface PresentationChange {
  readonly document: Pick<Document, "path">;
  readonly subject: string;
  readonly relation: { readonly schema: string; readonly name: string };
  readonly wanted: ResourceChanges;
  /** Undefined for a relation that is yet to be created. */
  readonly present: ResourceChanges | undefined;
  readonly columns: ReadonlyMap<string, ColumnLook>;
  readonly presentColumns: ReadonlyMap<string, ColumnLook>;
}

/** Returns the steps that expose a relation, and those that show it and its columns. */
export function presentationSteps(change: PresentationChange): Step[] {
  const { document, subject, relation, wanted, present = plain } = change;
  const changed: ResourceChanges = Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => !isDeepStrictEqual(value, present[key as keyof ResourceChanges]),
    ),
  );
  const common = { document: document.path, subject, order: stepOrder.resources } as const;
  const idOf = async ({ snapshots }: World) => {
    const { catalogue } = await snapshots.fresh();
    return catalogue.relationByName(relation.schema, relation.name)?.resource.id ?? "";
  };
  const step = (fields: ResourceChanges): Step => ({
    ...common,
    kind: "resource.update",
    detail: fields,
    values: {
      before: shown(
        Object.fromEntries(
          Object.keys(fields).map((key) => [key, present[key as keyof ResourceChanges]]),
        ),
      ),
      after: shown(fields),
    },
    locate: (pointer) => [
      pointer.replace(/^\/data\/exposedMethods/, "exposed").replace(/^\/data\//, ""),
    ],
    run: async (world) => {
      const { database, snapshots, actor } = world;
      await updateResource(database, snapshots, await idOf(world), fields, actor);
    },
  });
  const { history, ...others } = changed;
  const locksTable = history !== undefined && change.present !== undefined;
  const tried = locksTable ? others : changed;
  const steps: Step[] = [];
  if (Object.keys(tried).length > 0) steps.push(step(tried));
  if (locksTable) {
    steps.push({
      ...step({ history }),
      isUsedBy: () => false,
      // Its triggers would keep the writers of the table waiting until the plan ends.
      preview: async (world) => {
        const { database, snapshots } = world;
        const id = await idOf(world);
        return rolledBack(database, async (transaction) => {
          await checkResource(transaction, snapshots, id, { history });
          const table = await readTableState(database, relation.schema, relation.name);
          const mode = history ? "SHARE ROW EXCLUSIVE" : "ACCESS EXCLUSIVE";
          return { ...noEffects, locks: previewLocks(table, { mode, work: "NONE" }, []) };
        });
      },
    });
  }
  const names = new Set([...change.columns.keys(), ...change.presentColumns.keys()]);
  for (const name of names) {
    const look = change.columns.get(name) ?? plainColumn;
    if (isDeepStrictEqual(look, change.presentColumns.get(name) ?? plainColumn)) continue;
    steps.push({
      ...common,
      kind: "resource.update",
      subject: `${subject}.${name}`,
      detail: look,
      values: { before: change.presentColumns.get(name) ?? plainColumn, after: look },
      locate: (pointer) => ["columns", name, ...pointer.split("/").slice(2)],
      run: async ({ database, snapshots, actor }) => {
        const { catalogue } = await snapshots.fresh();
        const found = catalogue.relationByName(relation.schema, relation.name);
        if (found?.columnByName(name) === undefined) {
          // A column that a step before this one has dropped took its look with it.
          if (isDeepStrictEqual(look, plainColumn)) return;
          const message = `There is no column ${name}`;
          throwFaults([createFault("VALUE_INVALID", { path: "/data", message })]);
          return;
        }
        await updateResourceColumn(database, snapshots, found.resource.id, name, look, actor);
      },
    });
  }
  return steps;
}

/** Returns fields by the names that documents have for them. */
function shown({ exposedMethods, ...fields }: ResourceChanges): object {
  return exposedMethods === undefined ? fields : { exposed: exposedMethods, ...fields };
}

/** The presentation of a relation that was just created. */
const plain: ResourceChanges = {
  ...{ exposedMethods: [], label: null, description: null, title: null },
  ...{ history: false, junction: false },
};
