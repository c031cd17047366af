import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadMigrations } from "../src/migration-files.ts";
import { contractionsBetween, readSchemaFacts } from "./contractions.ts";
import { applyOne, createEmptyDatabase, migrateTo } from "./migrate-to.ts";

// Code of the build before each migration works on the schema after it, as far as the schema shows. A migration that
// removes something states from which migration on no code needs it: select system.serve_from(31). `pnpm upgrade-check`
// verifies it by running that code.

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("each migration supports the code of the build before it, and removes only objects that no supported code uses", async () => {
  const { database, drop } = await createEmptyDatabase(test.ownerUrl);
  try {
    const migrations = await loadMigrations();
    await migrateTo(database, 57);
    let before = await readSchemaFacts(database);
    for (const { number, name } of migrations) {
      await applyOne(database, number);
      const after = await readSchemaFacts(database);
      expect(after.servesFrom, `${name} must support the build before it`).toBeLessThan(number);
      const isDeclared = after.servesFrom > before.servesFrom;
      expect([name, isDeclared ? [] : contractionsBetween(before, after)]).toEqual([name, []]);
      before = after;
    }
    expect(before.offers.size).toBeGreaterThan(300);
  } finally {
    await drop();
  }
});

describe("the rule", () => {
  const contractionsOf = async (text: string): Promise<string[]> => {
    const undo = new Error("undo");
    let found: string[] = [];
    await test.database
      .transaction(async (transaction) => {
        const before = await readSchemaFacts(transaction);
        await transaction.query(text);
        found = contractionsBetween(before, await readSchemaFacts(transaction));
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return found;
  };

  it.each([
    [
      "alter table system.tokens drop column description",
      "gone: column tokens.description of type text",
    ],
    [
      "alter table system.tokens rename column description to note",
      "gone: column tokens.description of type text",
    ],
    ["do $$ begin execute 'drop table system.' || 'mails'; end $$", "gone: table mails"],
    [
      "alter table system.workflow_runs alter column claims type bigint",
      "gone: column workflow_runs.claims of type integer",
    ],
    [
      "alter table system.workflow_runs alter column parent_run_id set not null",
      "gone: null in workflow_runs.parent_run_id",
    ],
    ["alter table system.users alter column id drop default", "gone: a default of users.id"],
    [
      "alter table system.tokens add column size integer not null",
      "asked: tokens: column size: a value in every row",
    ],
    [
      "alter table system.users add constraint short check (length(name) < 10)",
      "asked: users: constraint short: CHECK ((length(name) < 10))",
    ],
    [
      "create unique index users_name on system.users (name)",
      "asked: users: index system.users_name: unique btree (name)",
    ],
    [
      "drop function system.password_of(uuid)",
      "gone: function system.password_of(uuid) returning text",
    ],
    [
      "create function system.clock(shift interval default '0') returns timestamptz language sql as 'select now()'",
      "asked: function clock: form system.clock(interval): calls may fit it better",
    ],
    ["drop trigger settings_epoch on system.settings", "gone: trigger settings_epoch on settings"],
    [
      `alter table system.workflow_runs drop constraint workflow_runs_origin_check,
         add constraint workflow_runs_origin_check check (origin in ('WEBHOOK', 'MANUAL'))`,
      "asked: workflow_runs: constraint workflow_runs_origin_check: CHECK ((origin = ANY (ARRAY['WEBHOOK'::text, 'MANUAL'::text])))",
    ],
  ])("finds a change that breaks code of the build before: %s", async (text, contraction) => {
    expect(await contractionsOf(text)).toContain(contraction);
  });

  it.each([
    "create table system.more (id int primary key, name text not null unique)",
    "alter table system.users add column size integer",
    "alter table system.users add column size integer not null default 0",
    "create or replace function system.clock() returns timestamptz language sql stable as 'select now()'",
    "create function system.more() returns integer language sql as 'select 1'",
    "create index on system.users (name)",
    "alter table system.users add column size integer check (size > 0) unique",
    "alter table system.workflow_runs drop constraint workflow_runs_origin_check",
    `alter table system.workflow_runs drop constraint workflow_runs_origin_check,
       add constraint workflow_runs_origin_check check (origin in ('WEBHOOK', 'MANUAL', 'SCHEDULE', 'EVENT', 'WORKFLOW', 'TEST', 'AGAIN', 'MORE'))`,
  ])("accepts a change that adds an object or lifts a limit: %s", async (text) => {
    expect(await contractionsOf(text)).toEqual([]);
  });
});
