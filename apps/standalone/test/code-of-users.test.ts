// Tier: all. One of the slowest.
import { serviceLogin } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Attack, prepareAttack } from "./attack.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A login that owns one schema, and may not read the schema `system`, puts code wherever PostgreSQL runs it. The code tries to
// write every table of `system` and to become another login. Each visit counts in a sequence, which no rollback undoes.

let environment: TestEnvironment;
let attack: Attack;

const run = (sql: string) => environment.test.database.query(sql);
/** Sends a request whose answer does not matter: code of a table may change it, even so that it breaks its description. */
const provoke = (...request: Parameters<typeof ask>) => ask(...request).catch(() => undefined);
const ask = (method: string, path: string, data?: unknown, headers?: Record<string, string>) =>
  environment.ask(method, path, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
    ...(headers === undefined ? {} : { headers }),
  });

beforeAll(async () => {
  environment = await openTestEnvironment({ login: "service" });
  attack = await prepareAttack(environment.test);
});
afterAll(async () => {
  await attack.end();
  await environment.stop();
});
beforeEach(() => attack.begin());

async function expose(name: string, ...methods: string[]): Promise<string> {
  const { body } = await ask("GET", `/admin/api/resources?search=${name}`);
  expect(body.data, JSON.stringify(body)).toBeDefined();
  const found = body.data.find((one: { name: string }) => one.name === name);
  const exposedMethods = methods.length > 0 ? methods : ["GET", "POST", "PATCH", "DELETE"];
  const answer = await ask("PATCH", `/admin/api/resources/${found.id}`, { exposedMethods });
  expect(answer.status, answer.text).toBe(200);
  return found.id;
}

const table = "id int primary key, note text default 'x', qty int default 1";
/** Where PostgreSQL runs code of a table when a row of it is written. */
const ofTable: Readonly<Record<string, string>> = {
  trigger: `create table shop.NAME (${table});
    create trigger t before insert or update or delete on shop.NAME for each row execute function shop.attack_trigger()`,
  deferred: `create table shop.NAME (${table});
    create constraint trigger t after insert or update or delete on shop.NAME deferrable initially deferred
      for each row execute function shop.attack_trigger()`,
  statement: `create table shop.NAME (${table});
    create trigger t after insert or update or delete on shop.NAME for each statement execute function shop.attack_trigger()`,
  default: `create table shop.NAME (${table}, d int default shop.attack())`,
  check: `create table shop.NAME (${table}, check (shop.attack() = 1))`,
  domain: `create domain shop.NAME_domain as int check (shop.attack() = 1);
    create table shop.NAME (${table}, d shop.NAME_domain default 1)`,
  generated: `create function shop.NAME_pure(int) returns int language plpgsql immutable as 'begin perform shop.attack(); return 1; end';
    create table shop.NAME (${table}, d int generated always as (shop.NAME_pure(qty)) stored)`,
  index: `create function shop.NAME_pure(int) returns int language plpgsql immutable as 'begin perform shop.attack(); return 1; end';
    create table shop.NAME (${table}); create index on shop.NAME (shop.NAME_pure(qty))`,
  policy: `create table shop.NAME (${table}); alter table shop.NAME enable row level security;
    create policy p on shop.NAME using (shop.attack() = 1)`,
  rule: `create table shop.NAME (${table});
    create rule r as on delete to shop.NAME do instead
      update shop.NAME set note = 'gone' where id = old.id and shop.attack() > 0 returning shop.NAME.id, shop.NAME.note, shop.attack()`,
  "security definer": `create table shop.NAME (${table}, check (shop.of_owner() = 1))`,
};

