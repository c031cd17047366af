import {
  createTestDatabase,
  serviceLogin,
  systemLogin,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { admitLogins, type Transaction } from "../src/index.ts";
import { refusalOf } from "./privileges-of.ts";

// Statements that a transaction of the login that keeps `system` executes as the service's login. Their code would gain the
// other login's rights if something that it leaves in the session or in the transaction ran later.

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ login: "service" });
  await test.service.service.query(
    "create table public.seen (at timestamptz default clock_timestamp(), login text)",
  );
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query("truncate public.seen");
});

const service = serviceLogin.name;
const system = systemLogin.name;
const call = "select from system.as_service('select 1', false, '{}')";
const signature = "system.as_service(text, boolean, text[])";

/** Executes one text as the service in a transaction, and returns its rows. */
const asService = <Row extends object>(text: string, parameters: readonly string[] = []) =>
  test.service.transaction(({ asService: own }) => own.query<Row>(text, parameters));
const seen = async () => {
  const rows = await test.database.query<{ login: string }>(
    "select login from public.seen order by at",
  );
  return rows.map(({ login }) => login);
};

describe("a statement of a transaction as the service", () => {
  it("runs as the service's login, in the session of the other one", async () => {
    expect(
      await asService("select current_user as login, session_user as session, $1::text as text", [
        "a",
      ]),
    ).toEqual([{ login: service, session: system, text: "a" }]);
    await asService("create table public.made (id int primary key)");
    const [made] = await test.database.query(
      "select relowner::regrole::text as owner from pg_class where relname = 'made'",
    );
    expect(made).toEqual({ owner: service });
  });

  it("has no right in the schema system that the service's login lacks", async () => {
    for (const text of [
      "select password_hash from system.users",
      "insert into system.roles (name) values ('x')",
      `set role ${system}`,
    ]) {
      await expect(asService(text)).rejects.toThrow(
        /permission denied|cannot set parameter "role" within security-definer function/,
      );
    }
  });

  it("is undone with its transaction", async () => {
    const work = test.service.transaction(async ({ asService: own }) => {
      await own.query("insert into public.seen (login) values (current_user)");
      throw new RangeError("undo");
    });
    await expect(work).rejects.toThrow("undo");
    expect(await seen()).toEqual([]);
  });

  it("checks deferred constraints, and fires deferred triggers, before it returns", async () => {
    const own = test.service.service;
    await own.query(`create table public.parents (id int primary key);
      create table public.children (id int primary key, parent int references public.parents deferrable initially deferred);
      create function public.see() returns trigger language plpgsql as $$
        begin insert into public.seen (login) values (current_user); return null; end $$;
      create constraint trigger late after insert on public.children deferrable initially deferred for each row execute function public.see()`);
    await test.service.transaction(async (transaction) => {
      const refused = transaction.savepoint(({ asService: nested }) =>
        nested.query("insert into public.children values (1, 1)").then(() => {}),
      );
      await expect(refused).rejects.toMatchObject({ code: "23503" });
      await transaction.asService.query(
        "do $$ begin insert into public.children values (1, 1); insert into public.parents values (1); end $$",
      );
    });
    expect(await seen()).toEqual([service]);
  });

  it("leaves no open cursor, held or not", async () => {
    const cursors = await test.service.transaction(async (transaction) => {
      await transaction.asService.query(`do $$ begin
        execute 'declare held cursor with hold for select current_user';
        execute 'declare plain cursor for select current_user';
      end $$`);
      return transaction.query("select name from pg_catalog.pg_cursors");
    });
    expect(cursors).toEqual([]);
  });

  it("reports the place of an error in its own text", async () => {
    await expect(asService("select 1 where nonsense")).rejects.toMatchObject({
      code: "42703",
      position: "16",
    });
  });
});

