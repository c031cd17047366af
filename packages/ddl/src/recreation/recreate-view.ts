import { type AuditActor, appendAuditEntry, type Database, type Transaction } from "@rowhouse/db";
import { AppError, createFault, throwFaults } from "@rowhouse/errors";
import type { Loss } from "../alteration/plan.ts";
import { lossesOfGrants } from "../alteration/plan-dependents.ts";
import { lossesOfUses } from "../alteration/stored-uses.ts";
import { compileDropView } from "../compile-view.ts";
import { definitionPath, type GuardedView } from "../guarded-view.ts";
import { outputNames } from "../names/output-names.ts";
import { columnsSql, type ProbedColumn, probeView } from "../probe-view.ts";
import { compileRefresh, fillView } from "../refresh-view.ts";
import {
  findLostColumns,
  previewReplaceView,
  replaceView,
  requireNoCycle,
} from "../replace-view.ts";
import { readViewRecord, type ViewTarget } from "../view-record.ts";
import { withReaders } from "./view-readers.ts";
import { compileReturn, requireDroppable, type ViewsAside } from "./views-aside.ts";

/** What another definition of a view does. */
export interface RecreationPreview {
  readonly sql: readonly string[];
  /** The columns that the view loses. */
  readonly lost: readonly string[];
  readonly losses: readonly Loss[];
  readonly notes: readonly string[];
}

interface Recreation {
  /** The views that are dropped and come back in this transaction. */
  readonly aside: ViewsAside;
  /** Whether a view gets another definition later, so that it does not come back before. */
  readonly isAwaited: (view: Pick<ViewTarget, "schema" | "name">) => boolean;
}

/**
 * Gives a view another definition, which may have other columns, or another kind. Where PostgreSQL cannot replace it, it is
 * dropped and created again with its readers; all of them keep their records, comments, privileges and triggers.
 *
 * @param mayLose whether the view may lose a column
 * @throws AppError as `replaceView`; CONFLICT for a column that it may not lose, and for other objects that depend on it
 */
export async function redefineView(
  database: Database,
  target: ViewTarget,
  view: GuardedView,
  {
    aside,
    isAwaited,
    mayLose,
    actor,
  }: Recreation & {
    readonly mayLose: (column: string) => boolean;
    readonly actor: AuditActor;
  },
): Promise<void> {
  const present = aside.find(target.schema, target.name);
  for (const read of view.references.relations) {
    if (!isAwaited(read)) await aside.bring(database, read);
  }
  if (present === undefined && (await canReplace(database, target, view))) {
    await replaceView(database, target, view, actor);
    if (view.materialized) await fillView(database, view);
    return;
  }
  if (present === undefined) await requireNoCycle(database, target, view);
  const next = await probeView(database, view);
  const names =
    present?.record.columns ?? (await columnsOf(database, target)).map(({ name }) => name);
  throwFaults(
    lostOf(
      names,
      next.map(({ name }) => name),
    )
      .filter((column) => !mayLose(column))
      .map((column) =>
        createFault("CONFLICT", {
          path: definitionPath,
          message: `The view would lose its column ${column}, which nobody has consented to`,
          details: { column, change: "DROPPED" },
        }),
      ),
  );
  if (present === undefined) await aside.take(database, [target.oid]);
  await aside.bring(database, target, view);
  await aside.bringReady(database, isAwaited);
  await appendAuditEntry(database, actor, {
    action: "view.replace",
    targetKind: "resource",
    targetId: target.resourceId,
    changedFields: ["definition"],
  });
}

/**
 * Returns what `redefineView` would do.
 *
 * @param isAside whether another step drops the view before
 * @param isTried whether what the view reads is as it will be; otherwise a definition that PostgreSQL does not accept yet is
 *   no fault
 */
