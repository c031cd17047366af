import {
  createTestDatabase,
  createUser,
  serviceLogin,
  systemLogin,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admitLogins, startDatabase } from "../src/index.ts";
import { functionsOf, privilegesOf, refusalOf } from "./privileges-of.ts";

// The two logins beside the one for migrations: the tests compare the privileges that PostgreSQL reports.
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ login: "service" });
  await createUser(test.database, "admin@example.com", "Administrators");
});
afterAll(() => test.drop());

const service = serviceLogin.name;
const system = systemLogin.name;
const logins = { service, system };
const refusal = (text: string) => refusalOf(test.service.service, text);
const systemRefusal = (text: string) => refusalOf(test.service, text);

describe.each([service, system])("the login %s", (login) => {
  it("is not a superuser, creates no roles or databases, cannot bypass row security, and is a member of no role", async () => {
    const rows = await test.database.query(
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
       from pg_roles r where rolname = '${login}'`,
    );
    const no = { rolsuper: false, rolcreaterole: false, rolcreatedb: false };
    expect(rows).toEqual([{ ...no, rolreplication: false, rolbypassrls: false, memberships: 0 }]);
  });

  it("has exactly these privileges on the tables of the schema system", async () => {
    expect(await privilegesOf(test.database, login)).toMatchSnapshot();
  });

  it("may not create an object in the schema system", async () => {
    const [schema] = await test.database.query(
      `select has_schema_privilege('${login}', 'system', 'usage') as usage, has_schema_privilege('${login}', 'system', 'create') as "create"`,
    );
    expect(schema).toEqual({ usage: true, create: false });
    const database = login === service ? test.service.service : test.service;
    expect(await refusalOf(database, "create table system.mine (id int)")).toBe("42501");
  });

  it("cannot change or delete entries of the audit log", async () => {
    const database = login === service ? test.service.service : test.service;
    for (const text of [
      ...["update system.audit_log set action = 'x'", "delete from system.audit_log"],
      ...["truncate system.audit_log", "alter table system.audit_log disable trigger all"],
      "drop trigger audit_log_append_only on system.audit_log",
      "set session_replication_role = replica",
    ]) {
      expect([text, await refusalOf(database, text)]).toEqual([text, "42501"]);
    }
  });

  it("cannot reopen an ended run or write the list of migrations", async () => {
    const database = login === service ? test.service.service : test.service;
    for (const text of [
      "alter table system.workflow_runs disable trigger workflow_runs_terminal",
      "create or replace function system.protect_terminal_runs() returns trigger language plpgsql as 'begin return new; end'",
      ...["delete from system.migrations", "update system.migrations set checksum = 'x'"],
    ]) {
      expect([text, await refusalOf(database, text)]).toEqual([text, "42501"]);
    }
  });

  it("cannot become the other login or the owner of the schema", async () => {
    const database = login === service ? test.service.service : test.service;
    for (const role of [login === service ? system : service, "pg_database_owner"]) {
      expect(await refusalOf(database, `set role ${role}`)).toBe("42501");
    }
  });
});

describe("the service's login", () => {
  it("owns no object of the schema system except the function that executes statements as this login", async () => {
    const owned = await test.database.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'system'::regnamespace and pg_has_role('${service}', c.relowner, 'member')
       union all
       select p.oid::regprocedure::text from pg_proc p
       where p.pronamespace = 'system'::regnamespace and pg_has_role('${service}', p.proowner, 'member')
       union all
       select n.nspname from pg_namespace n
       where n.nspname in ('system', 'rowhouse_queue') and pg_has_role('${service}', n.nspowner, 'member')`,
    );
    expect(owned.map(({ name }) => name)).toEqual(["system.as_service(text,boolean,text[])"]);
  });

  it("writes only what belongs to the transaction of a row", async () => {
    const written = (await privilegesOf(test.database, service)).filter((line) =>
      /[:,] (insert|update|delete|truncate|trigger|maintain)\b/.test(line),
    );
    expect(written).toMatchInlineSnapshot(`
      [
        "idempotency_keys: select, insert, update (body, created_at, fingerprint, status)",
        "workflow_run_steps: select, insert, update (attempt, child_run_id, error, fence, finished_at, output, resume_at, simulated, status)",
        "workflow_runs: select, update (error, finished_at, lease_owner, lease_until, result, signalled, status)",
      ]
    `);
    expect(await refusal("insert into system.roles (name) values ('Mine')")).toBe("42501");
    expect(
      await refusal(
        "insert into system.audit_log (action, target_kind) values ('user.create', 'user')",
      ),
    ).toBe("42501");
    expect(await refusal("update system.epoch set value = value")).toBe("42501");
    expect(await refusal("update system.settings set value = value")).toBe("42501");
  });

  it("reads no secret column, and no password hash by a function", async () => {
    const readable = await test.database.query<{ name: string }>(
      `select s.relation_oid::regclass || '.' || s.column_name as name from system.secret_columns s
       where has_column_privilege('${service}', s.relation_oid, s.column_name, 'select') order by 1`,
    );
    // A request finds its credential by the digest.
    expect(readable.map(({ name }) => name)).toMatchInlineSnapshot(`
      [
        "system.sessions.digest",
        "system.token_secrets.digest",
      ]
    `);
    for (const text of [
      ...["select password_hash from system.users", "select * from system.users"],
      "select 1 from system.users where password_hash like '$argon2%'",
      "select system.password_of(id) from system.users",
    ]) {
      expect([text, await refusal(text)]).toEqual([text, "42501"]);
    }
    expect(await refusal("select email from system.users")).toBe("allowed");
  });

  it("cannot replace a table that a function of the owner reads by its own", async () => {
    const { service: pool } = test.service;
    await pool.query(`create function public.grab() returns name language plpgsql as $$
      begin
        if current_user <> '${service}' then
          execute 'grant select (password_hash) on system.users to ${service}';
        end if;
        return 'name';
      end $$`);
    // The event triggers of the schema `system` execute functions of its owner.
    await pool.transaction(async (transaction) => {
      await transaction.query(`create temp view pg_attribute as
        select c.oid as attrelid, public.grab() as attname, 1::int2 as attnum, false as attisdropped from pg_class c`);
      await transaction.query("create table public.watched (id int primary key)");
      await transaction.query("select system.sync_registry()");
      await transaction.query("drop table public.watched");
      await transaction.query("drop view pg_temp.pg_attribute");
    });
    const [right] = await test.database.query(
      `select has_column_privilege('${service}', 'system.users', 'password_hash', 'select') as found`,
    );
    expect(right).toEqual({ found: false });
    await pool.query("drop function public.grab()");
    // The function of the service's login executes statements with the caller's path, and reads by qualified names.
    const paths = await test.database.query(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'system' and p.prosecdef and p.proowner = n.nspowner and not exists (
         select from unnest(p.proconfig) c where c ~ '^search_path=.*pg_temp$')`,
    );
    expect(paths).toEqual([]);
  });

  it("cannot replace a function that a start calls as the owner by its own", async () => {
    const { service: pool } = test.service;
    await pool.query(`create function public.format(text, name) returns text language plpgsql as $$
      begin
        if current_user <> '${service}' then
          execute 'grant truncate on system.mails to public';
        end if;
        return pg_catalog.format($1, $2);
      end $$`);
    await admitLogins(test.database, logins);
    await pool.query("drop function public.format(text, name)");
    const [right] = await test.database.query(
      `select has_table_privilege('${service}', 'system.mails', 'truncate') as found`,
    );
    expect(right).toEqual({ found: false });
  });

  it("loses excess privileges and keeps the required ones at the next start", async () => {
    const { database } = test;
    const before = await privilegesOf(database, service);
    await database.query(`grant all on all tables in schema system to ${service}`);
    await database.query(`grant create on schema system to ${service}`);
    await database.query("grant execute on function system.password_of(uuid) to public");
    expect(await refusal("select password_hash from system.users")).toBe("allowed");
    // A start that says nothing of it leaves the login closed.
    await admitLogins(database, logins);
    expect(await privilegesOf(database, service)).toEqual(before);
    expect(await refusal("select system.password_of(id) from system.users")).toBe("42501");
    expect(await refusal("create table system.mine (id int)")).toBe("42501");
  });
});

describe("the login that keeps the schema system", () => {
  it("has no right on a table of the database's users, and cannot alter one", async () => {
    const { database } = test;
    const { service: pool } = test.service;
    await pool.query("create schema shop");
    for (const schema of ["shop", "public"]) {
      await pool.query(`create table ${schema}.orders (id int primary key)`);
      await pool.query(`create view ${schema}.open_orders as select id from ${schema}.orders`);
    }
    const allowed = await database.query(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'system', 'rowhouse_queue')
         and (pg_has_role('${system}', c.relowner, 'member') or has_table_privilege('${system}', c.oid, 'delete, truncate, trigger')
           or has_any_column_privilege('${system}', c.oid, 'select, insert, update, references'))`,
    );
    expect(allowed).toEqual([]);
    for (const text of [
      ...["select from public.orders", "select from shop.orders", "select from shop.open_orders"],
      ...["alter table public.orders add column note text", "drop table public.orders"],
      "create table public.mine (id int)",
    ]) {
      expect([text, await systemRefusal(text)]).toEqual([text, "42501"]);
    }
  });

  it("owns the schema of the queue and nothing else", async () => {
    const owned = await test.database.query<{ name: string }>(
      `select pg_describe_object(d.classid, d.objid, 0) as name from pg_shdepend d
       where d.refclassid = 'pg_authid'::regclass and d.refobjid = '${system}'::regrole and d.deptype = 'o'
         and d.dbid = (select oid from pg_database where datname = current_database())`,
    );
    expect(owned.map(({ name }) => name)).toEqual(["schema rowhouse_queue"]);
  });

  it("reads a password hash of one user at a time, through the function for it", async () => {
    expect(await systemRefusal("select password_hash from system.users")).toBe("42501");
    expect(await systemRefusal("update system.users set name = password_hash")).toBe("42501");
    expect(await systemRefusal("select system.password_of(id) from system.users")).toBe("allowed");
  });
});

