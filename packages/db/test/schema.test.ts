import { StartError } from "@rowhouse/errors";
import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Database, migrate, quoteLiteral, schema, startDatabase } from "../src/index.ts";
import { missingMigration } from "../src/migrate.ts";
import { loadMigrations, migrationLockSql, newestMigration } from "../src/migration-files.ts";
import { dumpSchema } from "./dump-schema.ts";
import { createEmptyDatabase, migrateTo } from "./migrate-to.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** Returns the rows of a database that has just been migrated, without what differs between two of them. */
async function rowsOf(database: Database): Promise<Record<string, unknown>> {
  const tables = await database.query<{ name: string }>(
    "select relname::text as name from pg_class where relnamespace = 'system'::regnamespace and relkind = 'r' order by 1",
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables) {
    const own = ["id", "created_at", "updated_at", "due_at", "cursor_key", "self_oid"];
    // Each trigger and each change of the catalogue raises the counters.
    if (name === "epoch") own.push("value", "catalogue");
    // The rows of a migration, and those of the registry, are written after the schema.
    if (name === "migrations" || name === "resources") continue;
    const rows = await database.query<{ row: string }>(
      `select (to_jsonb(t) - $1::text::text[])::text as row from system.${name} t order by 1`,
      [`{${own.join()}}`],
    );
    if (rows.length > 0) found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const drizzleTables = Object.values(schema).filter((value) => is(value, PgTable));

const columnsSql = `
select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
  pg_get_expr(d.adbin, d.adrelid) as default,
  a.attnum = any (coalesce(k.conkey, '{}')) as primary
from pg_attribute a
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
where a.attrelid = to_regclass('system.' || quote_ident($1::text)) and a.attnum > 0 and not a.attisdropped
order by a.attnum`;

/** Returns the columns of a table of Drizzle as `columnsSql` returns those of the database. */
function describeColumns(table: PgTable): unknown[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const keys = primaryKeys.flatMap((key) => key.columns);
  return columns.map((column) => ({
    name: column.name,
    type: column.getSQLType(),
    required: column.notNull,
    default: defaultOf(column),
    primary: column.primary || keys.some((key) => key.name === column.name),
  }));
}

/** Returns the default of a column in the form in which PostgreSQL prints it. */
function defaultOf(column: PgColumn): string | null {
  if (column.default === undefined) return null;
  if (is(column.default, SQL)) return new PgDialect().sqlToQuery(column.default).sql;
  const value = column.mapToDriverValue(column.default);
  if (typeof value !== "string") return String(value);
  return `${quoteLiteral(value)}::${column.getSQLType()}`;
}

describe("the system schema", () => {
  it("is the same if it is created at once, by schema.sql, and by all migrations after the baseline", async () => {
    const { database, drop } = await createEmptyDatabase(test.ownerUrl);
    try {
      await migrateTo(database, await newestMigration());
      const [statements, rows] = [await dumpSchema(database), await rowsOf(database)];
      await database.query("drop schema system cascade");
      await database.query(`create schema system; ${statements}`);
      // PostgreSQL prints some expressions in another form once it has read its own.
      await expect(await dumpSchema(database)).toMatchFileSnapshot("../schema.sql");
      expect(await rowsOf(database)).toEqual(rows);
    } finally {
      await drop();
    }
  });

  it.each(drizzleTables.map((table) => [getTableConfig(table).name, table] as const))(
    "has the columns, types, defaults and primary key of Drizzle's table %s",
    async (name, table) => {
      const stored = await test.database.query(columnsSql, [name]);
      expect(stored).toEqual(describeColumns(table));
    },
  );

  it("has all migrations in a new database", async () => {
    const { database, drop } = await createEmptyDatabase(test.ownerUrl);
    try {
      const names = (await loadMigrations()).map(({ name }) => name);
      const applied = await Promise.all([1, 2, 3].map(() => migrate(database)));
      expect(applied.sort()).toEqual([[], [], names]);
      expect(await migrate(database)).toEqual([]);
    } finally {
      await drop();
    }
  });

  it("is found by a process that waited while another one created it", async () => {
    const { database, drop } = await createEmptyDatabase(test.ownerUrl);
    try {
      const migrations = await loadMigrations();
      let waiting: Promise<string[]> | undefined;
      await database.transaction(async (transaction) => {
        await transaction.query(migrationLockSql);
        waiting = migrate(database);
        await vi.waitFor(async () => {
          const waits = await transaction.query(
            "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
          );
          expect(waits).toHaveLength(1);
        });
        // As little as the process reads: so few changes that PostgreSQL does not tell the waiting session of them by itself.
        await transaction.query(`
          create schema system;
          create table system.migrations (number integer, name text, checksum text);
          create table system.installation (serves_from integer);
          create function system.install_event_triggers() returns void language sql as 'select';
          create function system.sync_registry() returns void language sql as 'select'`);
        for (const { number, name, checksum } of migrations) {
          await transaction.query(
            "insert into system.migrations values ($1::text::integer, $2::text, $3::text)",
            [String(number), name, checksum],
          );
        }
      });
      expect(await waiting).toEqual([]);
    } finally {
      await drop();
    }
  });

  it("is refused as it is if it ends before the baseline, by every login, with the commit to start first", async () => {
    const { database, url, drop } = await createEmptyDatabase(test.ownerUrl);
    try {
      await database.query("create schema system");
      await database.query(
        "create table system.migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())",
      );
      const refusal = (last: number) =>
        new StartError(
          `This database ends at migration ${last}, and this build migrates databases from migration 57 on: start the build of commit d1c231c5 on it first.`,
        );
      await expect(migrate(database)).rejects.toThrow(refusal(0));
      await database.query(
        "insert into system.migrations (number, name, checksum) select n, n || '.sql', 'x' from generate_series(1, 56) n",
      );
      await expect(migrate(database)).rejects.toThrow(refusal(56));
      await expect(missingMigration(database)).rejects.toThrow(refusal(56));
      await expect(
        startDatabase({ url, applicationName: "test", connectionsMax: 2 }),
      ).rejects.toThrow(refusal(56));
      const tables = await database.query(
        "select from pg_class where relnamespace = 'system'::regnamespace and relkind = 'r'",
      );
      expect(tables).toHaveLength(1);
    } finally {
      await drop();
    }
  });

  it("is migrated from the baseline on", async () => {
    const { database, drop } = await createEmptyDatabase(test.ownerUrl);
    try {
      await migrateTo(database, 57);
      expect(await migrate(database)).toEqual((await loadMigrations()).map(({ name }) => name));
      expect(await missingMigration(database)).toBeUndefined();
    } finally {
      await drop();
    }
  });

  it("is unchanged after a second migration, also by several processes at once", async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(test.database)));
    expect(applied).toEqual([[], [], []]);
  });
});

