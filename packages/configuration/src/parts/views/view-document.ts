import { isDeepStrictEqual } from "node:util";
import type { Snapshot } from "@rowhouse/db";
import { z } from "zod";
import { type DescribedView, describedIn, isUncarried } from "../../documents/described.ts";
import { readRelationKey, relationPath } from "../../documents/document-name.ts";
import { awaitedIn, matcherOf } from "../../documents/elsewhere.ts";
import type { State, Unwritten } from "../../model/part.ts";
import {
  columnLooks,
  columnPresentationSchema,
  presentationOf,
  presentationSchema,
} from "../presentation.ts";

const written = z.strictObject({
  /**
   * The document only exposes and shows the view: another tool creates and changes it, or the file of `sql` with its name,
   * because its SELECT has what no document may have.
   */
  managed: z.enum(["elsewhere", "sql"]).nullable().default(null),
  /** The view (`schema.view`) that gets this name. */
  renamedFrom: z
    .string()
    .refine((key) => readRelationKey(key) !== undefined, {
      error: "A former name is that of a view: schema.view",
    })
    .nullable()
    .default(null),
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

export const viewSchema = written.superRefine((view, context) => {
  const refuse = (key: string, message: string) =>
    context.addIssue({ code: "custom", path: [key], message });
  if (view.managed === null) {
    if (view.query === null) refuse("query", "A view has a SELECT");
    return;
  }
  if (view.renamedFrom !== null) {
    refuse("renamedFrom", "The tool that manages this view renames it; remove renamedFrom");
  }
  const structure = elsewhereView;
  for (const key of structuralKeys) {
    if (isDeepStrictEqual(view[key], structure[key])) continue;
    if (view.managed === "sql" && key === "elsewhere") continue;
    refuse(key, "The structure of a view that is managed elsewhere has no place here");
  }
});

export type ViewStructure = Pick<z.output<typeof written>, (typeof structuralKeys)[number]>;
const structuralKeys = ["query", "materialized", "comment", "indexes", "elsewhere"] as const;

/** The document of a view of other tools that is neither exposed nor shown in its own way. */
export const elsewhereView = written.parse({ managed: "elsewhere" });

export interface ViewDocument extends z.output<typeof written>, Unwritten {
  /** In the present state: what the view is, also if other tools manage it; undefined for one that does not exist. */
  readonly actual?: ViewStructure | undefined;
}

/** Reads the documents of all views, by path, and those of views that other tools have not created yet. */
export async function readViews(state: State): Promise<Map<string, ViewDocument>> {
  const { snapshot, elsewhere } = state;
  const { views, isOwn } = await describedIn(state);
  const isMatched = matcherOf(elsewhere.patterns);
  const present = new Map<string, ViewDocument>();
  for (const view of views) {
    const path = relationPath("views", view);
    const isOthers = isMatched(view.schema, view.name) || view.isOfExtension;
    const { managed = false, objects = [] } = elsewhere.documents[path] ?? {};
    const isLeft = isOthers || managed;
    const hasSql = !isLeft && isOwn(view.schema, view.name);
    const isWhole = isLeft || view.isWhole;
    const document = documentOf(snapshot, view, hasSql, isWhole ? undefined : objects);
    const isPlain = isDeepStrictEqual({ ...document, actual: undefined }, plainView);
    present.set(path, { ...document, hasNoFile: isOthers && isPlain && !managed });
  }
  for (const path of awaitedIn(elsewhere, present, "views")) present.set(path, elsewhereView);
  return present;
}

const plainView = { ...elsewhereView, actual: undefined };

/**
 * @param hasSql whether statements of `sql` create what the document does not describe
 * @param named the objects that the last applied document leaves to other tools; undefined for a whole view
 */
function documentOf(
  snapshot: Snapshot,
  view: DescribedView,
  hasSql: boolean,
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
  // The options of a plain view guard its rows, and a statement sets them; those of a materialized one are of its storage.
  const isLeft = (object: string) =>
    isUncarried(object) && (materialized || !object.startsWith("options "));
  const left = hasSql ? actual.elsewhere.filter(isLeft) : actual.elsewhere;
  const structure =
    named === undefined
      ? { ...elsewhereView, elsewhere: hasSql ? left : [] }
      : { ...actual, elsewhere: [...new Set([...left, ...named])].toSorted() };
  const managed = hasSql ? ("sql" as const) : ("elsewhere" as const);
  return {
    ...structure,
    ...{ managed: named === undefined ? managed : null, actual, renamedFrom: null },
    exposed: [...(shown?.exposed ?? [])],
    label: shown?.label ?? null,
    description: shown?.description ?? null,
    title: shown?.title ?? null,
    columns: Object.fromEntries(looks),
  };
}
