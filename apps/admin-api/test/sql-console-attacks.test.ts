// Tiers: all, topologies. One of the slowest.
import { createSecret, digestSecret } from "@rowhouse/access";
import { migrate, openDatabase } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import { createSqlConsole } from "@rowhouse/sql-console";
import { createUser, installationSecret } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// An administrator must not reach secrets, the audit log, other logins or the server's machine through the console.

let environment: TestEnvironment;
let login: string;
beforeAll(async () => {
  environment = await openTestEnvironment();
  await query(
    `create table public.things (id int primary key, owner_id uuid);
     insert into public.things values (1);
     create view public.people as select id, email, name, active from system.users;
     create view public.leaky as select * from system.sessions;
     create materialized view public.counted as select count(*) from public.things;
     create function public.tell() returns text language sql as $$ select current_user::text $$`,
  );
  await query("insert into system.settings values ('sql_console.max_runs', '16')");
  login = (await run("select current_user")).body.data.results[0].rows[0][0];
});
afterAll(() => environment.test.drop());

const query = (text: string) => environment.test.database.query<Record<string, string>>(text);
const run = (sql: string, readOnly = true) => environment.ask("POST", "/sql", { sql, readOnly });
const rows = (answer: Answer) => answer.body.data.results.at(-1).rows;

/** Each statement is refused, read-only and writable, without a change. */
async function expectRefused(texts: readonly string[], faults = ["SQL_FAILED /data/sql"]) {
  const cases = texts.flatMap((text) => [true, false].map((readOnly) => ({ text, readOnly })));
  for (let at = 0; at < cases.length; at += 8) {
    const answers = cases.slice(at, at + 8).map(async ({ text, readOnly }) => {
      expect((await run(text, readOnly)).faults, text).toEqual(faults);
    });
    await Promise.all(answers);
  }
}

describe("the console's login", () => {
  it("is a separate role that can only log in", async () => {
    expect(login).toMatch(/^test_.*_console$/);
    expect(
      await query(
        `select rolsuper::text || rolcreaterole || rolcreatedb || rolreplication || rolbypassrls as may from pg_roles where rolname = '${login}'`,
      ),
    ).toEqual([{ may: "falsefalsefalsefalsefalse" }]);
    expect(rows(await run("select session_user, current_user"))).toEqual([[login, login]]);
  });

  it("cannot become another role", async () => {
    await expectRefused([
      "set role postgres",
      "set session authorization postgres",
      "set local role pg_read_all_data",
      "select set_config('role', 'postgres', false)",
      "select set_config('session_authorization', 'postgres', false)",
      `grant pg_read_all_data to "${login}"`,
      `alter role "${login}" superuser`,
      `alter role "${login}" createrole`,
      "alter role postgres password 'x'",
      "create role mallory login",
      "alter system set log_statement = 'none'",
      "set session_replication_role = replica",
    ]);
    for (const text of [
      "reset role",
      "set role none",
      "reset session authorization",
      "discard all; select 1",
    ]) {
      const answer = await run(`${text}; select session_user, current_user`);
      if (answer.status === 200) expect(rows(answer), text).toEqual([[login, login]]);
      else expect(answer.faults, text).toEqual(["SQL_FAILED /data/sql"]);
    }
  });

  it("cannot change itself", async () => {
    for (const text of [
      `alter role "${login}" password 'known to mallory'`,
      "alter role current_user password null",
      `alter user "${login}" set statement_timeout = 0`,
      "alter role current_user set default_transaction_read_only = off",
      `do $$ begin execute 'alter role current_user password ''x'''; end $$`,
    ]) {
      expect((await run(text, false)).faults, text).toEqual(["SQL_FAILED /data/sql"]);
    }
    expect((await run("select 1")).status).toBe(200);
    expect(
      await query(`select rolconfig::text as config from pg_roles where rolname = '${login}'`),
    ).toEqual([{ config: "{temp_file_limit=1GB}" }]);
  });

  it("is repaired after another client changed its password", async () => {
    await query(`alter role "${login}" password 'other'`);
    expect((await run("select 1")).status).toBe(200);
  });
});

