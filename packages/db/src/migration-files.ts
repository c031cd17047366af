import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { StartError } from "@rowhouse/errors";
import { advisoryLocks } from "./advisory-locks.ts";
import type { Queryable } from "./queryable.ts";

/** A numbered file of this build. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/**
 * Held by the process that changes the schema or its privileges. The constant is arbitrary, but must be the same in
 * every process of every version.
 */
export const migrationLockSql = `select pg_advisory_xact_lock(${advisoryLocks.migrations})`;

/** The last migration whose file this build no longer has. */
const baseline = 57;
/** The last build that has the files up to the baseline. */
const buildBefore = "d1c231c5";

const migrationsFolder = new URL("../migrations/", import.meta.url);
const schemaFile = new URL("../schema.sql", import.meta.url);

let loaded: Promise<Migration[]> | undefined;

/** Returns the migrations of this build in order. They are read once, because a build's files do not change. */
export function loadMigrations(): Promise<Migration[]> {
  loaded ??= readMigrations().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
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
  for (const [index, { number, name }] of migrations.entries()) {
    if (number !== baseline + 1 + index) throw new Error(`${name} is out of sequence`);
  }
  return migrations;
}

/** Returns the number of this build's last migration. */
export async function newestMigration(): Promise<number> {
  return baseline + (await loadMigrations()).length;
}

/** Returns the statements that create the schema of all migrations in a new database. */
export function readSchema(): Promise<string> {
  return readFile(schemaFile, "utf8");
}

/** Returns the checksums of the applied migrations by number; empty if the login may not read them. */
export async function appliedMigrations(database: Queryable): Promise<ReadonlyMap<number, string>> {
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

/**
 * Requires that the database has all migrations whose files this build no longer has.
 *
 * @throws StartError
 */
export function requireBaseline(applied: ReadonlyMap<number, string>): void {
  const last = Math.max(0, ...applied.keys());
  if (last >= baseline) return;
  throw new StartError(
    `This database ends at migration ${last}, and this build migrates databases from migration ${baseline} on: start the build of commit ${buildBefore} on it first.`,
  );
}

/**
 * Returns whether a newer build has migrated this database. This build must then not change its schema or privileges.
 */
export async function isOfNewerBuild(database: Queryable): Promise<boolean> {
  const numbers = [...(await appliedMigrations(database)).keys()];
  return Math.max(0, ...numbers) > (await newestMigration());
}
