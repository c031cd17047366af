import {
  type AuditActor,
  createSnapshotStore,
  type Database,
  nestedDatabase,
  type OwnTransaction,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import type { Services, World } from "../model/part.ts";

/** Who asks for a plan or an apply, and the services that it uses. */
export interface Caller {
  readonly actor: AuditActor;
  readonly hasSession: boolean;
  readonly services: Services;
}

/** Time limit of one statement of an apply. Rewriting a large table takes minutes. */
const statementTimeout = "4min";

/** Returns the world of a transaction. Its changes have no audit entries of their own; they are in `actor.collected`. */
export async function openWorld(
  database: Database,
  transaction: OwnTransaction,
  { actor, hasSession, services }: Caller,
): Promise<World> {
  await transaction.query(`set local statement_timeout = '${statementTimeout}'`);
  const nested = nestedDatabase(database, transaction);
  return {
    database: nested,
    snapshots: createSnapshotStore(nested),
    actor: { ...actor, collected: [] },
    ...{ hasSession, services, dropped: new Set<string>() },
  };
}

/** Attempts of a change that PostgreSQL has rolled back because of a deadlock. */
const attemptsMax = 3;

/**
 * Changes the configuration in one transaction, which no other change of it accompanies.
 *
 * @throws AppError
 */
export async function changeConfiguration<Result>(
  database: Database,
  caller: Caller,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (transaction) => {
        const world = await openWorld(database, transaction, caller);
        await lockConfiguration(world.database);
        return work(world);
      });
    } catch (error) {
      const isDeadlock = readPostgresFailure(error)?.code === "40P01";
      if (!isDeadlock || attempt === attemptsMax) throw toAppError(error);
    }
  }
}

/**
 * Lets no other transaction change the configuration before this one ends. Readers do not wait. The epoch is last, as in
 * every change.
 */
async function lockConfiguration(queryable: Queryable): Promise<void> {
  const tables = [
    ...["roles", "grants", "grant_columns", "resources", "resource_columns", "settings"],
    ...["templates", "auth_providers", "workflows", "workflow_invoke_grants"],
    ...["data_views", "data_view_roles", "dashboards", "dashboard_panels", "dashboard_roles"],
  ];
  const names = [...tables, "epoch"].map((name) => `system.${name}`);
  await queryable.query(`lock table ${names.join(", ")} in share row exclusive mode`);
}
