import { readFile } from "node:fs/promises";
import { StartError } from "@rowhouse/errors";
import { isOfNewerBuild, migrationLockSql } from "./migration-files.ts";
import type { Database, Queryable } from "./queryable.ts";

/**
 * Grants the service's login the privileges that it needs in the schema `system`, and revokes all others, so that
 * after each migration its privileges are those of this build (docs/operations/database.md). If a newer build has
 * migrated the database, its privileges stay unchanged.
 *
 * Tables are readable and writable unless they are listed here. So a new table works at once, and appears in the
 * test's snapshot of privileges.
 *
 * @param owner a pool of the login that owns the schema
 * @param login the service's login
 * @throws StartError if that login has more privileges than a service may have
 */
export async function admitServiceLogin(owner: Database, login: string): Promise<void> {
  await owner.transaction(async (transaction) => {
    await transaction.query(ownersPathSql);
    await transaction.query(migrationLockSql);
    await refuseExcess(transaction, login);
    if (await isOfNewerBuild(transaction)) return;
    const rows = await transaction.query<{ statement: string }>(statementsSql, [login]);
    for (const { statement } of rows) await transaction.query(statement);
  });
}

/**
 * Fixes the search path in a transaction of the owner, so that names resolve to the server's own objects. The
 * service's login may create functions in `public` that match some calls better.
 */
export const ownersPathSql = "set local search_path = pg_catalog, pg_temp";

/** Returns whether this login may migrate the schema: it owns it, or there is no schema yet and it may create one. */
export async function mayMigrate(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ may: string }>(
    `select coalesce((select pg_has_role(n.nspowner, 'usage') from pg_catalog.pg_namespace n where n.nspname = 'system'),
       has_database_privilege(current_database(), 'create'))::text as may`,
  );
  return row?.may === "true";
}

/**
 * Gives the objects of the login that owns the schema `system` to `rowhouse_owner` and `rowhouse_service`
 * (docs/operations/database.md#from-one-login-to-two), all or none of them.
 *
 * @param superuser in the database, while no process of the service uses it
 */
export async function handOver(superuser: Queryable): Promise<void> {
  const file = new URL("../operations/hand-over.sql", import.meta.url);
  await superuser.query(await readFile(file, "utf8"));
}