describe("the functions that run with their owner's privileges", () => {
  it("are called by these logins only", async () => {
    const anybody = await test.database.query(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace = 'system'::regnamespace and p.prosecdef and p.prorettype <> 'trigger'::regtype
         and exists (select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0)`,
    );
    expect(anybody).toEqual([]);
    expect(await functionsOf(test.database, service)).toMatchInlineSnapshot(`
      [
        "system.as_service(text,boolean,text[])",
        "system.sync_registry()",
      ]
    `);
    expect(await functionsOf(test.database, system)).toMatchInlineSnapshot(`
      [
        "system.as_service(text,boolean,text[])",
        "system.password_of(uuid)",
        "system.require_administrator()",
        "system.sync_registry()",
      ]
    `);
  });
});

describe("a start of a process with both logins", () => {
  const options = { applicationName: "start", connectionsMax: 6 };

  it("names the exposed tables that the service's login may not read, and no others", async () => {
    const { database } = test;
    for (const name of ["unread", "read", "hidden"]) {
      await database.query(`create table public.${name} (id int primary key, note text)`);
      await database.query(`alter table public.${name} owner to current_user`);
    }
    await database.query(`grant select (id) on public.read to ${service}`);
    await database.query(
      "update system.resources set exposed_methods = '{GET}' where relation_name in ('unread', 'read')",
    );
    const named: string[] = [];
    const warned: string[] = [];
    const started = await startDatabase({
      ...options,
      ...{ url: test.url, systemUrl: test.systemUrl },
      onUnreadable: (names) => named.push(...names),
      // Code of the database's users has no right that an administrator has.
      onCodeLogins: () => warned.push("code"),
    });
    await started.close();
    expect({ named, warned }).toEqual({ named: ["public.unread"], warned: [] });
  });

  it("is rejected without the login that keeps the schema system", async () => {
    await expect(startDatabase({ ...options, url: test.url })).rejects.toThrow(
      "SYSTEM_DATABASE_URL is missing",
    );
  });

  it("is rejected if a login has excess privileges", async () => {
    const { database } = test;
    const name = `${new URL(test.url).pathname.slice(1)}_member`;
    const owner = decodeURIComponent(new URL(test.ownerUrl).username);
    await database.query(`create role ${name}`);
    try {
      await database.query(`grant ${owner} to ${name}`);
      await expect(admitLogins(database, { service: name, system })).rejects.toThrow(
        `${name} of DATABASE_URL owns the schema system`,
      );
      await expect(admitLogins(database, { service, system: name })).rejects.toThrow(
        `${name} of SYSTEM_DATABASE_URL owns the schema system`,
      );
    } finally {
      await database.query(`drop role ${name}`);
    }
  });
});
