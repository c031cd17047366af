import { type Database, quoteIdentifier, quoteQualified, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { attempt, rollBackTo } from "../base/attempt.ts";
import { bindAgain } from "../base/bind-columns.ts";
import { applyStatements, changeViews } from "../change-views.ts";
import { compileAgain, compileDropView, compileKept, type RecreatedView } from "../compile-view.ts";
import { requireNoDependents } from "../drop-view.ts";
import { columnsSql, type ProbedColumn } from "../probe-view.ts";
import { fillView } from "../refresh-view.ts";
import { findDependents } from "../view-dependents.ts";
import { readViewRecord, type ViewRecord, type ViewTarget } from "../view-record.ts";
import { withReaders } from "./view-readers.ts";

/** A view that is dropped, and will be created again. Its record belongs to an empty view meanwhile. */
export interface ViewAside {
  readonly target: ViewTarget;
  readonly record: ViewRecord;
  /** The name of the empty view in the schema of the view. */
  readonly empty: string;
  /** The views aside that it reads. */
  readonly reads: readonly string[];
}

/** How a view comes back: by default as it was. */
export interface NewDefinition
  extends Pick<RecreatedView, "materialized" | "sql" | "comment" | "indexes"> {}

/** The views of a transaction that are dropped and will be created again, with their readers. */
export class ViewsAside {
  readonly #views = new Map<string, ViewAside>();

  find(schema: string, name: string): ViewAside | undefined {
    return this.#views.get(keyOf({ schema, name }));
  }

  /**
   * Drops views and their readers.
   *
   * @param renames statements that rename columns, after which the views come back: their definitions follow
   * @throws AppError CONFLICT for other objects that depend on one of them
   */
  async take(
    database: Database,
    oids: readonly string[],
    renames: readonly string[] = [],
  ): Promise<void> {
    const targets = await withReaders(database, oids);
    await requireDroppable(database, targets);
    await changeViews(database, async (transaction) => {
      const records = await recordsAfter(database, transaction, targets, renames);
      for (const target of targets.toReversed()) {
        const record = records.get(target.oid);
        if (record !== undefined) await this.#drop(transaction, target, record, targets);
      }
    });
  }

  async #drop(
    transaction: Transaction,
    target: ViewTarget,
    record: ViewRecord,
    targets: readonly ViewTarget[],
  ): Promise<void> {
    const empty = `rowhouse aside ${target.oid}`;
    const columns = await transaction.query<ProbedColumn>(columnsSql, [target.oid]);
    const reads = await readsOf(transaction, target, targets);
    const list = columns.map(({ name }) => `null::text as ${quoteIdentifier(name)}`).join(", ");
    const sql = `create view ${quoteQualified(target.schema, empty)} as select ${list}`;
    await applyStatements(transaction, [{ sql, path: "/data" }]);
    await bindAgain(transaction, target.resourceId, { schema: target.schema, name: empty });
    await applyStatements(transaction, [{ sql: compileDropView(target), path: "/data" }]);
    this.#views.set(keyOf(target), { target, record, empty, reads });
  }

  /**
   * Creates a view again, with its record, and those that it reads before.
   *
   * @throws AppError with the path of a statement that PostgreSQL refuses
   */
  async bring(
    database: Database,
    { schema, name }: Pick<ViewTarget, "schema" | "name">,
    definition?: NewDefinition,
  ): Promise<void> {
    const aside = this.find(schema, name);
    if (aside === undefined) return;
    const { target, record, empty, reads } = aside;
    for (const key of reads) {
      const read = this.#views.get(key);
      if (read !== undefined) await this.bring(database, read.target);
    }
    const view: RecreatedView = { ...(definition ?? asItWas(aside)), ...{ schema, name } };
    this.#views.delete(keyOf(target));
    await changeViews(database, async (transaction) => {
      await applyStatements(transaction, [compileAgain(view, record)]);
      const oid = await bindAgain(transaction, target.resourceId, { schema, name });
      const drop = compileDropView({ schema, name: empty, materialized: false });
      const columns = await transaction.query<ProbedColumn>(columnsSql, [oid]);
      const kept = compileKept(
        view,
        record,
        columns.map((column) => column.name),
      );
      await applyStatements(transaction, [{ sql: drop, path: "/data" }, ...kept]);
      const isFilled = definition !== undefined || record.populated;
      if (view.materialized && isFilled) await fillView(transaction, view);
    });
  }

  /**
   * Creates again what waits for no other view.
   *
   * @param isAwaited whether a view gets another definition first
   */
  async bringReady(
    database: Database,
    isAwaited: (view: Pick<ViewTarget, "schema" | "name">) => boolean,
  ): Promise<void> {
    const isReady = ({ target, reads }: ViewAside) =>
      !isAwaited(target) && !reads.some((key) => this.#views.has(key));
    for (;;) {
      const ready = [...this.#views.values()].find(isReady);
      if (ready === undefined) return;
      await this.bring(database, ready.target);
    }
  }
}

/** Returns the statements that create a view aside again. */
export function compileReturn(
  { target, record }: Pick<ViewAside, "target" | "record">,
  definition?: NewDefinition,
  columns?: readonly string[],
): string[] {
  const { schema, name } = target;
  const view = { ...(definition ?? asItWas({ target, record })), ...{ schema, name } };
  const statements = [compileAgain(view, record), ...compileKept(view, record, columns)];
  return statements.map(({ sql }) => sql);
}

function asItWas({ target, record }: Pick<ViewAside, "target" | "record">): NewDefinition {
  return {
    ...{ materialized: target.materialized, sql: record.definition },
    ...{ comment: undefined, indexes: undefined },
  };
}

/**
 * Requires that nothing but views depends on views, and that each belongs to the service.
 *
 * @throws AppError CONFLICT
 */
export async function requireDroppable(
  database: Database,
  targets: readonly ViewTarget[],
): Promise<void> {
  const oids = targets.map(({ oid }) => oid);
  for (const target of targets) {
    requireNoDependents(await findDependents(database, target.oid, oids));
    const { own, owner } = await readViewRecord(database, target.oid);
    if (own) continue;
    const message = `The view ${target.schema}.${target.name} belongs to the login ${owner}, so it is not created again`;
    throw createError("CONFLICT", { message });
  }
}

/** Returns the records of views as they are once columns are renamed; as they are now, if one cannot be renamed yet. */
async function recordsAfter(
  database: Database,
  transaction: Transaction,
  targets: readonly ViewTarget[],
  renames: readonly string[],
): Promise<Map<string, ViewRecord>> {
  const read = async () => {
    const records = new Map<string, ViewRecord>();
    for (const { oid } of targets) records.set(oid, await readViewRecord(database, oid));
    return records;
  };
  if (renames.length === 0) return read();
  await transaction.query("savepoint rowhouse_renamed");
  const failure = await attempt(transaction, async () => {
    for (const sql of renames) await transaction.asService.query(sql);
  });
  const records = await read();
  if (failure === undefined) await rollBackTo(transaction, "rowhouse_renamed");
  return records;
}

async function readsOf(
  transaction: Transaction,
  { oid }: ViewTarget,
  targets: readonly ViewTarget[],
): Promise<string[]> {
  const rows = await transaction.query<{ oid: string }>(
    `select distinct d.refobjid::text as oid from pg_catalog.pg_rewrite w
     join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass
     where w.ev_class = $1::text::oid and w.rulename = '_RETURN' and d.refobjid <> w.ev_class`,
    [oid],
  );
  const read = new Set(rows.map((row) => row.oid));
  return targets.filter((other) => read.has(other.oid)).map(keyOf);
}

function keyOf({ schema, name }: Pick<ViewTarget, "schema" | "name">): string {
  return JSON.stringify([schema, name]);
}