describe("secrets", () => {
  it("cannot be read by any statement of the console", async () => {
    await expectRefused([
      "select * from system.sessions",
      "select digest from system.sessions",
      "select password_hash from system.users",
      "select s from system.sessions s",
      "select to_jsonb(u) from system.users u",
      "select count(*) from system.users where password_hash like '$argon2%'",
      "select email from system.users order by password_hash",
      "select 1 from system.users group by password_hash",
      "select digest from system.token_secrets",
      "select digest from system.links",
      "select digest from system.invitations",
      "select client_secret_sealed from system.auth_providers",
      "select sealed from system.provider_flows",
      "select digest from system.sign_in_codes",
      "select cursor_key from system.installation",
      "select * from public.leaky",
      "table system.users",
      "select query_to_xml('select password_hash from system.users', true, true, '')",
      "select table_to_xml('system.users', true, true, '')",
      "create temp view v as select password_hash from system.users; select * from v",
      "do $$ begin perform password_hash from system.users; end $$",
      "explain analyze select password_hash from system.users",
      "declare c cursor for select password_hash from system.users; fetch c",
      "prepare p as select password_hash from system.users; execute p",
      "select rolpassword from pg_authid",
      "select passwd from pg_shadow where passwd is not null",
      "select * from pg_statistic",
      "select umoptions from pg_user_mapping",
    ]);
    expect(
      rows(
        await run(
          "select * from pg_stats where schemaname = 'system' and attname in ('password_hash', 'digest')",
        ),
      ),
    ).toEqual([]);
    expect(
      rows(
        await run(
          "select query from pg_stat_activity where usename <> current_user and query <> '<insufficient privilege>' and query <> ''",
        ),
      ),
    ).toEqual([]);
  });

  it("cannot be read after their column is renamed", async () => {
    const readable = await query(
      `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'system'::regnamespace and has_column_privilege('${login}', c.oid, a.attnum, 'select')
         and (a.atttypid = 'bytea'::regtype or a.attname ~ 'digest|secret|sealed|hash|password|cipher|encrypted|(^|_)key$')
       order by 1`,
    );
    expect(readable.map((row) => row.name)).toEqual(
      ["settings.key", "templates.key", "auth_providers.key"].sort(),
    );
  });

  it("do not hide the other columns from administrators", async () => {
    const answer = await run(
      "select email from system.users where not is_system order by 1; select action from system.audit_log; select key from system.settings",
    );
    expect(answer.body.data.results[0].rows).toEqual([["admin@example.com"], ["user@example.com"]]);
    expect(rows(await run("select name from public.people where name like 'admin%'"))).toEqual([
      ["admin@example.com"],
    ]);
  });
});

describe("the records of the service", () => {
  it("cannot be changed: no audit entry, no account, no role, no grant, no setting", async () => {
    const before = await environment.traces();
    await expectRefused([
      "delete from system.audit_log",
      "update system.audit_log set action = 'x'",
      "truncate system.audit_log",
      "insert into system.audit_log (action, target_kind) values ('x', 'y')",
      "alter table system.audit_log disable trigger all",
      "drop trigger audit_log_append_only on system.audit_log",
      "insert into system.role_members select r.id, u.id from system.roles r, system.users u",
      "update system.users set active = false",
      "update public.people set active = false",
      "delete from public.people",
      "insert into public.people (id, email, name) values (gen_random_uuid(), 'm@example.com', 'm')",
      "update system.grants set all_fields = true",
      "update system.settings set value = 'true'",
      "update system.epoch set value = 0",
      "delete from system.sql_console_runs",
      "select system.sync_registry()",
      "select system.bump_epoch()",
      "drop schema system cascade",
      "lock table system.users in access exclusive mode",
      "select nextval('system.audit_log_id_seq')",
    ]);
    // Each refused run has added an audit entry.
    expect(JSON.parse(await environment.traces())[0]).toMatchObject({
      ...JSON.parse(before)[0],
      entries: expect.anything(),
    });
  });
});