describe("invariants of the system schema, for any client", () => {
  const run = (text: string) => test.database.query(text);
  /** Runs a statement in a transaction with an actor. */
  const asUser = (email: string) => (text: string) =>
    test.database.transaction(async (transaction) => {
      await transaction.query("select system.act_as(id) from system.users where email = $1::text", [
        email,
      ]);
      return transaction.query(text);
    });

  it("keep an active administrator", async () => {
    await createUser(test.database, "one@example.com", "Administrators");
    await createUser(test.database, "two@example.com", "Administrators");
    const run = asUser("two@example.com");
    await run(`update system.users set active = false where email = 'one@example.com'`);
    await expect(
      run(`update system.users set active = false where email = 'two@example.com'`),
    ).rejects.toThrow("An active administrator must remain");
    await expect(run(`delete from system.users where email = 'two@example.com'`)).rejects.toThrow(
      "An active administrator must remain",
    );
    await expect(run("delete from system.role_members")).rejects.toThrow(
      "An active administrator must remain",
    );
    await expect(run("delete from system.roles where is_administrators")).rejects.toThrow(
      "Administrators cannot be deleted",
    );
  });

  it("keep system accounts without password and session, and prevent their deletion", async () => {
    await expect(run("delete from system.users where is_system")).rejects.toThrow(
      "cannot be deleted",
    );
    await expect(
      run("update system.users set password_hash = 'x' where is_system"),
    ).rejects.toThrow("A system account cannot be changed");
    await expect(
      run(
        "insert into system.sessions (user_id, digest, method, expires_at) select id, 'x', 'password', now() from system.users where is_system",
      ),
    ).rejects.toThrow("holds no session");
  });

  it("keep the audit log append-only", async () => {
    await run("insert into system.audit_log (action, target_kind) values ('x', 'y')");
    for (const text of [
      "update system.audit_log set action = 'z'",
      "delete from system.audit_log",
      "truncate system.audit_log",
    ]) {
      await expect(run(text)).rejects.toThrow("append-only");
    }
  });
});