/** Names the exposed relations of which the login may read no column, as after a restore by another login. */
export async function unreadableRelations(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select r.schema_name || '.' || r.relation_name as name
     from system.resources r join pg_catalog.pg_class c on c.oid = r.relation_oid
     where r.exposed_methods operator(pg_catalog.<>) '{}' and c.relnamespace <> 'system'::regnamespace and not (
       pg_catalog.has_schema_privilege(c.relnamespace, 'usage') and pg_catalog.has_any_column_privilege(c.oid, 'select'))
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Names the logins that may create functions, or triggers on tables of others: such code runs with the rights of the
 * service. Those of superusers and of the service itself are excluded.
 */
export async function codeLogins(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(codeLoginsSql);
  return rows.map(({ name }) => name);
}

const codeLoginsSql = `
select r.rolname as name from pg_catalog.pg_roles r
where r.rolcanlogin and not r.rolsuper and r.rolname operator(pg_catalog.<>) current_user
  and not exists (select 1 from pg_catalog.pg_namespace n where n.nspname = 'system' and pg_catalog.pg_has_role(r.oid, n.nspowner, 'member'))
  and (pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database(), 'create')
    or exists (select 1 from pg_catalog.pg_namespace n
      where n.nspname !~ '^pg_'::text and n.nspname not in ('information_schema', 'system') and pg_catalog.has_schema_privilege(r.oid, n.oid, 'create'))
    or exists (select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v') and n.nspname !~ '^pg_'::text and n.nspname not in ('information_schema', 'system')
        and pg_catalog.has_table_privilege(r.oid, c.oid, 'trigger')))
order by 1 limit 20`;

async function refuseExcess(owner: Queryable, login: string): Promise<void> {
  const [first] = await owner.query<{ excess: string }>(excessSql, [login]);
  if (first === undefined) return;
  throw new StartError(
    `The login ${login} of DATABASE_URL ${first.excess}. With MIGRATIONS_DATABASE_URL set, DATABASE_URL must use a login without these rights.`,
  );
}

const excessSql = `
select 'is a superuser, or may create roles or databases, replicate or pass by row security' as excess
from pg_catalog.pg_roles where rolname = $1::text and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)
union all
select 'owns the schema system, or may act as its owner'
from pg_catalog.pg_namespace where nspname = 'system' and pg_has_role($1::text, nspowner, 'member')
union all
select 'may act as ' || pg_catalog.quote_ident(r.rolname) || ', which owns objects of the schema system'
from pg_catalog.pg_roles r where not r.rolsuper and pg_has_role($1::text, r.oid, 'member') and exists (
  select 1 from pg_catalog.pg_class c where c.relnamespace = 'system'::regnamespace and c.relowner = r.oid)
limit 1`;

// Each statement covers many objects at once, because each fires the event triggers that update the registry.
const statementsSql = `
with login as (select oid, rolname from pg_catalog.pg_roles where rolname = $1::text),
narrow (name, privileges) as (values
  -- The log is append-only for every caller.
  ('audit_log', '{select,insert}'::text[]),
  -- Only the deletion of a user writes it.
  ('former_users', '{select,delete}'),
  -- Only triggers write entries.
  ('row_history', '{select,delete}'), ('row_history_layouts', '{select,update}'),
  -- The service records calls, and deletes them in time.
  ('mcp_calls', '{select,insert,delete}'),
  ('migrations', '{select}'), ('installation', '{select}'), ('epoch', '{select,update}')),
-- Only system.password_of reads it.
withheld (name, columns) as (values ('users', '{password_hash}'::text[])),
-- Tables of users refer to these.
referred (name) as (values ('users'), ('roles'), ('files'), ('folders')),
tables as (
  select c.oid, pg_catalog.format('system.%I', c.relname) as name, w.columns as withheld,
    coalesce(n.privileges, case when c.relkind in ('v', 'm') then '{select}' else '{select,insert,update,delete}' end::text[])
      operator(pg_catalog.||) case when r.name is null then '{}' else '{references}' end::text[] as privileges
  from pg_catalog.pg_class c
  left join narrow n on n.name = c.relname left join withheld w on w.name = c.relname left join referred r on r.name = c.relname
  where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
),
functions as (
  select p.oid, p.oid::regprocedure::text as name, p.prorettype <> 'event_trigger'::regtype as is_served
  from pg_catalog.pg_proc p where p.pronamespace = 'system'::regnamespace and p.prosecdef
)
select pg_catalog.format('grant %s on database %I to %I', string_agg(p.privilege, ', '), current_database(), l.rolname) as statement
from login l, pg_catalog.unnest('{connect,create,temporary}'::text[]) p (privilege)
where not has_database_privilege(l.oid, current_database(), p.privilege)
group by l.rolname
union all
select pg_catalog.format('grant usage on schema system to %I', l.rolname)
from login l where not has_schema_privilege(l.oid, 'system'::regnamespace, 'usage')
union all
select pg_catalog.format('grant usage, create on schema public to %I', l.rolname)
from login l, pg_catalog.pg_namespace n
where n.nspname = 'public' and not has_schema_privilege(l.oid, n.oid, 'create')
  and has_schema_privilege(n.oid, 'create with grant option')
union all
select pg_catalog.format('revoke create on schema system from %I', l.rolname)
from login l where has_schema_privilege(l.oid, 'system'::regnamespace, 'create')
union all
select pg_catalog.format('revoke %s on table %s from %I', p.privilege, string_agg(t.name, ', '), l.rolname)
from login l, tables t, pg_catalog.unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) p (privilege)
where has_table_privilege(l.oid, t.oid, p.privilege)
  and (p.privilege <> all (t.privileges) or (p.privilege = 'select' and t.withheld is not null))
group by p.privilege, l.rolname
union all
select pg_catalog.format('grant %s on table %s to %I', p.privilege, string_agg(t.name, ', '), l.rolname)
from login l, tables t, pg_catalog.unnest(t.privileges) p (privilege)
where not has_table_privilege(l.oid, t.oid, p.privilege) and not (p.privilege = 'select' and t.withheld is not null)
group by p.privilege, l.rolname
union all
select pg_catalog.format('revoke select (%I) on table %s from %I', a.attname, t.name, l.rolname)
from login l, tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attname = any (t.withheld)
where not has_table_privilege(l.oid, t.oid, 'select') and has_column_privilege(l.oid, t.oid, a.attnum, 'select')
union all
select pg_catalog.format('grant select (%s) on table %s to %I', string_agg(pg_catalog.quote_ident(a.attname), ', ' order by a.attnum), t.name, l.rolname)
from login l, tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
where t.withheld is not null and a.attname <> all (t.withheld)
  and (has_table_privilege(l.oid, t.oid, 'select') or not has_column_privilege(l.oid, t.oid, a.attnum, 'select'))
group by t.name, l.rolname
union all
-- PUBLIC may call a new function, and these run with the privileges of their owner.
select pg_catalog.format('revoke execute on function %s from public', string_agg(f.name, ', '))
from functions f join pg_catalog.pg_proc p on p.oid = f.oid
where exists (select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0)
having pg_catalog.count(*) > 0
union all
select pg_catalog.format('grant execute on function %s to %I', string_agg(f.name, ', '), l.rolname)
from functions f join pg_catalog.pg_proc p on p.oid = f.oid, login l
where f.is_served and not exists (
  select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = l.oid)
group by l.rolname`;
