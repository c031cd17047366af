import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { StartError } from "@rowhouse/errors";
import type { Database, Queryable } from "./database.ts";
import { ownersPathSql } from "./service-login.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const migrationsFolder = new URL("../migrations/", import.meta.url);
// Any constant will do, as long as every process of every version uses the same.
const migrationLock = "7723118201";

/**
 * Applies the numbered migrations that this database has not had, each in its own transaction.
 * Several processes may call it at once: they wait for one another.
 *
 * @returns the names that were applied now
 * @throws StartError where an applied migration differs from the file of the same number
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrations = await loadMigrations();
  const applied: string[] = [];
  for (const migration of migrations) {
    if (await applyMigration(database, migration)) applied.push(migration.name);
  }
  await installEventTriggers(database);
  return applied;
}

/**
 * What a login that may not migrate still waits for, or undefined: the first migration that this database has not had, or
 * its rights on what the last one made.
 *
 * @throws StartError where an applied migration differs from the file of the same number
 */
export async function missingMigration(database: Queryable): Promise<string | undefined> {
  const applied = await appliedMigrations(database);
  for (const migration of await loadMigrations()) {
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

async function appliedMigrations(database: Queryable): Promise<ReadonlyMap<number, string>> {
  const [readable] = await database.query<{ readable: string | null }>(
    `select (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))::text as readable
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'system' and c.relname = 'migrations'`,
  );
  if (readable?.readable !== "true") return new Map();
  const rows = await database.query<{ number: string; checksum: string }>(
    "select number::text as number, checksum from system.migrations",
  );
  return new Map(rows.map((row) => [Number(row.number), row.checksum]));
}

function otherBuild(migration: Migration): StartError {
  return new StartError(
    `This database was set up by another build: migration ${migration.name} was different then.`,
  );
}

async function applyMigration(database: Database, migration: Migration): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await transaction.query("set local statement_timeout = 0");
    await transaction.query(ownersPathSql);
    await transaction.query(`select pg_advisory_xact_lock(${migrationLock})`);
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
    await transaction.query(`select pg_advisory_xact_lock(${migrationLock})`);
    await transaction.query("select system.install_event_triggers()");
    await transaction.query("select system.sync_registry()");
  });
}

async function loadMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  for (const [index, name] of names.entries()) {
    if (Number.parseInt(name, 10) !== index + 1) throw new Error(`${name} is out of sequence`);
  }
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, migrationsFolder), "utf8");
      return {
        number: Number.parseInt(name, 10),
        name,
        text,
        checksum: createHash("sha256").update(text).digest("hex"),
      };
    }),
  );
}
