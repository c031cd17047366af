-- Run as a superuser, or as the login of MIGRATIONS_DATABASE_URL, in the service's database, once every process has
-- SYSTEM_DATABASE_URL. From then on the service's login has only the rights in the schema system that statements on rows need, so
-- code of the database's users cannot act as an administrator. open-service.sql is the way back.
-- docs/operations/database.md#close-the-services-login
-- Generated: `npm run logins` writes it.
do $do$
declare
  service name;
  keeper name;
  is_granted boolean;
  others text;
  holder name := (select pg_catalog.pg_get_userbyid(nspowner) from pg_catalog.pg_namespace where nspname = 'rowhouse_queue');
  queue name;
  item record;
begin
  -- Objects of the database's users have no part in what a superuser executes here.
  set local search_path = pg_catalog, pg_temp;
  perform pg_advisory_xact_lock(7723118201);
  select pg_get_userbyid(p.proowner), min(pg_get_userbyid(x.grantee)), count(distinct x.grantee) > 1 into service, keeper, is_granted
  from pg_proc p, aclexplode(p.proacl) x
  where p.oid = to_regprocedure('system.as_service(text,boolean,text[])') and x.grantee <> p.proowner
  group by p.proowner;
  -- Its owner, whose rights code of the database's users has, may grant it: such a login must not get the queue.
  if is_granted or exists (select from system.installation where service_is_closed) and holder <> keeper then
    raise exception 'Other logins than that of SYSTEM_DATABASE_URL may call system.as_service'
      using hint = 'Start a process with MIGRATIONS_DATABASE_URL, then run this file again.';
  end if;
  if keeper is null then
    raise exception 'No process has started with MIGRATIONS_DATABASE_URL and SYSTEM_DATABASE_URL in this database';
  end if;
  select string_agg(distinct application_name, ', ' order by application_name) into others
  from pg_stat_activity where usename = service and datname = current_database() and application_name ~ ' budget=[0-9]+$';
  if others is not null then
    raise exception 'These processes have no SYSTEM_DATABASE_URL: %', others using hint = 'Restart them with it, then run this file again.';
  end if;
  update system.installation set service_is_closed = true where service_is_closed is distinct from true;
  -- The queue in PostgreSQL has no authoritative data: workers add what is due again.
  queue := keeper;
  if holder is distinct from queue then
    if holder is not null then
      execute format('set local role %I', holder);
      drop schema rowhouse_queue cascade;
      reset role;
    end if;
    execute format('create schema rowhouse_queue authorization %I', queue);
  end if;
  for item in execute $sql$
with login as (select oid, rolname, $2::text as kind from pg_catalog.pg_roles where rolname = $1::text),
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
-- Tables of users refer to these.
referred (name) as (values ('users'), ('roles'), ('files'), ('folders')),
-- PostgreSQL 15 and 16 do not know the last one.
possible (privilege) as (
  select p.privilege from pg_catalog.unnest('{select,insert,update,delete,truncate,references,trigger,maintain}'::text[]) p (privilege)
  where p.privilege <> 'maintain' or current_setting('server_version_num')::int >= 170000),