describe("a statement of the same transaction after code of the database's users", () => {
  /** Objects that hide PostgreSQL's own, and note the login that runs them. */
  const trapSql = `
    create schema traps;
    create function traps.note() returns oid language plpgsql as $$
      begin insert into public.seen (login) values (current_user); return 0; end $$;
    create function traps.lower(text) returns text language plpgsql as $$ begin perform traps.note(); return 'trap'; end $$;
    create function traps.differs(text, text) returns boolean language plpgsql as $$ begin perform traps.note(); return true; end $$;
    create operator traps.<> (leftarg = text, rightarg = text, function = traps.differs);
    grant usage on schema traps to public;
    grant insert on public.seen to public`;
  const attacks: readonly (readonly [string, string])[] = [
    [
      "set_config of search_path for the transaction",
      "select set_config('search_path', 'traps, pg_catalog', true)",
    ],
    [
      "set_config of search_path for the session",
      "select set_config('search_path', 'traps, pg_catalog', false)",
    ],
    ["SET LOCAL", "do $$ begin set local search_path = traps, pg_catalog; end $$"],
    [
      "a temporary view",
      "create temporary view pg_class as select traps.note() as oid, 'x'::name as relname",
    ],
    [
      "a temporary table with a default",
      "create temporary table pg_settings (name text, setting text)",
    ],
    [
      "prepared statements",
      "do $$ begin for n in 0..40 loop begin execute format('prepare s%s as select traps.note()', n); exception when others then null; end; end loop; end $$",
    ],
    ["deallocated statements", "do $$ begin execute 'deallocate all'; end $$"],
  ];
  const asked =
    "select pg_catalog.current_setting('search_path') as path, lower('ABC') as lower, ('a'::text <> 'a'::text)::text as differs, (select relname::text from pg_class where oid = 1259) as relation";

  beforeAll(() => test.service.service.query(trapSql));

  const read = (transaction: Pick<Transaction, "query">) => transaction.query(asked);

  it.each(attacks)("sees PostgreSQL's own names after %s", async (_, attack) => {
    const expected = [
      { path: '"$user", public, pg_temp', lower: "abc", differs: "false", relation: "pg_class" },
    ];
    for (let turn = 0; turn < 2; turn += 1) {
      await test.service.transaction(async (transaction) => {
        // Prepared by the driver, so that the code can replace it.
        expect(await read(transaction)).toEqual(expected);
        await transaction.asService.query(attack);
        expect(await read(transaction)).toEqual(expected);
        await transaction.savepoint(async (nested) => {
          expect(await read(nested)).toEqual(expected);
        });
      });
      // Also in the next transaction of the session.
      expect(await test.service.transaction(read)).toEqual(expected);
    }
    expect(await seen()).toEqual([]);
  });

  it("keeps the actor and the origin that the service has set", async () => {
    const kept = await test.service.transaction(async (transaction) => {
      await transaction.query(
        "select set_config('rowhouse.actor', 'one', true), set_config('rowhouse.origin', '{}', true)",
      );
      await transaction.asService.query(
        "do $$ begin perform set_config('rowhouse.actor', 'two', true), set_config('rowhouse.origin', 'x', false), set_config('rowhouse.run', 'x', true); end $$",
      );
      return transaction.query(
        "select current_setting('rowhouse.actor') as actor, current_setting('rowhouse.origin') as origin, current_setting('rowhouse.run') as run",
      );
    });
    expect(kept).toEqual([{ actor: "one", origin: "{}", run: "" }]);
  });
});

describe("the function that executes statements as the service's login", () => {
  it("has no effect if the service's login calls it", async () => {
    const own = test.service.service;
    expect(
      await refusalOf(
        own,
        "select from system.as_service('insert into public.seen (login) values (''x'')', false, '{}')",
      ),
    ).toBe("42501");
    await own.query(
      "create function public.calls() returns void language sql security definer as $$ select from system.as_service('insert into public.seen (login) values (''x'')', false, '{}') $$",
    );
    expect(await refusalOf(own, "select public.calls()")).toBe("42501");
    expect(await seen()).toEqual([]);
  });

  const changes: readonly (readonly [string, string])[] = [
    [
      `create or replace function system.as_service(statement text, has_rows boolean, parameters text[]) returns setof text language sql as 'select null::text'`,
      "42501",
    ],
    [`alter function ${signature} security invoker`, "RH409"],
    [`alter function ${signature} set search_path = public`, "RH409"],
    [`alter function ${signature} rename to other`, "42501"],
    [`alter function ${signature} set schema public`, "RH409"],
    [`drop function ${signature}`, "RH409"],
    [`alter function ${signature} owner to ${system}`, "42501"],
  ];
  it.each(changes)("cannot be changed by its owner: %s", async (text, code) => {
    expect(await refusalOf(test.service.service, text)).toBe(code);
    expect(await asService("select current_user as login")).toEqual([{ login: service }]);
  });

  it("refuses where its owner has altered it without event triggers, until the next start", async () => {
    const { database } = test;
    const logins = { service, system };
    await database.query(
      "drop event trigger rowhouse_after_ddl; drop event trigger rowhouse_after_drop",
    );
    const altered = changes.filter(([, code]) => code === "RH409");
    for (const [text] of altered) {
      expect([text, await refusalOf(test.service.service, text)]).toEqual([text, "allowed"]);
      // 42883: no function of that name.
      expect(["42501", "42883"]).toContain(await refusalOf(test.service, call));
      await expect(
        asService("insert into public.seen (login) values (current_user)"),
      ).rejects.toThrow(/system.as_service/);
      await admitLogins(database, logins);
      expect(await asService("select current_user as login")).toEqual([{ login: service }]);
      await database.query("drop function if exists public.as_service(text, boolean, text[])");
    }
    expect(await seen()).toEqual([]);
  });

  it("is taken back by a start from logins to which its owner has granted it", async () => {
    const name = `${new URL(test.url).pathname.slice(1)}_other`;
    const may = async () => {
      const [row] = await test.database.query<{ may: boolean }>(
        `select has_function_privilege('${name}', '${signature}', 'execute') as may`,
      );
      return row?.may;
    };
    await test.database.query(`create role ${name}`);
    try {
      await test.service.service.query(`grant execute on function ${signature} to ${name}`);
      expect(await may()).toBe(true);
      await admitLogins(test.database, { service, system });
      expect(await may()).toBe(false);
    } finally {
      await test.database.query(`drop owned by ${name}; drop role ${name}`);
    }
  });
});
