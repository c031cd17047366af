import {
  type AuditActor,
  createSnapshotStore,
  type Database,
  nestedDatabase,
  type Queryable,
} from "@rowhouse/db";
import type { Services, World } from "../model/part.ts";

/** Who asks for a plan or an apply, and the services that it uses. */
export interface Caller {
  readonly actor: AuditActor;
  readonly hasSession: boolean;
  readonly services: Services;
}

/** Thrown to roll a plan back. */
class Undo extends Error {}

/** Time limit of one statement of an apply. Rewriting a large table takes minutes. */
const statementTimeout = "4min";

/** Runs `work` in a transaction whose changes have no audit entries of their own; they are in `world.actor.collected`. */
export async function within<Result>(
  database: Database,
  { actor, hasSession, services }: Caller,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query(`set local statement_timeout = '${statementTimeout}'`);
    const nested = nestedDatabase(database, transaction);
    const world = {
      database: nested,
      snapshots: createSnapshotStore(nested),
      actor: { ...actor, collected: [] },
      ...{ hasSession, services },
    };
    return work(world);
  });
}

/** As `within`, and rolls back whatever the work has changed. */
export async function rehearsed<Result>(
  database: Database,
  caller: Caller,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  let done: { readonly result: Result } | undefined;
  try {
    await within(database, caller, async (world) => {
      done = { result: await work(world) };
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  if (done === undefined) throw new Error("The work has no result");
  return done.result;
}

/**
 * Lets no other transaction change the configuration before this one ends. Readers do not wait. The epoch is last, as in
 * every change.
 */
export async function lockConfiguration(queryable: Queryable): Promise<void> {
  const tables = [
    ...["roles", "grants", "grant_columns", "resources", "resource_columns", "settings"],
    ...["templates", "auth_providers", "workflows", "workflow_invoke_grants"],
    ...["data_views", "data_view_roles", "dashboards", "dashboard_panels", "dashboard_roles"],
  ];
  const names = [...tables, "epoch"].map((name) => `system.${name}`);
  await queryable.query(`lock table ${names.join(", ")} in share row exclusive mode`);
}