describe("code that the service would run with its own privileges", () => {
  it("cannot be created: functions, views, triggers, defaults, policies, extensions", async () => {
    await expectRefused([
      "create table public.t (a int)",
      "create table public.t (a xml default query_to_xml('select 1', true, true, ''))",
      "create view public.v as select 1",
      "create function public.f() returns int language sql security definer as $$ select 1 $$",
      "create or replace function public.tell() returns text language sql as $$ select 'x' $$",
      "create trigger t before insert on public.things for each row execute function suppress_redundant_updates_trigger()",
      "alter table public.things alter column id set default 1",
      "alter table public.things add column x int",
      "create policy p on public.things using (true)",
      "create rule r as on insert to public.things do also select 1",
      "create index on public.things (id)",
      "create event trigger e on ddl_command_end execute function system.after_ddl()",
      "drop event trigger rowhouse_after_ddl",
      "create extension dblink",
      "create extension pgcrypto",
      "create extension file_fdw",
      "create schema mine",
      "create server s foreign data wrapper postgres_fdw",
      "create language plpython3u",
      "create publication p for all tables",
      "comment on table public.things is 'x'",
      "drop table public.things",
      "truncate public.things",
      "refresh materialized view public.counted",
    ]);
    const before = await query("select count(*)::text as n from pg_class");
    // Temporary objects of the session, and objects that would outlive it.
    const temporary = await run(
      "create temp table t (a int); create function pg_temp.f() returns int language sql as 'select 7'; insert into t select pg_temp.f() returning a",
      false,
    );
    expect(rows(temporary)).toEqual([[7]]);
    for (const text of [
      "select lo_from_bytea(0, '\\x00')",
      "alter default privileges revoke execute on functions from public",
      "create temp table t (a int) on commit drop; select lo_create(0)",
    ]) {
      expect((await run(text, false)).faults, text).toEqual(["SQL_FAILED /data/sql"]);
    }
    await expect.poll(() => query("select count(*)::text as n from pg_class")).toEqual(before);
    expect(await query("select 1 from pg_largeobject_metadata")).toEqual([]);
    const granted = await run("grant select on public.things to public", false);
    expect(granted.body.data.notices).toMatchObject([{ severity: "WARNING" }]);
    expect(
      await query("select has_table_privilege('public', 'public.things', 'select')::text as may"),
    ).toEqual([{ may: "false" }]);
    expect((await run("select 1")).status).toBe(200);
  });

  it("disables a console login that has a dangerous privilege until the privilege is revoked", async () => {
    for (const [grant, revoke, sentence] of [
      [
        "grant create on schema public to public",
        "revoke create on schema public from public",
        "may create objects in the schema public",
      ],
      [
        `grant create on database current_database to "${login}"`,
        `revoke create on database current_database from "${login}"`,
        "may create schemas",
      ],
      [
        `grant pg_read_all_data to "${login}"`,
        `revoke pg_read_all_data from "${login}"`,
        "is a member of pg_read_all_data",
      ],
      [
        `grant trigger on public.things to "${login}"`,
        `revoke trigger on public.things from "${login}"`,
        "may create triggers on things",
      ],
      [
        `grant update (name) on system.users to "${login}"`,
        `revoke update (name) on system.users from "${login}"`,
        "may write system.users",
      ],
      [`alter role "${login}" superuser`, `alter role "${login}" nosuperuser`, "is a superuser"],
      [
        `grant execute on function pg_read_file(text) to "${login}"`,
        `revoke execute on function pg_read_file(text) from "${login}"`,
        "may call pg_read_file(text)",
      ],
      [
        `alter function public.tell() owner to "${login}"`,
        "alter function public.tell() owner to current_user",
        "owns objects",
      ],
    ] as const) {
      const database = `"${new URL(environment.test.url).pathname.slice(1)}"`;
      await query(grant.replace("current_database", database));
      const answer = await run("select 1");
      expect(answer.status, grant).toBe(503);
      expect(answer.body.errors[0].message).toContain(sentence);
      await query(revoke.replace("current_database", database));
      expect((await run("select 1")).status, revoke).toBe(200);
    }
  });

  it("loses the privileges on columns that became secret", async () => {
    await query(
      `grant select (password_hash) on system.users to "${login}"; grant select on public.leaky to "${login}"`,
    );
    await expectRefused(["select password_hash from system.users", "select * from public.leaky"]);
  });
});

