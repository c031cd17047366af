// Tier: all. Starts processes.
import {
  createTestDatabase,
  hasPgBouncer,
  type PgBouncerServer,
  startPgBouncer,
  type TestDatabase,
} from "@rowhouse/testing";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectDirectly, connectPool, runStatement, sendStatement } from "../src/client.ts";
import { connectDatabase, type Database, readPostgresFailure } from "../src/index.ts";
import { reportedSettings } from "../src/session-settings.ts";

/** What a function of the database's users may do to its session. */
const deeds: readonly (readonly [name: string, sql: string])[] = [
  ["a time zone", "set time zone 'Europe/Berlin'"],
  ["a date style", "set datestyle = 'German'"],
  ["an interval style", "set intervalstyle = 'postgres'"],
  ["an encoding", "set client_encoding = 'LATIN1'"],
  ["a time limit", "select set_config('statement_timeout', '15', false)"],
  ["a lock limit", "set lock_timeout = '1ms'"],
  ["a read-only session", "set default_transaction_read_only = on"],
  ["an isolation level", "set session characteristics as transaction isolation level serializable"],
  ["a search path", "set search_path = pg_temp, nowhere"],
  ["a format of bytes", "set bytea_output = 'escape'"],
  ["digits of numbers", "set extra_float_digits = -15"],
  ["a setting of its own", "select set_config('shop.tenant', 'seven', false)"],
  ["a role", "select set_config('role', session_user::text, false)"],
  ["a lock", "select pg_advisory_lock(7)"],
  ["a shared lock", "select pg_try_advisory_lock_shared(7, 8)"],
  ["a channel", "listen shop"],
  ["a temporary table with the name of a catalogue", "create temporary table pg_class (oid text)"],
  ["a temporary type with the name of a type", "create temporary table text (oid integer)"],
  ["a temporary view", "create temporary view pg_type as select 1 as oid"],
  ["a sequence", "create temporary sequence s; select nextval('s')"],
  ["a prepared statement", "prepare p1 as select 1"],
  ["no prepared statements", "deallocate all"],
  ["no plans", "discard plans"],
];

/** A pooler sets those that it passes on in each of its sessions. */
const passedOn = JSON.stringify([
  ...Object.keys(reportedSettings),
  "client_encoding",
  "application_name",
]);

const stateSql = `
select concat_ws(', ',
  (select string_agg(s.name || ' is ' || s.setting, ', ' order by s.name) from pg_catalog.pg_settings s
   where s.setting is distinct from s.reset_val and s.source = 'session'
     and s.name not in (select jsonb_array_elements_text($1::pg_catalog.text::jsonb))),
  case when current_setting('role') <> 'none' then 'role ' || current_user end,
  case when current_setting('TimeZone') <> 'UTC' then 'zone ' || current_setting('TimeZone') end,
  case when current_setting('DateStyle') <> 'ISO, MDY' then current_setting('DateStyle') end,
  case when current_setting('client_encoding') <> 'UTF8' then current_setting('client_encoding') end,
  nullif(current_setting('shop.tenant', true), ''),
  (select string_agg('lock ' || l.objid, ', ') from pg_catalog.pg_locks l where l.pid = pg_backend_pid() and l.locktype = 'advisory'),
  (select string_agg('channel ' || c, ', ') from pg_listening_channels() c),
  (select string_agg('temporary ' || c.relname, ', ') from pg_catalog.pg_class c where c.relnamespace = pg_my_temp_schema()),
  (select string_agg('statement ' || p.name, ', ') from pg_catalog.pg_prepared_statements p where p.from_sql),
  (select string_agg('cursor ' || p.name, ', ') from pg_catalog.pg_cursors p where p.is_holdable)) as state`;

