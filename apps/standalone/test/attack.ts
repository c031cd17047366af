import { type Database, openDatabase } from "@rowhouse/db";
import { serviceLogin, systemLogin, type TestDatabase } from "@rowhouse/testing";
import { expect } from "vitest";

const password = "a-password-of-mallory";

/** What the code may write although it is not the service: the rights of a row's own transaction. */
const permitted = [
  ...["idempotency_keys.insert", "idempotency_keys.update"],
  ...["workflow_run_steps.insert", "workflow_run_steps.update", "workflow_runs.update"],
];

/**
 * The attack. It returns 1 and never fails, so that whatever called it goes on. `set_config` tries to leave a search path,
 * PREPARE and a held cursor behind, which must not run as another login later.
 */
const attackSqlOf = (role: string) => `
create sequence shop.visits;
create sequence shop.breaches;
create table shop.found (moment timestamptz default clock_timestamp(), note text);
create function shop.note(text) returns void language plpgsql as $$
begin
  perform nextval('shop.breaches');
  insert into shop.found (note) values ($1);
exception when others then null;
end $$;
create function shop.trap() returns int language plpgsql as $$
begin
  if current_user not in ('${serviceLogin.name}', '${role}') then perform shop.note('a trap ran as ' || current_user); end if;
  return 1;
end $$;
create function shop.attack() returns int language plpgsql as $$
declare
  item record;
  found int := 0;
begin
  begin
    perform nextval('shop.visits');
  exception when read_only_sql_transaction then null;
  end;
  if current_user not in ('${serviceLogin.name}', '${role}') then found := found + 1; perform shop.note('runs as ' || current_user); end if;
  for item in
    select c.oid, c.relname, p.name from pg_catalog.pg_class c, unnest('{insert,update,delete,truncate,trigger}'::text[]) p (name)
    where c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = 'system') and c.relkind in ('r', 'p')
  loop
    if (case when item.name in ('insert', 'update') then has_any_column_privilege(current_user, item.oid, item.name)
        else has_table_privilege(current_user, item.oid, item.name) end)
      and item.relname || '.' || item.name <> all ('{${permitted.join(",")}}') then
      found := found + 1;
      perform shop.note(current_user || ' may ' || item.name || ' ' || item.relname);
    end if;
  end loop;
  for item in select unnest(array[
      'insert into system.sessions (user_id, digest, expires_at) select id, ''\\x00'', now() + interval ''1 day'' from system.users limit 1',
      'insert into system.role_members (role_id, user_id) select r.id, u.id from system.roles r, system.users u limit 1',
      'update system.settings set value = value', 'delete from system.audit_log', 'update system.users set name = name',
      'update system.epoch set value = value', 'update system.workflow_runs set execute_as_user_id = execute_as_user_id',
      'update system.workflow_runs set input = input', 'update system.workflow_runs set token_id = null',
      'update system.workflow_runs set version_id = version_id', 'insert into system.workflow_runs (workflow_id) values (null)', 'select system.password_of(id) from system.users',
      'create table system.mine (id int)', 'alter table system.users disable trigger all',
      'create trigger mine before insert on shop.found for each row execute function system.end_access()',
      'alter function system.as_service(text, boolean, text[]) security invoker',
      'set role ${systemLogin.name}', 'set session authorization ${systemLogin.name}', 'reset role',
      'set session_replication_role = replica']) as statement
  loop
    begin
      execute item.statement;
      if item.statement not in ('reset role', 'alter function system.as_service(text, boolean, text[]) security invoker')
        or current_user not in ('${serviceLogin.name}', '${role}') then
        found := found + 1;
        perform shop.note('done: ' || item.statement || ' as ' || current_user);
      end if;
    exception when others then null;
    end;
  end loop;
  begin perform set_config('search_path', 'shop, pg_catalog', false); exception when others then null; end;
  begin execute 'deallocate all'; exception when others then null; end;
  begin execute 'prepare trap as select shop.trap()'; exception when others then null; end;
  begin execute 'declare trap_' || (random() * 1e9)::int || ' cursor with hold for select shop.trap()'; exception when others then null; end;
  begin execute 'create temporary view pg_class as select shop.trap() as oid'; exception when others then null; end;
  return 1 + found;
end $$;
create function shop.attack_trigger() returns trigger language plpgsql as $$
begin
  perform shop.attack();
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create function shop.of_owner() returns int language sql security definer as 'select shop.attack()';
-- What hides a name of PostgreSQL in the path that the attack leaves.
create function shop.md5(text) returns text language plpgsql as $$ begin perform shop.trap(); return pg_catalog.md5($1); end $$;
create function shop.lower(text) returns text language plpgsql as $$ begin perform shop.trap(); return pg_catalog.lower($1); end $$;
create function shop.unlike(text, text) returns boolean language plpgsql as $$ begin perform shop.trap(); return $1 operator(pg_catalog.<>) $2; end $$;
create operator shop.<> (leftarg = text, rightarg = text, function = shop.unlike);
`;

/** What the code of a login that owns the schema `shop` does in a database of three logins. */
export interface Attack {
  /** The login, which owns the schema. */
  readonly role: string;
  /** Executes statements as the login. */
  readonly as: (sql: string) => Promise<unknown>;
  /** Begins a part, whose visits are counted. */
  begin(): Promise<void>;
  /** Requires that the code ran since the beginning of the part, and did nothing that it may not. */
  expectHarmless(ran?: boolean): Promise<void>;
  /** Requires that no code has run since the beginning of the part. */
  expectNoVisit(): Promise<void>;
  end(): Promise<void>;
}

/** Creates the login, its schema and its functions. */
export async function prepareAttack({ database, ownerUrl }: TestDatabase): Promise<Attack> {
  // Roles are those of the server, which other tests share.
  const role = `mallory_${new URL(ownerUrl).pathname.slice(1)}`;
  await database.query(`create role ${role} login password '${password}'`);
  await database.query(`create schema shop; alter schema shop owner to ${role}`);
  const url = new URL(ownerUrl);
  [url.username, url.password] = [role, password];
  const mallory: Database = openDatabase({ url: url.href, applicationName: "mallory" });
  const as = (sql: string) => mallory.query(sql, [], { runsCode: true });
  await as(attackSqlOf(role));
  await as(
    `grant usage, create on schema shop to ${serviceLogin.name};
     grant all on all tables in schema shop to ${serviceLogin.name};
     grant all on all sequences in schema shop to ${serviceLogin.name};
     alter default privileges in schema shop grant all on tables to ${serviceLogin.name};
     alter default privileges in schema shop grant all on sequences to ${serviceLogin.name}`,
  );
  const counts = async () => {
    const [row] = await database.query<{ visits: string; breaches: string }>(
      `select (case when v.is_called then v.last_value else 0 end)::text as visits,
         (case when b.is_called then b.last_value else 0 end)::text as breaches from shop.visits v, shop.breaches b`,
    );
    return { visits: Number(row?.visits), breaches: Number(row?.breaches) };
  };
  let visits = 0;
  return {
    role,
    as,
    begin: async () => {
      visits = (await counts()).visits;
    },
    expectHarmless: async (ran = true) => {
      expect(await database.query("select note from shop.found limit 5")).toEqual([]);
      const now = await counts();
      expect(now.breaches).toBe(0);
      if (ran) expect(now.visits).toBeGreaterThan(visits);
    },
    expectNoVisit: async () => expect((await counts()).visits).toBe(visits),
    end: async () => {
      await mallory.close();
      await database.query(`drop schema shop cascade; drop owned by ${role}`);
      await database.query(`drop role ${role}`);
    },
  };
}
