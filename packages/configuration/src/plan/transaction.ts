import {
  type AuditActor,
  createSnapshotStore,
  type Database,
  nestedDatabase,
  type OwnTransaction,
  type Queryable,
  readPostgresFailure,
  simpleKinds,
  toAppError,
} from "@rowhouse/db";
import { ViewsAside } from "@rowhouse/ddl";
import type { Services, World } from "../model/part.ts";

/** Who asks for a plan or an apply, and the services that it uses. */
export interface Caller {
  readonly actor: AuditActor;
  readonly hasSession: boolean;
  readonly services: Services;
  /**
   * Proves in the transaction of an apply, last of all, that the caller may still do this.
   *
   * @throws AppError AUTHENTICATION_REQUIRED, ACTION_DENIED
   */
  prove(transaction: Queryable): Promise<void>;
}

/** Opens a transaction; a throw rolls it back. */
export type OpenTransaction = <Result>(
  work: (transaction: OwnTransaction) => Promise<Result>,
) => Promise<Result>;

/** Time limit of one statement of an apply. Rewriting a large table takes minutes. */
const statementTimeout = "4min";

/** Time limits of a plan and of an apply, in milliseconds. */
export const planMs = 15 * 60_000;
export const applyMs = 60 * 60_000;

/** Returns the world of a transaction. Its changes have no audit entries of their own; they are in `actor.collected`. */
export async function openWorld(
  database: Database,
  transaction: OwnTransaction,
  { actor, hasSession, services }: Caller,
): Promise<World> {
  await transaction.query(`set local statement_timeout = '${statementTimeout}'`);
  const nested = nestedDatabase(database, transaction);
  await createTemporarySchema(nested);
  return {
    database: nested,
    snapshots: createSnapshotStore(nested),
    actor: { ...actor, collected: [] },
    ...{ hasSession, services, dropped: new Set<string>() },
    ...{ aside: new ViewsAside(), created: [] },
  };
}

/**
 * Creates the schema of the session's temporary tables. Otherwise each probe on a temporary table creates it again, since
 * the probe is rolled back, and each change of `pg_namespace` invalidates all plans that PostgreSQL has kept.
 */
async function createTemporarySchema(database: Database): Promise<void> {
  const created = database.transaction(async ({ asService }) => {
    await asService.query("create temporary table rowhouse_first ()");
    await asService.query("drop table pg_temp.rowhouse_first");
  });
  // A login without this privilege can still plan what needs no probe.
  await created.catch(() => {});
}

/** Attempts of a change that PostgreSQL has rolled back because of a deadlock. */
const attemptsMax = 3;

interface ChangeOptions {
  /** Opens the transaction; by default one of the pool. */
  readonly open?: OpenTransaction;
  /** Runs before the transaction waits for others that change the configuration. */
  readonly before?: (transaction: Queryable) => Promise<void>;
}

/**
 * Changes the configuration in one transaction, which no other change of it accompanies.
 *
 * @throws AppError
 */
export async function changeConfiguration<Result>(
  database: Database,
  caller: Caller,
  work: (world: World) => Promise<Result>,
  options: ChangeOptions = {},
): Promise<Result> {
  const { open = (run) => database.transaction(run), before = async () => {} } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open(async (transaction) => {
        const world = await openWorld(database, transaction, caller);
        await before(world.database);
        await lockConfiguration(world.database);
        const result = await work(world);
        await caller.prove(world.database);
        return result;
      });
    } catch (error) {
      const isDeadlock = readPostgresFailure(error)?.code === "40P01";
      if (!isDeadlock || attempt === attemptsMax) throw toAppError(error);
    }
  }
}

/**
 * Lets no other transaction change the configuration before this one ends. Readers do not wait. The epoch is last, as in
 * every change. Users, their memberships and credentials are not locked, since sign-ins would wait: `prove` locks the rows
 * of the caller, at the end.
 */
async function lockConfiguration(queryable: Queryable): Promise<void> {
  const tables = [
    ...["roles", "grants", "grant_columns", "resources", "resource_columns", "settings"],
    ...["templates", "auth_providers", "workflows", "workflow_invoke_grants"],
    ...["data_views", "data_view_roles", "dashboards", "dashboard_panels", "dashboard_roles"],
    ...simpleKinds.map(({ tableName }) => tableName),
  ];
  const names = [...tables, "epoch"].map((name) => `system.${name}`);
  await queryable.query(`lock table ${names.join(", ")} in share row exclusive mode`);
}