for (const isPooled of [false, true]) {
  describe.skipIf(isPooled && !hasPgBouncer())(
    isPooled ? "behind PgBouncer" : "on connections of the process",
    () => {
      let test: TestDatabase;
      let pooler: PgBouncerServer | undefined;
      let database: Database;
      let looker: postgres.Sql | undefined;

      beforeAll(async () => {
        test = await createTestDatabase({ login: isPooled ? "service" : "owner" });
        if (isPooled) {
          pooler = await startPgBouncer(test.url, 1);
          const url = pooler.urlOf(test.url);
          const options = { url, directUrl: test.url, prepare: false, applicationName: "looker" };
          looker = connectPool(options, { max: 1 });
        }
        await test.database.query(`
          create function public.perform() returns trigger language plpgsql as $$
          begin
            execute new.deed;
            if new.fails then raise 'no'; end if;
            return null;
          end $$`);
        for (const [table, timing] of [
          ["log", ""],
          ["late", "constraint"],
        ]) {
          await test.database.query(
            `create table public.${table} (id bigint generated always as identity primary key, deed text, fails boolean, at timestamptz default now())`,
          );
          await test.database.query(
            `create ${timing} trigger perform after insert on public.${table} ${timing === "" ? "" : "deferrable initially deferred"}
             for each row execute function public.perform()`,
          );
        }
      });
      afterAll(async () => {
        await looker?.end();
        await pooler?.stop();
        await test.drop();
      });
      beforeEach(async () => {
        database = await connectDatabase({
          url: pooler?.urlOf(test.url) ?? test.url,
          ...(isPooled ? { directUrl: test.url, prepare: false } : {}),
          applicationName: "code",
          connectionsMax: 1,
        });
        database.forgetStatementsOfCode(true);
      });
      afterEach(() => database.close());

      /** What the session has that it did not start with. */
      const state = async () => {
        // A transaction of the pool sets its own parameters, so another client looks at the pooler's only session.
        const [row] =
          looker === undefined
            ? await database.query<{ state: string }>(stateSql, ["[]"], { runsCode: false })
            : await runStatement<{ state: string }>(looker, stateSql, [passedOn]);
        return row?.state;
      };
      const insert = (deed: string, fails = false, table = "log") =>
        database.query(
          `insert into public.${table} (deed, fails) values ($1::text, $2::text::boolean)`,
          [deed, String(fails)],
          { prepare: true },
        );
      const failure = (work: Promise<unknown>) =>
        work.then(
          () => "none",
          (error: unknown) => readPostgresFailure(error)?.code,
        );

      it.each(deeds)("a statement leaves nothing behind: %s", async (_, deed) => {
        for (let round = 0; round < 3; round += 1) {
          await insert(deed);
          expect(await state()).toBe("");
          expect(await failure(insert(deed, true))).toBe("P0001");
          expect(await state()).toBe("");
          await insert(deed, false, "late");
          expect(await state()).toBe("");
        }
      });

      it.each(deeds)("a transaction leaves nothing behind: %s", async (_, deed) => {
        for (let round = 0; round < 2; round += 1) {
          await database.transaction(async (transaction) => {
            await transaction.query("insert into public.log (deed) values ($1::text)", [deed]);
          });
          expect(await state()).toBe("");
          const undone = database.transaction(async (transaction) => {
            await transaction.savepoint(async (inner) => {
              await inner.query("insert into public.log (deed) values ($1::text)", [deed]);
            });
            throw new Error("undone");
          });
          await expect(undone).rejects.toThrow("undone");
          expect(await state()).toBe("");
        }
      });

      it("a held cursor ends with the transaction", async () => {
        await database.transaction(async (transaction) => {
          await transaction.query("declare held cursor with hold for select 1");
        });
        expect(await state()).toBe("");
      });

      it("a statement that runs no code is not followed by anything, and still finds the session's settings", async () => {
        await database.query("select set_config('shop.tenant', 'kept', false)", [], {
          runsCode: false,
        });
        if (!isPooled) expect(await state()).toBe("kept");
        await insert("select 1");
        expect(await state()).toBe("");
      });

      it("reads of others continue in UTC while a trigger sets another time zone", async () => {
        const zones = new Set<string>();
        const read = async () => {
          for (let index = 0; index < 40; index += 1) {
            const [row] = await database.query<{ at: string }>(
              "select to_json(timestamptz '2024-01-01 00:00:00Z')::text as at",
            );
            zones.add(row?.at ?? "");
          }
        };
        const write = async () => {
          for (let index = 0; index < 40; index += 1) await insert("set time zone 'Asia/Tokyo'");
        };
        await Promise.all([read(), write(), read(), write(), read()]);
        expect([...zones]).toEqual(['"2024-01-01T00:00:00+00:00"']);
      });

      if (isPooled) {
        it("sets what it needs in a session that another client has changed", async () => {
          const other = await connectDatabase({
            url: pooler?.urlOf(test.url) ?? "",
            directUrl: test.url,
            prepare: false,
            applicationName: "other",
            connectionsMax: 1,
          });
          const changes =
            "set time zone 'Asia/Tokyo'; set extra_float_digits = -15; set statement_timeout = 1; set search_path = nowhere; set bytea_output = 'escape'";
          await other.query(`do $$ begin execute $x$${changes}$x$; end $$`, [], {
            runsCode: false,
          });
          const [row] = await database.query<{ found: string }>(
            `select concat_ws(' ', current_setting('TimeZone'), current_setting('extra_float_digits'), current_setting('statement_timeout'),
               current_setting('search_path'), current_setting('bytea_output')) as found`,
          );
          expect(row?.found).toBe(`UTC 1 10s "$user", public hex`);
          await other.close();
        });
      }
    },
  );
}

