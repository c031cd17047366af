// Tier: all. Starts processes.
import {
  createTestDatabase,
  hasPgBouncer,
  type PgBouncerServer,
  startPgBouncer,
  systemLogin,
  type TestDatabase,
} from "@rowhouse/testing";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectPool, runStatement } from "../src/client.ts";
import { connectLogins, type Database } from "../src/index.ts";

/** What a function of the database's users does to its session. */
const deeds = [
  "set search_path = pg_temp, nowhere",
  "set time zone 'Asia/Tokyo'",
  "prepare p1 as select 1",
  "declare held cursor with hold for select 1",
  "select pg_advisory_lock(7)",
  "listen shop",
  "create temporary table pg_class (oid text)",
  "create temporary table users (id text)",
  "select set_config('rowhouse.actor', 'forged', false)",
  "select set_config('statement_timeout', '15', false)",
  "set default_transaction_read_only = on",
];

const stateSql = `
select concat_ws(', ', current_user,
  (select string_agg('statement ' || p.name, ', ') from pg_catalog.pg_prepared_statements p where p.from_sql),
  (select string_agg('cursor ' || c.name, ', ') from pg_catalog.pg_cursors c where c.is_holdable),
  (select string_agg('lock ' || l.objid, ', ') from pg_catalog.pg_locks l where l.pid = pg_backend_pid() and l.locktype = 'advisory'),
  (select string_agg('channel ' || c, ', ') from pg_listening_channels() c),
  (select string_agg('temporary ' || c.relname, ', ') from pg_catalog.pg_class c where c.relnamespace = pg_my_temp_schema()),
  (select string_agg(s.name || ' is ' || s.setting, ', ' order by s.name) from pg_catalog.pg_settings s
   where s.name in ('search_path', 'TimeZone', 'default_transaction_read_only', 'statement_timeout')),
  nullif(current_setting('rowhouse.actor', true), '')) as state`;

for (const isSystemPooled of [false, true]) {
  const place = isSystemPooled
    ? "with both logins through PgBouncer"
    : "with the service's login through PgBouncer, and the other one past it";
  describe.skipIf(!hasPgBouncer())(place, () => {
    let test: TestDatabase;
    let pooler: PgBouncerServer;
    let database: Database;
    /** Other clients, of the pooler's only session for each login. */
    let lookers: postgres.Sql[];

    const open = (applicationName: string) => {
      const { url, systemUrl = "" } = test;
      return connectLogins({
        ...{ url: pooler.urlOf(url), directUrl: url, prepare: false, connectionsMax: 6 },
        ...(isSystemPooled
          ? { systemUrl: pooler.urlOf(systemUrl), systemDirectUrl: systemUrl }
          : { systemUrl }),
        applicationName,
      });
    };
    const state = () =>
      Promise.all(
        lookers.map(async (looker) => {
          const [row] = await runStatement<{ state: string }>(looker, stateSql);
          return row?.state;
        }),
      );

    beforeAll(async () => {
      test = await createTestDatabase({ login: "service" });
      const { systemUrl = "" } = test;
      pooler = await startPgBouncer([test.url, systemUrl], 1, { server_lifetime: "3600" });
      database = await open("ddl");
      database.service.forgetStatementsOfCode(true);
      lookers = (isSystemPooled ? [test.url, systemUrl] : [test.url]).map((directUrl) =>
        connectPool(
          { url: pooler.urlOf(directUrl), directUrl, prepare: false, applicationName: "looker" },
          { max: 1 },
        ),
      );
      await test.database.query(
        `create function public.perform(deed text) returns text language plpgsql volatile as $$
         begin
           execute deed;
           return deed;
         end $$`,
      );
    });
    afterAll(async () => {
      await Promise.all((lookers ?? []).map((looker) => looker.end()));
      await database?.close();
      await pooler.stop();
      await test.drop();
    });

    it.each(deeds)("code that a change runs leaves nothing behind: %s", async (deed) => {
      const before = await state();
      for (let round = 0; round < 2; round += 1) {
        const rights = await database.transaction(async (transaction) => {
          await transaction.asService.query("select public.perform($1::text)", [deed]);
          // What follows in the transaction means what it says.
          const [row] = await transaction.query<{ found: string }>(
            `select concat_ws(' ', current_user, current_setting('TimeZone'), current_setting('search_path')) as found from pg_class limit 1`,
          );
          return row?.found;
        });
        expect(rights).toBe(`${systemLogin.name} UTC "$user", public, pg_temp`);
        expect(await state()).toEqual(before);
        const undone = database.transaction(async (transaction) => {
          await transaction.asService.query("select public.perform($1::text)", [deed]);
          throw new Error("undone");
        });
        await expect(undone).rejects.toThrow("undone");
        expect(await state()).toEqual(before);
        await database.service.query("select public.perform($1::text)", [deed], {
          readOnly: false,
        });
        expect(await state()).toEqual(before);
      }
    });

    it("what such code prepares is never taken for a statement of the system's login", async () => {
      await database.transaction(async (transaction) => {
        for (const name of ["p1", "p2", "p3"]) {
          await transaction.asService.query(`prepare ${name} as select 'forged'::text as found`);
        }
      });
      for (let index = 0; index < 5; index += 1) {
        const rows = await database.query("select $1::text as found", [String(index)], {
          prepare: true,
        });
        expect(rows).toEqual([{ found: String(index) }]);
      }
    });

    it("is available, and names a pooler that is away", async () => {
      expect(await database.health()).toEqual({ database: true, pooler: true });
    });
  });
}