export async function previewRedefinition(
  database: Database,
  target: ViewTarget,
  view: GuardedView,
  {
    isAside,
    isTried,
    isAwaited,
  }: Pick<Recreation, "isAwaited"> & { readonly isAside: boolean; readonly isTried: boolean },
): Promise<RecreationPreview> {
  const next = await nextColumns(database, view, isTried);
  const present = await columnsOf(database, target);
  const lost =
    next.names === undefined
      ? []
      : lostOf(
          present.map(({ name }) => name),
          next.names,
        );
  const losses = await lossesOf(database, target, present, lost);
  const notes = next.names === undefined ? [unknownColumns] : [];
  const common = { lost, losses, notes };
  if (!isAside && lost.length === 0 && (await canReplace(database, target, view, next.columns))) {
    const { sql } = await previewReplaceView(database, target, view).catch((error: unknown) => {
      if (isTried || !(error instanceof AppError)) throw error;
      return { sql: [] };
    });
    if (sql.length > 0) return { ...common, sql };
  }
  const record = await readViewRecord(database, target.oid);
  const create = compileReturn({ target, record }, view, next.names);
  const fill = view.materialized ? [compileRefresh(target, false)] : [];
  if (isAside) return { ...common, sql: [...create, ...fill] };
  const [, ...readers] = await withReaders(database, [target.oid]);
  await requireDroppable(database, [target, ...readers]);
  const drops = [target, ...readers].toReversed().map(compileDropView);
  const back: string[] = [];
  for (const reader of readers.filter((one) => !isAwaited(one))) {
    back.push(
      ...compileReturn({ target: reader, record: await readViewRecord(database, reader.oid) }),
    );
  }
  const names = readers.map(({ schema, name }) => `${schema}.${name}`);
  const told =
    names.length === 0
      ? "PostgreSQL cannot replace this view, so it is dropped and created again. It keeps its record and privileges."
      : `PostgreSQL cannot replace this view, so it is dropped and created again, with its readers: ${names.join(", ")}. They keep their records and privileges.`;
  return { ...common, notes: [told, ...notes], sql: [...drops, ...create, ...fill, ...back] };
}

const unknownColumns =
  "The plan could not try the definition, because it depends on a step that would lock a table in use, and its text does not name every column; the apply asks for the consents to those that the view loses.";

async function nextColumns(
  database: Database,
  view: GuardedView,
  isTried: boolean,
): Promise<{
  readonly columns?: readonly ProbedColumn[];
  readonly names: readonly string[] | undefined;
}> {
  try {
    const columns = await probeView(database, view);
    return { columns, names: columns.map(({ name }) => name) };
  } catch (error) {
    if (isTried || !(error instanceof AppError) || error.status >= 500) throw error;
    return { names: await outputNames(view.sql) };
  }
}

/** Whether PostgreSQL can replace a view, or there is nothing that a new one in its place could break. */
async function canReplace(
  database: Database,
  target: ViewTarget,
  view: GuardedView,
  next?: readonly ProbedColumn[],
): Promise<boolean> {
  if (target.materialized !== view.materialized) return false;
  if (target.materialized && (await withReaders(database, [target.oid])).length > 1) return false;
  const columns = next ?? (await probeView(database, view));
  return findLostColumns(await columnsOf(database, target), columns).length === 0;
}

function columnsOf(database: Transaction, { oid }: ViewTarget): Promise<ProbedColumn[]> {
  return database.query<ProbedColumn>(columnsSql, [oid]);
}

function lostOf(present: readonly string[], next: readonly string[]): string[] {
  return present.filter((name) => !next.includes(name));
}

async function lossesOf(
  database: Database,
  target: ViewTarget,
  present: readonly ProbedColumn[],
  lost: readonly string[],
): Promise<Loss[]> {
  const losses: Loss[] = [];
  for (const name of lost) {
    const attributeNumber = present.findIndex((column) => column.name === name) + 1;
    const part = { kind: "COLUMN", attributeNumber, name } as const;
    losses.push(
      { path: definitionPath, object: "column", name, note: null },
      ...(await lossesOfGrants(database, target.resourceId, attributeNumber, definitionPath)),
      ...(await lossesOfUses(database, target, part, { change: "DROP", path: definitionPath })),
    );
  }
  return losses;
}
