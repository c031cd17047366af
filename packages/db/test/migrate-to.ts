import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { type Database, openDatabase, type Queryable } from "../src/index.ts";
import { loadMigrations } from "../src/migration-files.ts";

/** Creates an empty database beside that of a test; `drop` deletes it. */
export async function createEmptyDatabase(
  ownerUrl: string,
): Promise<{ readonly database: Database; readonly url: string; drop(): Promise<void> }> {
  const server = openDatabase({ url: ownerUrl, applicationName: "test", connectionsMax: 1 });
  const url = new URL(ownerUrl);
  url.pathname = `${url.pathname}_empty`;
  await server.query(`create database ${url.pathname.slice(1)}`);
  const database = openDatabase({ url: url.href, applicationName: "test" });
  return {
    database,
    url: url.href,
    drop: async () => {
      await database.close();
      await server.query(`drop database ${url.pathname.slice(1)} with (force)`);
      await server.close();
    },
  };
}

/** `dumpSchema` of a database that the build of commit d1c231c5 had migrated up to 57; the files up to there are gone. */
const baselineFile = new URL("baseline.sql.gz", import.meta.url);
const baseline = 57;

/** Migrates an empty database up to migration `last`, as the build that ends there would. */
export async function migrateTo(database: Database, last: number): Promise<void> {
  await database.query("create schema system");
  await database.query(gunzipSync(await readFile(baselineFile)).toString());
  await database.query(
    "insert into system.migrations (number, name, checksum) values ($1::text::integer, 'baseline', '')",
    [String(baseline)],
  );
  for (let number = baseline + 1; number <= last; number += 1) await applyOne(database, number);
}

/** Applies the migration of this number, as a start does. */
export async function applyOne(database: Database, number: number): Promise<void> {
  const migration = (await loadMigrations()).find((each) => each.number === number);
  if (migration === undefined) throw new Error(`There is no migration ${number}`);
  await database.transaction(async (transaction: Queryable) => {
    await transaction.query("set local search_path = pg_catalog, pg_temp");
    await transaction.query(migration.text);
    await transaction.query(
      "insert into system.migrations (number, name, checksum) values ($1::text::integer, $2::text, $3::text)",
      [String(number), migration.name, migration.checksum],
    );
  });
}