tables as (
  select c.oid, c.relname::text as relation, pg_catalog.format('system.%I', c.relname) as name,
    case when c.relkind in ('v', 'm') then '{select}' else '{select,insert,update,delete}' end::text[] as usual
  from pg_catalog.pg_class c
  where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
),
columns as (
  select t.oid, pg_catalog.array_agg(a.attname::text order by a.attnum) as names
  from tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped group by t.oid
),
wanted as (
  -- Only system.password_of reads the hash.
  select t.oid, t.name, p.privilege,
    case when t.relation = 'users' and p.privilege = 'select' then pg_catalog.array_remove(c.names, 'password_hash') end as columns
  from login l, tables t join columns c on c.oid = t.oid left join narrow n on n.name = t.relation left join referred r on r.name = t.relation,
    pg_catalog.unnest(pg_catalog.array_cat(coalesce(n.privileges, t.usual),
      case when r.name is null or l.kind = 'SYSTEM' then '{}' else '{references}' end::text[])) p (privilege)
  where l.kind <> 'CLOSED'
  union all
  select t.oid, t.name, w.privilege,
    coalesce(w.columns, case when w.privilege = 'select' and exists (
      select from system.secret_columns s where s.relation_oid = t.oid and s.column_name <> 'digest') then array(
        select a.name from pg_catalog.unnest(c.names) with ordinality a (name, place) where a.name not in (
          select s.column_name from system.secret_columns s where s.relation_oid = t.oid and s.column_name <> 'digest') order by a.place) end)
  from login l, pg_catalog.json_to_recordset($3::text::json) w (name text, privilege text, columns text[])
    join tables t on t.relation = w.name join columns c on c.oid = t.oid
  where l.kind = 'CLOSED'
),
held as (
  select t.oid, t.name, p.privilege, w.columns, w.oid is not null and w.columns is null as is_whole,
    has_table_privilege(l.oid, t.oid, p.privilege) as has_whole,
    case when p.privilege in ('select', 'insert', 'update', 'references')
      then has_any_column_privilege(l.oid, t.oid, p.privilege) else has_table_privilege(l.oid, t.oid, p.privilege) end as has_some
  from login l, tables t cross join possible p
    left join wanted w on w.oid = t.oid and w.privilege = p.privilege
),
partial as (
  select h.oid, h.name, h.privilege, a.attname, a.attnum, a.attname::text = any (h.columns) as is_wanted, h.has_whole,
    has_column_privilege(l.oid, h.oid, a.attnum, h.privilege) as is_held
  from login l, held h join pg_catalog.pg_attribute a on a.attrelid = h.oid and a.attnum > 0 and not a.attisdropped
  where not h.is_whole and h.privilege in ('select', 'insert', 'update', 'references')
),
functions as (
  select p.oid, p.oid::regprocedure::text as name, p.prorettype <> 'event_trigger'::regtype
    and (l.kind <> 'CLOSED' or p.proname in ('record_events', 'record_history', 'sync_registry')) as is_served
  from login l, pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = 'system' and p.prosecdef and p.proname <> 'as_service'
)
select pg_catalog.format('grant %s on database %I to %I', string_agg(p.privilege, ', '), current_database(), l.rolname) as statement
from login l, pg_catalog.unnest('{connect,create,temporary}'::text[]) p (privilege)
where not has_database_privilege(l.oid, current_database(), p.privilege)
group by l.rolname
union all
select pg_catalog.format('grant usage on schema system to %I', l.rolname)
from login l where not has_schema_privilege(l.oid, 'system'::regnamespace, 'usage')
union all
-- In PostgreSQL 15 an owner of the database that does not inherit has the rights of pg_database_owner only under that role.
select case when has_schema_privilege(n.oid, 'create with grant option') then g.statement
  else pg_catalog.format('do %L', pg_catalog.format('begin set local role %I; %s; reset role; end', pg_catalog.pg_get_userbyid(n.nspowner), g.statement)) end
from login l, pg_catalog.pg_namespace n, pg_catalog.format('grant usage, create on schema public to %I', l.rolname) g (statement)
where l.kind <> 'SYSTEM' and n.nspname = 'public' and not has_schema_privilege(l.oid, n.oid, 'create')
  and (has_schema_privilege(n.oid, 'create with grant option') or pg_has_role(n.nspowner, 'member'))
