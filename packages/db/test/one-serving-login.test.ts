import { createTestDatabase, createUser, serviceLogin, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admitLogins, type Database, migrate, openDatabase, startDatabase } from "../src/index.ts";
import { functionsOf, privilegesOf, refusalOf } from "./privileges-of.ts";

// The service's login beside a login for migrations, without one of its own for the schema `system`.
let test: TestDatabase;
let serviceUrl: string;
let service: Database;
beforeAll(async () => {
  test = await createTestDatabase({ login: "owner" });
  await createUser(test.database, "admin@example.com", "Administrators");
  await admitLogins(test.database, { service: serviceLogin.name });
  const url = new URL(test.ownerUrl);
  [url.username, url.password] = [serviceLogin.name, serviceLogin.password];
  serviceUrl = url.href;
  service = openDatabase({ url: serviceUrl, applicationName: "service" });
});
afterAll(async () => {
  await service.close();
  await test.drop();
});

const login = serviceLogin.name;
const refusal = (text: string) => refusalOf(service, text);

describe("the only login of the service", () => {
  it("is not a superuser, creates no roles or databases, and cannot bypass row security", async () => {
    const rows = await test.database.query(
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
       from pg_roles r where rolname = '${login}'`,
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
        memberships: 0,
      },
    ]);
  });

  it("owns no object of the schema system and cannot create one there", async () => {
    const owned = await test.database.query(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = 'system'::regnamespace and pg_has_role('${login}', c.relowner, 'member')
       union all
       select p.oid::regprocedure::text from pg_proc p
       where p.pronamespace = 'system'::regnamespace and pg_has_role('${login}', p.proowner, 'member')
       union all
       select 'the schema' from pg_namespace n where n.nspname = 'system' and pg_has_role('${login}', n.nspowner, 'member')`,
    );
    expect(owned).toEqual([]);
    const [schema] = await test.database.query(
      `select has_schema_privilege('${login}', 'system', 'usage') as usage, has_schema_privilege('${login}', 'system', 'create') as "create"`,
    );
    expect(schema).toEqual({ usage: true, create: false });
    expect(await refusal("create table system.mine (id int)")).toBe("42501");
  });

  it("cannot replace a table that a function of the owner reads by its own", async () => {
    await service.query(`create function public.grab() returns name language plpgsql as $$
      begin
        if current_user <> '${login}' then
          execute 'grant select (password_hash) on system.users to ${login}';
        end if;
        return 'name';
      end $$`);
    const readsHashes = () =>
      service.transaction(async (transaction) => {
        await transaction.query(`create temp view pg_attribute as
          select c.oid as attrelid, public.grab() as attname, 1::int2 as attnum, false as attisdropped from pg_class c`);
        await transaction.query("select set_config('rowhouse.origin', '{}', true)");
        await transaction.query("insert into system.roles (name) values ('A temporary view')");
        const [right] = await transaction.query(
          `select has_column_privilege('${login}', 'system.users', 'password_hash', 'select') as found`,
        );
        await transaction.query("drop view pg_temp.pg_attribute");
        return right;
      });
    expect(await readsHashes()).toEqual({ found: false });
    await service.query("drop function public.grab()");
    const paths = await test.database.query(
      `select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace = 'system'::regnamespace and p.prosecdef and not exists (
         select from unnest(p.proconfig) c where c ~ '^search_path=.*pg_temp$')`,
    );
    expect(paths).toEqual([]);
  });

  it("cannot replace a function that a start calls as the owner by its own", async () => {
    await service.query(`create function public.format(text, name) returns text language plpgsql as $$
      begin
        if current_user <> '${login}' then
          execute 'grant truncate on system.mails to public';
        end if;
        return pg_catalog.format($1, $2);
      end $$`);
    await admitLogins(test.database, { service: login });
    await service.query("drop function public.format(text, name)");
    const [right] = await test.database.query(
      `select has_table_privilege('${login}', 'system.mails', 'truncate') as found`,
    );
    expect(right).toEqual({ found: false });
  });

  it("has exactly these privileges on the tables of the schema system", async () => {
    expect(await privilegesOf(test.database, login)).toMatchSnapshot();
  });

  it("may call these functions, which run with their owner's privileges", async () => {
    expect(await functionsOf(test.database, login)).toMatchInlineSnapshot(`
      [
        "system.password_of(uuid)",
        "system.require_administrator()",
        "system.sync_registry()",
      ]
    `);
  });

  it("cannot change or delete entries of the audit log", async () => {
    await service.query(
      "insert into system.audit_log (action, target_kind) values ('user.create', 'user')",
    );
    expect(await refusal("update system.audit_log set action = 'x'")).toBe("42501");
    expect(await refusal("delete from system.audit_log")).toBe("42501");
    expect(await refusal("truncate system.audit_log")).toBe("42501");
    expect(await refusal("alter table system.audit_log disable trigger all")).toBe("42501");
    expect(await refusal("drop trigger audit_log_append_only on system.audit_log")).toBe("42501");
    expect(await refusal("set session_replication_role = replica")).toBe("42501");
  });

  it("cannot reopen an ended run or write the list of migrations", async () => {
    expect(
      await refusal("alter table system.workflow_runs disable trigger workflow_runs_terminal"),
    ).toBe("42501");
    expect(
      await refusal(
        "create or replace function system.protect_terminal_runs() returns trigger language plpgsql as 'begin return new; end'",
      ),
    ).toBe("42501");
    expect(await refusal("delete from system.migrations")).toBe("42501");
    expect(await refusal("update system.migrations set checksum = 'x'")).toBe("42501");
  });

  it("reads a password hash of one user at a time, through the function for it", async () => {
    expect(await refusal("select password_hash from system.users")).toBe("42501");
    expect(await refusal("select * from system.users")).toBe("42501");
    expect(await refusal("select 1 from system.users where password_hash like '$argon2%'")).toBe(
      "42501",
    );
    expect(await refusal("update system.users set name = password_hash")).toBe("42501");
    expect(await refusal("select system.password_of(id) from system.users")).toBe("allowed");
  });

  it("loses excess privileges and keeps the required ones at the next start", async () => {
    const { database } = test;
    await database.query(`grant all on all tables in schema system to ${login}`);
    await database.query(`grant create on schema system to ${login}`);
    await database.query("grant execute on function system.password_of(uuid) to public");
    expect(await refusal("select password_hash from system.users")).toBe("allowed");
    await admitLogins(database, { service: login });
    expect(await refusal("select password_hash from system.users")).toBe("42501");
    expect(await refusal("select email from system.users")).toBe("allowed");
    expect(await refusal("delete from system.audit_log")).toBe("42501");
    expect(await refusal("create table system.mine (id int)")).toBe("42501");
  });
});