describe.each(Object.keys(ofTable))("code in a %s", (kind) => {
  const name = `t_${kind.replace(/\W/g, "_")}`;
  const at = `/api/shop/table/${name}`;

  it("has only the service's rights in each request for rows", async () => {
    await attack.as(ofTable[kind]?.replaceAll("NAME", name) ?? "");
    await expose(name);
    const key = { "Idempotency-Key": "one" };
    await provoke("POST", at, { id: 1 });
    await provoke("POST", at, [{ id: 2 }, { id: 3 }], key);
    await provoke("POST", at, [{ id: 2 }, { id: 3 }], key);
    await provoke("PATCH", `${at}/1`, { qty: 5 });
    await provoke("GET", `${at}?where[qty][_gte]=0&order_by=id`);
    await provoke("GET", `${at}/1/history`);
    await provoke("POST", "/api/batch", [
      { method: "PATCH", path: `${at}/1`, data: { qty: 6 } },
      { method: "DELETE", path: `${at}/2` },
    ]);
    const file = {
      raw: "id,qty\n8,1\n9,2\n",
      headers: { "Content-Type": "text/csv" },
    };
    await environment
      .ask("POST", `${at}/import`, { as: environment.admin.secret, ...file })
      .catch(() => undefined);
    await provoke("DELETE", `${at}/1`);
    await provoke("DELETE", `${at}/3`);
    await attack.expectHarmless();
  });

  it("has only these rights when an administrator alters and drops the table", async () => {
    await run(`alter table shop.${name} owner to ${serviceLogin.name}`);
    const changes = [
      { kind: "addColumn", name: "extra", dataType: "integer", default: "3", nullable: false },
    ];
    const alter = `/admin/api/schema/shop/${name}`;
    await environment.ask("POST", `${alter}/preview`, {
      as: environment.admin.secret,
      body: { data: { changes } },
    });
    await ask("PATCH", alter, { changes });
    await ask("PATCH", alter, {
      changes: [{ kind: "changeColumn", column: "qty", dataType: "bigint" }],
    });
    await ask("DELETE", `${alter}?confirm=${name}`);
    await attack.expectHarmless(false);
  });
});

describe("code in a view", () => {
  it("has only the service's rights for a reader, also of an aggregate, an operator and a cast", async () => {
    await attack.as(
      `create table shop.base (${table}); insert into shop.base values (1), (2);
       create function shop.plus(int, int) returns int language sql as 'select shop.attack()';
       create operator shop.@@@ (leftarg = int, rightarg = int, function = shop.plus);
       create type shop.pair as (a int);
       create function shop.to_pair(int) returns shop.pair language sql as 'select row(shop.attack())::shop.pair';
       create cast (int as shop.pair) with function shop.to_pair(int);
       create function shop.step(int, int) returns int language sql as 'select shop.attack()';
       create aggregate shop.total(int) (sfunc = shop.step, stype = int, initcond = '0');
       create view shop.seen as select id, shop.attack() as f, id operator(shop.@@@) 1 as o, (id::shop.pair).a as c,
         (select shop.total(x.id) from shop.base x) as s from shop.base`,
    );
    await expose("seen", "GET");
    const answer = await ask("GET", "/api/shop/view/seen?where[f][_gte]=0");
    expect(answer.status, answer.text).toBe(200);
    // A read is read-only, so nothing counts there: the attack returns a greater number if it may do more.
    const harmless = { f: 1, o: 1, c: 1, s: 1 };
    expect(answer.body.data).toEqual([
      { id: 1, ...harmless },
      { id: 2, ...harmless },
    ]);
    await ask("GET", "/api/shop/view/seen?aggregate[sum]=f");
    await environment.ask("GET", "/api/shop/view/seen?limit=10", {
      as: environment.admin.secret,
      headers: { Accept: "text/csv" },
    });
    await attack.expectHarmless(false);
  });

  it("has only these rights when an administrator creates, replaces and refreshes a view of it", async () => {
    const views = "/admin/api/schema/shop/views";
    await run("alter function shop.attack() immutable");
    const definition = "select id, shop.attack() as f from shop.base";
    for (const materialized of [false, true]) {
      const name = materialized ? "stored" : "plain";
      await ask("POST", `${views}/preview`, { name, definition, materialized });
      await ask("POST", views, { name, definition, materialized });
      await ask("PUT", `${views}/${name}`, { definition: `${definition} where id > 0` });
      await ask("POST", `${views}/${name}/refresh`);
    }
    await expect
      .poll(async () => (await ask("GET", `${views}/stored/refresh`)).body?.data?.state)
      .not.toBe("RUNNING");
    await run("alter function shop.attack() volatile");
    await attack.expectHarmless();
  });
});