describe("the server's machine and other transactions", () => {
  it("cannot be accessed: files, programs, the network", async () => {
    await expectRefused([
      "select pg_read_file('/etc/passwd')",
      "select pg_read_binary_file('postgresql.conf')",
      "select * from pg_ls_dir('.')",
      "select lo_import('/etc/passwd')",
      "select lo_export(1, '/tmp/x')",
      "select * from pg_hba_file_rules",
      "show config_file",
      "select pg_reload_conf()",
      "load '/tmp/evil.so'",
      "do $$ begin execute 'copy public.things to program ''id'''; end $$",
      "do $$ begin execute 'copy public.things to ''/tmp/x'''; end $$",
      "do $$ begin execute 'copy public.things from program ''id'''; end $$",
    ]);
    await expectRefused(
      [
        "copy public.things to program 'id'",
        "copy public.things to stdout",
        "/* x */ COPY public.things from stdin",
      ],
      ["BODY_INVALID /data/sql"],
    );
  });

  it("continue: a run can end neither its transaction nor a statement of another session", async () => {
    await expectRefused(
      [
        "select 1; commit",
        "ROLLBACK",
        "end",
        "abort",
        "savepoint a",
        "/**/ start transaction",
        "prepare transaction 'x'",
        "commit prepared 'x'",
        ";;begin",
      ],
      ["BODY_INVALID /data/sql"],
    );
    await expectRefused(["begin; commit"], ["BODY_INVALID /data/sql", "BODY_INVALID /data/sql"]);
    await expectRefused([
      "do $$ begin commit; end $$",
      "do $$ begin execute 'commit'; end $$",
      "vacuum public.things",
      "select pg_terminate_backend(pid) from pg_stat_activity where usename <> current_user and usename is not null and pid <> pg_backend_pid()",
    ]);
    expect(await query("select gid from pg_prepared_xacts")).toEqual([]);
  });

  it("receive no notification from a read-only run", async () => {
    const heard: string[] = [];
    const stop = await environment.test.database.listen("mallory", (payload) =>
      heard.push(payload),
    );
    expect((await run("notify mallory, 'read'; select pg_notify('mallory', 'read')")).status).toBe(
      200,
    );
    expect((await run("notify mallory, 'written'", false)).status).toBe(200);
    await expect.poll(() => heard).toEqual(["written"]);
    await stop();
  });

  it("are not locked after a run", async () => {
    expect(
      (await run("select pg_advisory_lock(42); lock table public.things in share mode", false))
        .status,
    ).toBe(200);
    await expect
      .poll(() => query("select 1 from pg_locks where locktype = 'advisory' and objid = 42"))
      .toEqual([]);
    expect(await query("update public.things set owner_id = null returning id")).toHaveLength(1);
  });
});

describe("tokens", () => {
  it("are refused unless the setting admits those of the admin plane", async () => {
    const secret = createSecret("TOKEN");
    const [token] = await query(
      `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
       values ('${environment.admin.id}', 'console', 'admin', 1, now() + interval '1 day') returning id`,
    );
    await query(
      `insert into system.token_secrets (digest, token_id, is_current, expires_at)
       values ('${digestSecret(secret)}', '${token?.id}', true, now() + interval '1 day')`,
    );
    const ask = () => environment.ask("POST", "/sql", { sql: "select 1" }, secret);
    expect((await ask()).faults).toEqual(["SESSION_REQUIRED"]);
    expect((await environment.ask("POST", "/sql", { nope: 1 }, secret)).faults).toEqual([
      "SESSION_REQUIRED",
    ]);
    await query("insert into system.settings values ('sql_console.allow_api_tokens', 'true')");
    expect((await ask()).status).toBe(200);
    const [entry] = (await environment.ask("GET", "/audit-log?targetKind=sql&limit=1")).body.data;
    expect(entry).toMatchObject({ actorTokenId: token?.id });
    await query(
      "update system.settings set value = 'false' where key = 'sql_console.allow_api_tokens'",
    );
    expect((await ask()).faults).toEqual(["SESSION_REQUIRED"]);
  });
});

