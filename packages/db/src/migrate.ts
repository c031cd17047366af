import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import { ownersPathSql } from "./logins/service-login.ts";
import {
  appliedMigrations,
  loadMigrations,
  type Migration,
  migrationLockSql,
  newestMigration,
  readSchema,
  requireBaseline,
} from "./migration-files.ts";
import type { Database, Queryable } from "./queryable.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/**
 * Lock timeout of a migration; requests queue behind a waiting migration. It is shorter than `deadlock_timeout` (1 s),
 * so that a deadlock always ends the migration and not the request.
 */
const lockTimeoutMs = 500;
const lockPauseMs = 1000;
const lockWaitMs = 60_000;

/** The state of a migration's own exception: an administrator must change records first. */
const refusedState = "RH001";

/** How a migration waits for locks on its tables. */
export interface MigrationWait {
  /** Maximum waiting time; one minute by default. */
  readonly lockWaitMs?: number;
  /** Called once for each migration that has to wait. */
  readonly onWait?: ((sentence: string) => void) | undefined;
}

/**
 * Applies the numbered migrations that this database lacks, each in its own transaction. A new database gets the schema of
 * all of them at once. Several processes may call it concurrently; they wait for each other. Migrations of a newer build
 * stay untouched.
 *
 * @returns the names of the migrations that this call applied
 * @throws StartError if the database is too old for this build, if an applied migration differs from the file of the same
 * number, if the schema supports only newer builds, or if a migration did not get its locks
 */
export async function migrate(database: Database, wait: MigrationWait = {}): Promise<string[]> {
  const migrations = await loadMigrations();
  const isNew = await createSchema(database, migrations);
  const known = await appliedMigrations(database);
  await requireServed(database, known);
  const applied: string[] = [];
  for (const migration of migrations) {
    const checksum = known.get(migration.number);
    if (checksum !== undefined && checksum !== migration.checksum) throw otherBuild(migration);
    if (checksum === undefined && (await applyWhenFree(database, migration, wait))) {
      applied.push(migration.name);
    }
  }
  await installEventTriggers(database);
  return isNew ? migrations.map(({ name }) => name) : applied;
}

/**
 * Creates the schema of all migrations in a new database.
 *
 * @returns false if the database has migrations
 */
async function createSchema(
  database: Database,
  migrations: readonly Migration[],
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.query("set local statement_timeout = 0");
    await transaction.query(ownersPathSql);
    await transaction.query(migrationLockSql);
    // From the catalog itself: while this session waited for the lock, to_regclass kept what was so before.
    const found = await transaction.query(
      `select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'system' and c.relname = 'migrations'`,
    );
    if (found.length > 0) return false;
    await transaction.query("create schema if not exists system");
    await transaction.query(await readSchema());
    await transaction.query(
      `insert into system.migrations (number, name, checksum)
       select * from unnest($1::text::integer[], $2::text::text[], $3::text::text[])`,
      [
        `{${migrations.map(({ number }) => number).join()}}`,
        `{${migrations.map(({ name }) => name).join()}}`,
        `{${migrations.map(({ checksum }) => checksum).join()}}`,
      ],
    );
    return true;
  });
}

/**
 * Returns the first condition that a login without migration rights still waits for, or undefined: a migration that
 * this database lacks, or the login's privileges on the result of the last one.
 *
 * @throws StartError if the database is too old for this build, if an applied migration differs from the file of the same
 * number, or if the schema supports only newer builds
 */
export async function missingMigration(database: Queryable): Promise<string | undefined> {
  const applied = await appliedMigrations(database);
  const migrations = await loadMigrations();
  if (applied.size > 0) await requireServed(database, applied);
  for (const migration of migrations) {
    const checksum = applied.get(migration.number);
    if (checksum === undefined) return `${migration.name} is missing`;
    if (checksum !== migration.checksum) throw otherBuild(migration);
  }
  const [unread] = await database.query<{ name: string }>(
    `select c.relname::text as name from pg_catalog.pg_class c
     where c.relnamespace = to_regnamespace('system') and c.relkind = 'r' and not has_any_column_privilege(c.oid, 'select') limit 1`,
  );
  return unread === undefined ? undefined : `it may not read ${unread.name}`;
}

/**
 * Rejects a schema that is too old for this build, and one that no longer supports it: older code would fail on its
 * first statement, or write data that newer code cannot read.
 */
async function requireServed(
  database: Queryable,
  applied: ReadonlyMap<number, string>,
): Promise<void> {
  requireBaseline(applied);
  const newest = await newestMigration();
  const [row] = await database.query<{ from: string }>(
    "select serves_from::text as from from system.installation",
  );
  const from = Number(row?.from ?? 0);
  if (from <= newest) return;
  throw new StartError(
    `A newer build has migrated this database, and its schema supports builds from migration ${from} on. This build ends at migration ${newest}.`,
  );
}

function otherBuild(migration: Migration): StartError {
  return new StartError(
    `This database was set up by another build: its migration ${migration.name} differs from the file of this build.`,
  );
}

/** Repeats the migration while other transactions hold its tables, and lets requests proceed in between. */
async function applyWhenFree(
  database: Database,
  migration: Migration,
  wait: MigrationWait,
): Promise<boolean> {
  const until = Date.now() + (wait.lockWaitMs ?? lockWaitMs);
  for (let isSaid = false; ; isSaid = true) {
    try {
      return await applyMigration(database, migration);
    } catch (error) {
      const { code, message = "" } = readPostgresFailure(error) ?? {};
      if (code === refusedState) throw new StartError(message, { cause: error });
      if (code !== "55P03" && code !== "40P01") throw error;
      if (Date.now() > until) {
        throw new StartError(
          `The migration ${migration.name} could not lock its tables: another transaction holds them (pg_stat_activity shows the oldest).`,
          { cause: error },
        );
      }
      if (!isSaid)
        wait.onWait?.(`The migration ${migration.name} waits for locks that others hold`);
      await sleep(lockPauseMs);
    }
  }
}

async function applyMigration(database: Database, migration: Migration): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.query("set local statement_timeout = 0");
    await transaction.query(ownersPathSql);
    await transaction.query(migrationLockSql);
    await transaction.query(`set local lock_timeout = ${lockTimeoutMs}`);
    const [known] = await transaction.query<{ checksum: string }>(
      "select checksum from system.migrations where number = $1::text::integer",
      [String(migration.number)],
    );
    if (known !== undefined) {
      if (known.checksum !== migration.checksum) {
        throw otherBuild(migration);
      }
      return false;
    }
    await transaction.query(migration.text);
    await transaction.query(
      "insert into system.migrations (number, name, checksum) values ($1::text::integer, $2::text, $3::text)",
      [String(migration.number), migration.name, migration.checksum],
    );
    return true;
  });
}

/** Returns whether event triggers count each change of the catalogue. */
export async function hasEventTriggers(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ guarded: string }>(
    `select (pg_catalog.count(*) = 2)::text as guarded from pg_catalog.pg_event_trigger
     where evtname in ('rowhouse_after_ddl', 'rowhouse_after_drop') and evtenabled in ('O', 'A')`,
    [],
    { prepare: true },
  );
  return row?.guarded === "true";
}

/** Event triggers require a superuser; without them every statement proves its relations itself. */
export async function installEventTriggers(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(ownersPathSql);
    await transaction.query(migrationLockSql);
    await transaction.query("select system.install_event_triggers()");
    await transaction.query("select system.sync_registry()");
  });
}