describe("the driver", () => {
  it("closes a connection whose clearing fails, and answers the statement before it", async () => {
    const test = await createTestDatabase();
    const client = connectDirectly({ url: test.url, applicationName: "clearing" }, {
      max: 1,
    } as never);
    const pid = async () =>
      (await client.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid"))[0]?.pid;
    for (const clearing of ["select 1 / 0", "select 1; select 1 / 0", "nonsense"]) {
      for (const [text, parameters] of [
        ["select 1 as n", []],
        ["select $1::int as n", ["1"]],
      ] as const) {
        const before = await pid();
        const [row, other] = await Promise.all([
          sendStatement<{ n: number }>(client, text, parameters, { prepare: true }, { clearing }),
          sendStatement<{ n: number }>(client, "select $1::int as n", ["2"], { prepare: true }),
        ]);
        expect([row, other]).toEqual([[{ n: 1 }], [{ n: 2 }]]);
        expect(await pid()).not.toBe(before);
      }
    }
    await client.end();
    await test.drop();
  });

  // The transaction of a single statement behind a pooler; here on a connection of its own, where every failure is possible.
  describe("a statement in a frame", () => {
    const good = { before: ["begin", "select 7 as m"], after: ["select 8 as k", "commit"] };
    const abort = "rollback";
    let test: Awaited<ReturnType<typeof createTestDatabase>>;
    let client: ReturnType<typeof connectDirectly>;
    beforeAll(async () => {
      test = await createTestDatabase();
      client = connectDirectly({ url: test.url, applicationName: "frame" }, { max: 1 } as never);
      await client.unsafe("create table kept (n int primary key deferrable initially deferred)");
    });
    afterAll(async () => {
      await client.end();
      await test.drop();
    });
    const send = (text: string, parameters: readonly string[], frame: object, prepare: boolean) =>
      sendStatement<object>(
        client,
        text,
        parameters,
        { prepare },
        { frame: { abort, ...good, ...frame } },
      )
        .then((rows) => [...rows])
        .catch((error: { code?: string }) => error.code);

    for (const prepare of [true, false]) {
      it(`returns its own rows and its own failures, ${prepare ? "prepared" : "unprepared"}`, async () => {
        const outcomes = await Promise.all([
          send("select $1::int as n", ["1"], {}, prepare),
          send("select n from generate_series(1, 3) n", [], {}, prepare),
          send("select 1 / $1::int as n", ["0"], {}, prepare),
          send("select $1::int as n", ["2"], { before: ["begin", "select 1 / 0"] }, prepare),
          send("select $1::int as n", ["3"], { before: ["nonsense", "begin"] }, prepare),
          send("select $1::int as n", ["4"], { after: ["select 1 / 0", "commit"] }, prepare),
          send("insert into kept values ($1), ($1)", ["5"], {}, prepare),
          send("select nonsense", [], {}, prepare),
          send("update kept set n = n where n > $1 returning n", ["0"], {}, prepare),
          send("select $1::int as n", ["6"], {}, prepare),
        ]);
        expect(outcomes).toEqual([
          [{ n: 1 }],
          [{ n: 1 }, { n: 2 }, { n: 3 }],
          "22012",
          "22012",
          "42601",
          "22012",
          "23505",
          "42703",
          [],
          [{ n: 6 }],
        ]);
        expect([...(await client.unsafe("select n from kept"))]).toEqual([]);
      });
    }

    it("is prepared again after its table has changed, in a transaction of its own", async () => {
      await client.unsafe("create table changing (a int)");
      await client.unsafe("insert into changing values (1)");
      const read = () => send("select * from changing where a = $1", ["1"], {}, true);
      expect(await read()).toEqual([{ a: 1 }]);
      await client.unsafe("alter table changing add column b int");
      expect([await read(), await read()]).toEqual([[{ a: 1, b: null }], [{ a: 1, b: null }]]);
    });

    it("closes the connection if a failed transaction cannot be ended", async () => {
      const pid = async () => (await client.unsafe("select pg_backend_pid() as pid"))[0]?.pid;
      const before = await pid();
      const failing = { after: ["select 1 / 0"], abort: "select 1" };
      expect(await send("select $1::int as n", ["1"], failing, false)).toBe("22012");
      expect(await pid()).not.toBe(before);
      expect(await send("select $1::int as n", ["1"], { after: [] }, false)).toEqual([{ n: 1 }]);
      expect([
        ...(await client.unsafe("select pg_current_xact_id_if_assigned()::text as x")),
      ]).toEqual([{ x: null }]);
    });
  });
});