describe("an installation whose service lacks the privilege to create roles", () => {
  it("reports it, and runs with a login that the operator creates", async () => {
    const name = new URL(environment.test.url).pathname.slice(1);
    await query(
      `create role "${name}_service" login password 'service' nosuperuser; grant usage on schema system to "${name}_service"`,
    );
    await query(
      `grant all on all tables in schema system to "${name}_service"; alter role "${login}" rename to "${name}_away"`,
    );
    const url = new URL(environment.test.url);
    url.username = `${name}_service`;
    url.password = "service";
    const database = openDatabase({ url: url.href, applicationName: "service" });
    const settings = {
      ...(await import("@rowhouse/settings")).settingsOf({ settings: new Map() }),
    };
    const caller = {
      userId: environment.admin.id,
      actor: { userId: environment.admin.id, tokenId: null, address: null, requestId: null },
      signal: new AbortController().signal,
    };
    const consoleOf = (consoleUrl: string | undefined) =>
      createSqlConsole({
        database,
        databaseUrl: url.href,
        consoleUrl,
        secret: () => installationSecret,
      });
    await expect(
      consoleOf(undefined).run({ sql: "select 1" }, settings, caller),
    ).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("may not create roles"),
    });
    await query(
      `create role "${name}_operators" login password 'operator'; grant usage on schema public to "${name}_operators"; grant select on public.things to "${name}_operators"`,
    );
    url.username = `${name}_operators`;
    url.password = "operator";
    const answer = await consoleOf(url.href).run(
      { sql: "select id, current_user from public.things" },
      settings,
      caller,
    );
    expect(JSON.parse(answer).results[0].rows).toEqual([[1, `${name}_operators`]]);
    // A login with too many privileges is refused.
    await expect(
      consoleOf(environment.test.url).run({ sql: "select 1" }, settings, caller),
    ).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("is a superuser"),
    });
    url.password = "wrong";
    await expect(
      consoleOf(url.href).run({ sql: "select 1" }, settings, caller),
    ).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    await database.close();
    await query(`alter role "${name}_away" rename to "${login}"`);
  });

  it("requires no superuser: a login with CREATEROLE creates an equally restricted console login", async () => {
    const service = `service_${Math.random().toString(36).slice(2)}`;
    await query(`create role ${service} login createrole password 'service'`);
    const url = new URL(environment.test.url);
    await query(`create database ${service} owner ${service}`);
    url.pathname = `/${service}`;
    url.username = service;
    url.password = "service";
    const database = openDatabase({ url: url.href, applicationName: "service" });
    await migrate(database);
    await database.query("create schema shop");
    await database.query("create table shop.goods (id int primary key)");
    await createUser(database, "root@example.com", "Administrators");
    const [user] = await database.query<{ id: string }>(
      "select id from system.users where not is_system",
    );
    const sqlConsole = createSqlConsole({
      database,
      databaseUrl: url.href,
      consoleUrl: undefined,
      secret: () => installationSecret,
    });
    const caller = {
      userId: user?.id ?? "",
      actor: { userId: user?.id ?? null, tokenId: null, address: null, requestId: null },
      signal: new AbortController().signal,
    };
    const settings = settingsOf({ settings: new Map() });
    const ask = (sql: string) => sqlConsole.run({ sql, readOnly: false }, settings, caller);
    const answer = await ask(
      "insert into shop.goods values (1) returning id, current_user; select email from system.users where not is_system",
    );
    expect(JSON.parse(answer).results).toMatchObject([
      { rows: [[1, `${service}_console`]] },
      { rows: [["root@example.com"]] },
    ]);
    for (const text of [
      "select password_hash from system.users",
      "create table shop.t (a int)",
      `set role ${service}`,
      "delete from system.audit_log",
    ]) {
      await expect(ask(text), text).rejects.toMatchObject({ code: "SQL_FAILED" });
    }
    await database.close();
    await query(`drop database ${service} with (force)`);
  });

  it("does not take over an existing role of the operator", async () => {
    await query(`comment on role "${login}" is 'a person'`);
    const answer = await run("select 1");
    expect(answer).toMatchObject({ status: 503, faults: ["SERVICE_UNAVAILABLE"] });
    expect(answer.body.errors[0].message).toContain("is not the console's");
  });
});
