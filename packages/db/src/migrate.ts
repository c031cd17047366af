import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "@rowhouse/errors";
import {
  appliedMigrations,
  loadMigrations,
  type Migration,
  migrationLockSql,
} from "./migration-files.ts";
import type { Database, Queryable } from "./queryable.ts";
import { ownersPathSql } from "./service-login.ts";
import { readPostgresFailure } from "./sqlstate.ts";

/**
 * Requests queue behind a migration that waits for a lock. Shorter than `deadlock_timeout` (1 s), so that of the two it is
 * never the request that is ended.
 */
const lockTimeoutMs = 500;
const lockPauseMs = 1000;
const lockWaitMs = 60_000;

/** How a migration waits for what holds its tables. */
export interface MigrationWait {
  /** How long; a minute if not given. */
  readonly lockWaitMs?: number;
  /** Hears once of each migration that has to wait. */
  readonly onWait?: ((sentence: string) => void) | undefined;
}

/**
 * Applies the numbered migrations that this database has not had, each in its own transaction.
 * Several processes may call it at once: they wait for one another. Migrations of a newer build are left alone.
 *
 * @returns the names that were applied now
 * @throws StartError where an applied migration differs from the file of the same number, where the schema serves newer
 * builds alone, or where a migration did not get its locks
 */
export async function migrate(database: Database, wait: MigrationWait = {}): Promise<string[]> {
  const migrations = await loadMigrations();
  await database.transaction(async (transaction) => {
    await transaction.query(ownersPathSql);
    await requireServed(transaction, migrations.length);
  });
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await applyWhenFree(database, migration, wait)) applied.push(migration.name);
  }
  await installEventTriggers(database);
  return applied;
}

/**
 * What a login that may not migrate still waits for, or undefined: the first migration that this database has not had, or
 * its rights on what the last one made.
 *
 * @throws StartError where an applied migration differs from the file of the same number, or where the schema serves newer
 * builds alone
 */
export async function missingMigration(database: Queryable): Promise<string | undefined> {
  const applied = await appliedMigrations(database);
  const migrations = await loadMigrations();
  if (applied.size > 0) await requireServed(database, migrations.length);
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

/** Older code than the schema says it serves would fail on its first statement, or write what newer code cannot read. */
async function requireServed(database: Queryable, newest: number): Promise<void> {
  const [schema] = await database.query<{ there: string }>(
    "select (to_regclass('system.installation') is not null)::text as there",
  );
  if (schema?.there !== "true") return;
  // The column came with migration 30.
  const [row] = await database.query<{ from: string | null }>(
    "select to_jsonb(i) ->> 'serves_from' as from from system.installation i",
  );
  const from = Number(row?.from ?? 0);
  if (from <= newest) return;
  throw new StartError(
    `A newer build has migrated this database, and its schema serves builds from migration ${from} on. This one knows ${newest}.`,
  );
}

function otherBuild(migration: Migration): StartError {
  return new StartError(
    `This database was set up by another build: migration ${migration.name} was different then.`,
  );
}

/** Tries again while others hold what the migration changes, and lets requests pass in between. */
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
      const code = readPostgresFailure(error)?.code;
      if (code !== "55P03" && code !== "40P01") throw error;
      if (Date.now() > until) {
        throw new StartError(
          `The migration ${migration.name} could not lock what it changes: a transaction of somebody else holds it (pg_stat_activity shows the oldest).`,
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
    await transaction.query("create schema if not exists system");
    await transaction.query(
      "create table if not exists system.migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
    );
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

/** Event triggers need a superuser; without them every statement proves its relations itself. */
async function installEventTriggers(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(ownersPathSql);
    await transaction.query(migrationLockSql);
    await transaction.query("select system.install_event_triggers()");
    await transaction.query("select system.sync_registry()");
  });
}
