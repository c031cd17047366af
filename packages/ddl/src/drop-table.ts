import {
  type AuditActor,
  appendAuditEntry,
  type Database,
  quoteQualified,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { toChangeError } from "./alter-table.ts";
import type { Loss, OtherLock } from "./alteration/plan.ts";
import {
  cascadeRemedy,
  type Dependents,
  loadDependents,
  loadWatchers,
  restsOn,
} from "./alteration/plan-dependents.ts";
import { lossesOfUses } from "./alteration/stored-uses.ts";
import { rolledBack } from "./base/attempt.ts";
import { refreshRegistry } from "./base/registry.ts";
import { lockTimeout } from "./base/transaction-settings.ts";
import {
  type ChangePreview,
  compileLock,
  countLosses,
  createCountBudget,
  previewLocks,
} from "./change-effects.ts";
import { loadTableState, type TableState } from "./table-state.ts";

export interface DropTableInput {
  readonly schema: string;
  readonly table: string;
  /** Whether dependent objects are dropped as well: views, foreign keys of other tables. */
  readonly cascade: boolean;
}

/** What counts as dropped. */
export interface DroppedBefore {
  /** OIDs of views. */
  readonly gone?: ReadonlySet<string> | undefined;
  /** Whether every foreign key to the table is. */
  readonly foreignKeys?: boolean | undefined;
}

/**
 * Reports what dropping a table would execute, lock and lose; executes none of it.
 *
 * @param before what other changes drop before the table
 * @throws AppError NOT_FOUND; CONFLICT if other objects depend on the table and `cascade` is not set
 */
export async function previewDropTable(
  database: Database,
  input: DropTableInput,
  before: DroppedBefore = {},
): Promise<ChangePreview> {
  return rolledBack(database, async (transaction) => {
    const { table, dependents, statement } = await planDrop(
      transaction,
      input,
      "/data/cascade",
      before,
    );
    const losses = [...(await listLosses(transaction, table)), ...dependents.losses];
    return {
      sql: statement,
      locks: previewLocks(table, { mode: "ACCESS EXCLUSIVE", work: "NONE" }, otherLocks(table)),
      failingRows: [],
      losses: await countLosses(transaction, losses, createCountBudget()),
      confirmations: [{ path: "confirm", confirm: table.name }],
      notes: [
        "A table created later with the same name is a different table: it is hidden and has no grants.",
      ],
    };
  });
}

/**
 * Drops a table and writes the audit entry in one transaction.
 *
 * @param confirm the table's own name
 * @throws AppError NOT_FOUND; QUERY_INVALID without the confirmation; CONFLICT if other objects depend on the table,
 * or for a lock timeout
 */
export async function dropTable(
  database: Database,
  input: DropTableInput & { readonly confirm: string | undefined; readonly actor: AuditActor },
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      const before = await loadTableState(transaction, input.schema, input.table);
      if (input.confirm !== before.name) {
        const message = "Confirm with the table's name: its rows are lost";
        throw createError("QUERY_INVALID", { path: "confirm", message });
      }
      const lock = compileLock(before, "ACCESS EXCLUSIVE");
      if (lock !== null) await transaction.asService.query(lock);
      // Looked up again under the lock: from here on, no other transaction can add a dependent.
      const { table, statement } = await planDrop(transaction, input, "cascade");
      if (table.oid !== before.oid) throw createError("CONFLICT");
      for (const sql of statement.slice(lock === null ? 0 : 1))
        await transaction.asService.query(sql);
      await refreshRegistry(transaction);
      await appendAuditEntry(transaction, input.actor, {
        action: "table.drop",
        targetKind: "resource",
        targetId: table.resourceId,
      });
    });
  } catch (error) {
    throw toChangeError(error, undefined);
  }
}

async function planDrop(
  transaction: Transaction,
  { schema, table: name, cascade }: DropTableInput,
  cascadePath: string,
  { gone, foreignKeys = false }: DroppedBefore = {},
): Promise<{ table: TableState; dependents: Dependents; statement: string[] }> {
  const table = await loadTableState(transaction, schema, name);
  const root = { kind: "TABLE", oid: table.oid } as const;
  const loaded = await loadDependents({ transaction, ...(gone && { gone }) }, root, "");
  const remains = ({ object }: { readonly object: string }) =>
    !(foreignKeys && object === "table constraint");
  const dependents = {
    found: loaded.found.filter(remains),
    losses: loaded.losses.filter(remains),
  };
  if (dependents.found.length > 0 && !cascade) {
    const { code, message, path } = restsOn(dependents.found, cascadePath, cascadeRemedy);
    throw createError(code, { message, path });
  }
  const lock = compileLock(table, "ACCESS EXCLUSIVE");
  const drop = `drop table ${quoteQualified(schema, name)}${dependents.found.length > 0 ? " cascade" : ""}`;
  const foreign =
    table.kind === "FOREIGN_TABLE" ? drop.replace("drop table", "drop foreign table") : drop;
  return { table, dependents, statement: [...(lock === null ? [] : [lock]), foreign] };
}

async function listLosses(transaction: Transaction, table: TableState): Promise<Loss[]> {
  const name = `${table.schema}.${table.name}`;
  const grants = await transaction.query<{ role: string; action: string }>(
    `select o.name as role, g.action from system.grants g join system.roles o on o.id = g.role_id
     where g.resource_id = $1::text::uuid order by 1, 2`,
    [table.resourceId],
  );
  const watchers = await loadWatchers(transaction, table.resourceId, null);
  const uses = await lossesOfUses(
    transaction,
    table,
    { kind: "TABLE" },
    { change: "DROP", path: "" },
  );
  const others = uses.filter(
    ({ object, name }) => object !== "workflow" || !watchers.includes(name),
  );
  const valuesSql = `select pg_catalog.count(*) as rows from ${quoteQualified(table.schema, table.name)}`;
  return [
    { path: "", object: "rows", name, note: null, valuesSql },
    ...grants.map(({ role, action }) => ({
      path: "",
      object: "grant",
      name: `${role}: ${action}`,
      note: null,
    })),
    ...others,
    ...watchers.map((slug) => ({
      path: "",
      object: "workflow",
      name: slug,
      note: "receives no more events",
    })),
    ...table.foreignKeys.map((key) => ({
      path: "",
      object: "relation",
      name: key.name,
      note: `to ${key.targetSchema}.${key.targetTable}`,
    })),
  ];
}

function otherLocks(table: TableState): OtherLock[] {
  const mode = "ACCESS EXCLUSIVE";
  return [
    ...table.foreignKeys.map((key) => ({ schema: key.targetSchema, table: key.targetTable })),
    ...table.referencedBy.map((key) => ({ schema: key.schema, table: key.table })),
  ].map((other) => ({ ...other, mode, work: "NONE" }));
}