union all
select pg_catalog.format('revoke create on schema system from %I', l.rolname)
from login l where has_schema_privilege(l.oid, 'system'::regnamespace, 'create')
union all
select pg_catalog.format('revoke %s on table %s from %I', h.privilege, string_agg(h.name, ', '), l.rolname)
from login l, held h where case when h.is_whole then h.has_some and not h.has_whole else h.has_whole end
group by h.privilege, l.rolname
union all
select pg_catalog.format('grant %s on table %s to %I', h.privilege, string_agg(h.name, ', '), l.rolname)
from login l, held h where h.is_whole and not h.has_whole
group by h.privilege, l.rolname
union all
select pg_catalog.format('revoke %s (%s) on table %s from %I', p.privilege, string_agg(pg_catalog.quote_ident(p.attname), ', ' order by p.attnum), p.name, l.rolname)
from login l, partial p where p.is_held and not p.has_whole and p.is_wanted is not true
group by p.privilege, p.name, l.rolname
union all
-- A privilege on the table is revoked before, with those on its columns.
select pg_catalog.format('grant %s (%s) on table %s to %I', p.privilege, string_agg(pg_catalog.quote_ident(p.attname), ', ' order by p.attnum), p.name, l.rolname)
from login l, partial p where p.is_wanted and (p.has_whole or not p.is_held)
group by p.privilege, p.name, l.rolname
union all
-- PUBLIC may call a new function, and these run with the privileges of their owner.
select pg_catalog.format('revoke execute on function %s from public', string_agg(f.name, ', '))
from functions f join pg_catalog.pg_proc p on p.oid = f.oid
where exists (select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0)
having pg_catalog.count(*) > 0
union all
select pg_catalog.format('revoke execute on function %s from %I', string_agg(f.name, ', '), l.rolname)
from functions f join pg_catalog.pg_proc p on p.oid = f.oid, login l
where not f.is_served and exists (
  select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = l.oid)
group by l.rolname
union all
select pg_catalog.format('grant execute on function %s to %I', string_agg(f.name, ', '), l.rolname)
from functions f join pg_catalog.pg_proc p on p.oid = f.oid, login l
where f.is_served and not exists (
  select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = l.oid)
group by l.rolname
$sql$ using service, 'CLOSED', $list$[
{"name":"users","privilege":"select"},
{"name":"roles","privilege":"select"},
{"name":"role_members","privilege":"select"},
{"name":"sessions","privilege":"select"},
{"name":"tokens","privilege":"select"},
{"name":"token_secrets","privilege":"select"},
{"name":"grants","privilege":"select"},
{"name":"grant_columns","privilege":"select"},
{"name":"resources","privilege":"select"},
{"name":"resource_columns","privilege":"select"},
{"name":"reading_columns","privilege":"select"},
{"name":"settings","privilege":"select"},
{"name":"installation","privilege":"select"},
{"name":"epoch","privilege":"select"},
{"name":"catalogue_changes","privilege":"select"},
{"name":"migrations","privilege":"select"},
{"name":"files","privilege":"select"},
{"name":"folders","privilege":"select"},
{"name":"templates","privilege":"select"},
{"name":"idempotency_keys","privilege":"select"},
{"name":"former_users","privilege":"select"},
{"name":"row_history","privilege":"select"},
{"name":"row_history_layouts","privilege":"select"},
{"name":"workflow_runs","privilege":"select"},
{"name":"workflow_run_steps","privilege":"select"},
{"name":"registrable_relations","privilege":"select"},
{"name":"managed_columns","privilege":"select"},
{"name":"secret_columns","privilege":"select"},
{"name":"secret_views","privilege":"select"},
{"name":"event_triggers","privilege":"select"},
{"name":"wanted_event_triggers","privilege":"select"},
{"name":"idempotency_keys","privilege":"insert"},
{"name":"idempotency_keys","privilege":"update","columns":["fingerprint","created_at","status","body"]},
{"name":"workflow_run_steps","privilege":"insert"},
{"name":"workflow_run_steps","privilege":"update","columns":["status","output","error","fence","finished_at","attempt","resume_at","child_run_id","simulated"]},
{"name":"workflow_runs","privilege":"update","columns":["status","result","error","finished_at","lease_owner","lease_until","signalled"]},
{"name":"users","privilege":"references","columns":["id"]},
{"name":"roles","privilege":"references","columns":["id"]},
{"name":"files","privilege":"references","columns":["id"]},
{"name":"folders","privilege":"references","columns":["id"]}
]$list$
  loop
    execute item.statement;
  end loop;
end $do$;
