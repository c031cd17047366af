// Tier: all. One of the slowest.
import {
  createTestDatabase,
  serviceLogin,
  systemLogin,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { admitLogins, migrate, startDatabase } from "../src/index.ts";
import { newestMigration } from "../src/migration-files.ts";
import { createEmptyDatabase, migrateTo } from "./migrate-to.ts";

// While processes are replaced one by one, and after a rollback, code works on the schema of a newer build.

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase({ login: "service" });
});
afterEach(() => test.drop());

const logins = { service: serviceLogin.name, system: systemLogin.name };

const next = async () => (await newestMigration()) + 1;

/** The effect of the next build's migration on the database. */
async function migrateByNextBuild(text = "select 1"): Promise<void> {
  const number = await next();
  await test.database.query(
    `insert into system.migrations (number, name, checksum) values (${number}, '${number}_of_the_next_build.sql', 'x');
     alter table system.users add column of_the_next_build integer;
     ${text}`,
  );
}

describe("code of the build before", () => {
  const start = async (mayMigrate: "migrates" | "serves") => {
    const started = await startDatabase({
      ...{ url: test.url, systemUrl: test.systemUrl },
      ...(mayMigrate === "migrates" ? { migrationsUrl: test.ownerUrl } : {}),
      ...{ applicationName: "old", connectionsMax: 8 },
    });
    await started.query("select id from system.users");
    await started.close();
  };

  it("starts on a schema with an unknown later migration, and changes nothing", async () => {
    await migrateByNextBuild();
    expect(await migrate(test.database)).toEqual([]);
    await start("migrates");
    await start("serves");
  });

  it("keeps the privileges that the next build has granted", async () => {
    const { database } = test;
    const right = async (privilege: string, table: string) => {
      const [row] = await database.query<{ has: boolean }>(
        `select has_table_privilege('${systemLogin.name}', 'system.${table}', '${privilege}') as has`,
      );
      return row?.has;
    };
    await migrateByNextBuild(
      `create table system.of_the_next_build (id integer);
       grant select, truncate on system.of_the_next_build to ${systemLogin.name};
       revoke delete on system.mails from ${systemLogin.name}`,
    );
    await admitLogins(database, logins);
    expect([
      await right("truncate", "of_the_next_build"),
      await right("insert", "of_the_next_build"),
      await right("delete", "mails"),
    ]).toEqual([true, false, false]);

    // It does correct the privileges of its own schema.
    await database.query(`delete from system.migrations where number = ${await next()}`);
    await admitLogins(database, logins);
    expect([
      await right("truncate", "of_the_next_build"),
      await right("insert", "of_the_next_build"),
      await right("delete", "mails"),
    ]).toEqual([false, true, true]);
  });

  it("fails to start if the schema supports only newer builds", async () => {
    const newest = (await next()) - 1;
    // The newest declaration of the migrations counts.
    await migrateByNextBuild(
      `select system.serve_from(${newest}); select system.serve_from(${newest - 1})`,
    );
    await start("migrates");
    await test.database.query(`select system.serve_from(${newest + 1})`);
    const refusal = `supports builds from migration ${newest + 1} on. This build ends at migration ${newest}.`;
    await expect(start("migrates")).rejects.toThrow(refusal);
    await expect(start("serves")).rejects.toThrow(refusal);
    await expect(migrate(test.database)).rejects.toThrow(refusal);
  });
});

describe("a migration", () => {
  it("lets requests proceed while another transaction holds its locks, and continues after that transaction", async () => {
    const { database, drop } = await createEmptyDatabase(test.ownerUrl);
    try {
      await migrateTo(database, 57);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isHeld = () => {};
      const holds = new Promise<void>((resolve) => {
        isHeld = resolve;
      });
      // An export of an hour: a transaction that has read the table to which the next migration adds a column.
      const reader = database.transaction(async (transaction) => {
        await transaction.query("select from system.resource_columns");
        isHeld();
        await held;
      });
      await holds;
      const said: string[] = [];
      const migrated = migrate(database, { onWait: (sentence) => said.push(sentence) });
      await expect.poll(() => said.length).toBe(1);
      expect(said[0]).toContain("0058_record_titles.sql waits for locks");
      // More than one attempt.
      for (let at = 0; at < 20; at += 1) {
        await database.query("select from system.resource_columns", []);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await expect(migrate(database, { lockWaitMs: 1 })).rejects.toThrow(
        "0058_record_titles.sql could not lock its tables",
      );
      release();
      await reader;
      expect(await migrated).toContain("0058_record_titles.sql");
    } finally {
      await drop();
    }
  });
});