describe("code that a cascade from the schema system reaches", () => {
  const cascades = [
    ["users", "on delete cascade", "before delete"],
    ["users", "on delete cascade", "after delete"],
    ["users", "on delete set null", "after update"],
    ["files", "on delete cascade", "after delete"],
    ["roles", "on delete cascade", "after delete"],
    ["folders", "on delete cascade", "after delete"],
  ] as const;
  const tableOf = (index: number) => `shop.cascade_${index}`;

  const insertSql: Readonly<Record<string, string>> = {
    users:
      "insert into system.users (email) values ('gone' || gen_random_uuid() || '@example.com') returning id::text",
    roles:
      "insert into system.roles (name) values ('Gone ' || gen_random_uuid()) returning id::text",
    files: "insert into system.files (name) values ('gone') returning id::text",
    folders: "insert into system.folders (name) values ('gone') returning id::text",
  };

  it.each(cascades.map((one, index) => [...one, index] as const))(
    "from %s, %s, %s, is refused with the name of the trigger, and possible without it",
    async (target, action, event, index) => {
      await run(
        `grant references on system.${target} to ${attack.role}; grant usage on schema system to ${attack.role}`,
      );
      await attack.as(
        `create table ${tableOf(index)} (id int primary key, ref uuid references system.${target} ${action});
         create trigger guardian ${event} on ${tableOf(index)} for each row execute function shop.attack_trigger()`,
      );
      const [row] = await environment.test.database.query<{ id: string }>(insertSql[target] ?? "");
      const id = row?.id ?? "";
      await run(`insert into ${tableOf(index)} values (1, '${id}')`);
      await expose(target);
      const paths = [`/api/system/table/${target}/${id}`];
      if (target === "roles") paths.push(`/admin/api/roles/${id}`);
      for (const path of paths) {
        const refused = await ask("DELETE", path);
        expect(refused.status, refused.text).toBe(409);
        expect(refused.text).toContain("trigger guardian on shop.cascade_");
      }
      const batch = await ask("POST", "/api/batch", [{ method: "DELETE", path: paths[0] }]);
      expect(batch.status).toBe(409);
      await attack.expectHarmless(false);
      await attack.expectNoVisit();
      await attack.as(`drop trigger guardian on ${tableOf(index)}`);
      expect((await ask("DELETE", paths[0] ?? "")).status).toBe(204);
      await run(`drop table ${tableOf(index)}`);
    },
  );
});

describe("code of an event trigger, which a superuser has created", () => {
  it("has only the service's rights when an administrator changes tables, and in imports", async () => {
    // The attack creates a view, which would begin it again.
    await attack.as(
      `create function shop.on_ddl() returns event_trigger language plpgsql as $$
       begin
         if current_setting('shop.inside', true) = 'yes' then return; end if;
         perform set_config('shop.inside', 'yes', true);
         perform shop.attack();
         perform set_config('shop.inside', '', true);
       end $$`,
    );
    await run("create event trigger of_mallory on ddl_command_end execute function shop.on_ddl()");
    try {
      const tables = "/admin/api/schema/public/tables";
      const id = { name: "id", dataType: "integer", primaryKey: true };
      await provoke("POST", tables, { name: "seen_by_mallory", columns: [id] });
      await provoke("PATCH", "/admin/api/schema/public/seen_by_mallory", {
        changes: [{ kind: "addColumn", name: "more", dataType: "text" }],
      });
      for (const place of ["public/table/seen_by_mallory", "system/table/folders"]) {
        const file = { raw: "name\nx\n", headers: { "Content-Type": "text/csv" } };
        await environment
          .ask("POST", `/api/${place}/import`, { as: environment.admin.secret, ...file })
          .catch(() => undefined);
      }
      await environment.test.service.health();
      await provoke("DELETE", "/admin/api/schema/public/seen_by_mallory?confirm=seen_by_mallory");
      await attack.expectHarmless();
    } finally {
      await run("drop event trigger of_mallory");
    }
  });
});

describe("a trigger of ours on a table of the login", () => {
  it("records nothing of another table", async () => {
    const [things] = await environment.test.database.query<{ id: string }>(
      "select id from system.resources where relation_name = 'things'",
    );
    await run(
      `update system.resources set history = true where relation_name = 'things';
       create table public.forged (id int primary key, name text); alter table public.forged owner to ${serviceLogin.name};
       create trigger forged after insert on public.forged referencing new table as new_rows for each statement
         execute function system.record_history('${things?.id}')`,
    );
    await run("insert into public.forged values (1, 'forged')");
    expect(
      await run("select from system.row_history where new_values::text like '%forged%'"),
    ).toEqual([]);
    await run("drop table public.forged");
  });
});

describe("what is left outside requests", () => {
  it("has no rights of the service's keeper in a truncation, a maintenance of the owner and a vacuum", async () => {
    await attack.as(
      `create table shop.kept (${table}); insert into shop.kept values (1);
       create function shop.kept_pure(int) returns int language plpgsql immutable as 'begin perform shop.attack(); return 1; end';
       create index on shop.kept (shop.kept_pure(qty));
       alter table shop.kept enable row level security; create policy p on shop.kept using (shop.attack() = 1);
       alter table shop.kept force row level security; grant select on shop.kept to public`,
    );
    const id = await expose("kept");
    await run("grant trigger on shop.kept to test_service");
    expect((await ask("PATCH", `/admin/api/resources/${id}`, { history: true })).status).toBe(200);
    await attack.as("insert into shop.kept values (2)");
    await attack.as("truncate shop.kept");
    await run("vacuum analyze shop.kept");
    await attack.as("reindex table shop.kept");
    await attack.expectHarmless();
  });
});