describe("a start", () => {
  const options = { url: "", applicationName: "start", connectionsMax: 6 };

  it("serves an empty database that a start has migrated under its own login", async () => {
    const { database } = test;
    const name = new URL(serviceUrl).pathname.slice(1);
    const other = `${name}_two`;
    await database.query(`create role ${other}_owner login password 'owner'`);
    await database.query(`create database ${other} owner ${other}_owner`);
    const url = (text: string, user?: string) => {
      const at = new URL(text);
      at.pathname = `/${other}`;
      if (user !== undefined) [at.username, at.password] = [user, "owner"];
      return at.href;
    };
    try {
      const started = startDatabase({ ...options, url: url(serviceUrl) });
      // This start waits for a process that may migrate.
      const second = await startDatabase({
        ...options,
        url: url(serviceUrl),
        migrationsUrl: url(serviceUrl, `${other}_owner`),
      });
      const first = await started;
      const [row] = await first.query<{ login: string; owner: string; may: string }>(
        `select current_user::text as login, nspowner::regrole::text as owner,
           has_table_privilege('system.audit_log', 'delete')::text as may from pg_namespace where nspname = 'system'`,
      );
      expect(row).toEqual({ login, owner: `${other}_owner`, may: "false" });
      // As the Admin API does: the service owns its tables, in a database without event triggers.
      await second.query("create table public.mine (id uuid primary key references system.users)");
      await second.query("create schema shop");
      await first.close();
      await second.close();
    } finally {
      await database.query(`drop database if exists ${other} with (force)`);
      await database.query(`drop role ${other}_owner`);
    }
  });

  it("is rejected if it has excess privileges", async () => {
    await expect(
      startDatabase({ ...options, url: test.ownerUrl, migrationsUrl: test.ownerUrl }),
    ).rejects.toThrow("of DATABASE_URL is a superuser");
    const { database } = test;
    const name = `${new URL(serviceUrl).pathname.slice(1)}_member`;
    await database.query(`create role ${name}`);
    try {
      await database.query(
        `grant ${decodeURIComponent(new URL(test.ownerUrl).username)} to ${name}`,
      );
      await expect(admitLogins(database, { service: name })).rejects.toThrow(
        "owns the schema system",
      );
    } finally {
      await database.query(`drop role ${name}`);
    }
  });

  it("a start names the exposed tables that the login may not read, and no others", async () => {
    const { database } = test;
    for (const name of ["unread", "read", "hidden"]) {
      await database.query(`create table public.${name} (id int primary key, note text)`);
      await database.query(`alter table public.${name} owner to current_user`);
    }
    await database.query(`grant select (id) on public.read to ${serviceLogin.name}`);
    await database.query(
      "update system.resources set exposed_methods = '{GET}' where relation_name in ('unread', 'read')",
    );
    const named: string[] = [];
    const started = await startDatabase({
      ...options,
      url: serviceUrl,
      onUnreadable: (names) => named.push(...names),
    });
    await started.close();
    expect(named).toEqual(["public.unread"]);
  });

  it("a start names the other logins that may give the database code", async () => {
    const { database } = test;
    const names = ["code_schema", "code_trigger", "code_reader", "code_database"];
    const place = new URL(serviceUrl).pathname.slice(1);
    try {
      for (const name of names) await database.query(`create role ${name} login`);
      await database.query("create schema of_others");
      await database.query("grant create on schema of_others to code_schema");
      await database.query("create table public.watched (id int)");
      await database.query("grant trigger on public.watched to code_trigger");
      await database.query("grant select on public.watched to code_reader");
      await database.query(`grant create on database "${place}" to code_database`);
      let named: readonly string[] = [];
      const started = await startDatabase({
        ...options,
        url: serviceUrl,
        onCodeLogins: (logins) => {
          named = logins;
        },
      });
      await started.close();
      expect(named.filter((name) => name.startsWith("code_"))).toEqual([
        ...["code_database", "code_schema", "code_trigger"],
      ]);
      expect(named).not.toContain(login);
    } finally {
      await database.query("drop owned by code_schema, code_trigger, code_reader, code_database");
      for (const name of names) await database.query(`drop role ${name}`);
    }
  });

  it("may be the same as the login for migrations", async () => {
    const pool = openDatabase({ url: test.ownerUrl, applicationName: "one" });
    expect(await migrate(pool)).toEqual([]);
    await pool.close();
    const started = await startDatabase({ ...options, url: test.ownerUrl });
    await started.close();
  });
});
