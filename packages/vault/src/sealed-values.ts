import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  type Queryable,
  toAppError,
} from "@rowhouse/db";
import type { SealedColumn } from "./sealed-column.ts";
import type { Vault } from "./vault.ts";

/** A sealed value, identified without its content. */
export interface SealedValue {
  readonly table: string;
  readonly id: string;
}

/** Counts of the sealed values in the database, by the secret that opens them. */
export interface SealedSummary {
  /** Values that ROWHOUSE_SECRET opens. */
  readonly current: number;
  /** Values that one of ROWHOUSE_OTHER_SECRETS opens. */
  readonly other: number;
  /** Values that no secret opens. */
  readonly unreadable: number;
  /** The first hundred unreadable values. */
  readonly unreadableValues: SealedValue[];
}

export interface SealedDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, "reseal">;
  readonly columns: readonly SealedColumn[];
}

const pageRows = 500;
const namedMax = 100;
/** Time limit in ms, shorter than a gateway's timeout; the next call continues. */
const resealMs = 10_000;

/** Counts the sealed values by trying to open each; it neither stores nor returns any. */
export async function surveySealedValues({
  database,
  vault,
  columns,
}: SealedDeps): Promise<SealedSummary> {
  let [current, other, unreadable] = [0, 0, 0];
  const unreadableValues: SealedValue[] = [];
  for await (const { column, row } of readSealed(database, columns)) {
    const found = await tryReseal(vault, column, row);
    if (found.kind === "CURRENT") current += 1;
    else if (found.kind === "OTHER") other += 1;
    else {
      unreadable += 1;
      if (unreadable <= namedMax) unreadableValues.push({ table: column.table, id: row.id });
    }
  }
  return { current, other, unreadable, unreadableValues };
}

/**
 * Reseals values that another secret of the vault sealed, under its first secret. Each value is one statement that
 * applies only if the value has not changed since it was read. So several processes can run at once, a concurrent
 * change wins, and completed work survives a crash. A value that no secret opens stays unchanged.
 *
 * @returns the number of resealed values and the present counts; `other` is more than 0 if the time limit passed, or
 * if a process still seals with another secret
 */
export async function resealValues(
  deps: SealedDeps,
  actor: AuditActor,
): Promise<SealedSummary & { readonly resealed: number }> {
  const { database, vault, columns } = deps;
  const until = Date.now() + resealMs;
  try {
    const before = await surveySealedValues(deps);
    if (before.other === 0) return { resealed: 0, ...before };
    // Written first, so that every change has its entry even if the process stops.
    await appendAuditEntry(database, actor, {
      action: "sealed_values.reseal",
      targetKind: "sealed_values",
      targetId: null,
    });
    let resealed = 0;
    for await (const { column, row } of readSealed(database, columns)) {
      if (Date.now() > until) break;
      const found = await tryReseal(vault, column, row);
      if (found.kind !== "OTHER") continue;
      const changed = await database.query(
        `update ${column.table} set ${column.column} = $3::text
         where ${column.key} = $1::text and ${column.column} = $2::text returning 1`,
        [row.key, row.sealed, found.resealed],
      );
      resealed += changed.length;
    }
    return { resealed, ...(await surveySealedValues(deps)) };
  } catch (error) {
    throw toAppError(error);
  }
}

interface SealedRow {
  readonly key: string;
  readonly id: string;
  readonly sealed: string;
}

/** Reads every sealed value in pages, without a transaction. */
async function* readSealed(
  database: Queryable,
  columns: readonly SealedColumn[],
): AsyncGenerator<{ readonly column: SealedColumn; readonly row: SealedRow }> {
  for (const column of columns) {
    let after: string | null = null;
    for (;;) {
      const rows: SealedRow[] = await database.query<SealedRow>(
        `select * from (
           select (${column.key}) collate "C" as key, ${column.id} as id, ${column.column} as sealed from ${column.table}
           where ${column.column} is not null
         ) values where $1::text is null or key > $1::text order by key limit ${pageRows}`,
        [after],
      );
      for (const row of rows) yield { column, row };
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) break;
      after = last.key;
    }
  }
}

type Tried =
  | { readonly kind: "CURRENT" }
  | { readonly kind: "OTHER"; readonly resealed: string }
  | { readonly kind: "UNREADABLE" };

async function tryReseal(
  vault: SealedDeps["vault"],
  column: SealedColumn,
  { key, sealed }: SealedRow,
): Promise<Tried> {
  try {
    const resealed = await vault.reseal(sealed, column.contextOf(key));
    return resealed === undefined ? { kind: "CURRENT" } : { kind: "OTHER", resealed };
  } catch {
    return { kind: "UNREADABLE" };
  }
}
