/** A login and what it is for. */
export interface AdmittedLogin {
  readonly name: string;
  /**
   * `SERVICE` executes all statements of one login; `CLOSED` only those that name tables of the database's users;
   * `SYSTEM` all others.
   */
  readonly kind: "SERVICE" | "CLOSED" | "SYSTEM";
}

/** A right in the schema `system`: of a whole relation, or of the columns. */
export interface ListedPrivilege {
  readonly name: string;
  readonly privilege: "select" | "insert" | "update" | "delete" | "references";
  readonly columns?: readonly string[];
}

/** What requests for rows read: credentials and rights, the registry, and the tables that people can open. */
const readable = [
  ...["users", "roles", "role_members", "sessions", "tokens", "token_secrets"],
  ...["grants", "grant_columns", "resources", "resource_columns", "reading_columns", "settings"],
  ...["installation", "epoch", "catalogue_changes", "migrations"],
  ...["files", "folders", "templates", "idempotency_keys", "former_users"],
  ...["row_history", "row_history_layouts"],
  ...["workflow_runs", "workflow_run_steps"],
  ...["registrable_relations", "managed_columns", "secret_columns", "secret_views"],
  ...["event_triggers", "wanted_event_triggers"],
];

/** What belongs to the transaction that writes a row: the key of a repeated request, and the journal of a run. */
const written: readonly ListedPrivilege[] = [
  { name: "idempotency_keys", privilege: "insert" },
  {
    name: "idempotency_keys",
    privilege: "update",
    columns: ["fingerprint", "created_at", "status", "body"],
  },
  { name: "workflow_run_steps", privilege: "insert" },
  {
    name: "workflow_run_steps",
    privilege: "update",
    columns: [
      ...["status", "output", "error", "fence", "finished_at"],
      ...["attempt", "resume_at", "child_run_id", "simulated"],
    ],
  },
  {
    name: "workflow_runs",
    privilege: "update",
    // Never who a run executes as, its version or its input: with those, code could act as an administrator.
    columns: [
      ...["status", "result", "error", "finished_at"],
      ...["lease_owner", "lease_until", "signalled"],
    ],
  },
];

/** The tables that users' tables may refer to. */
export const referredTables = ["users", "roles", "files", "folders"] as const;

/**
 * The rights in the schema `system` of a service's login that runs code of the database's users, when another login keeps
 * the schema. Columns that `system.secret_columns` names are not readable, except digests, by which a request finds its
 * credential (decision 24).
 */
export const closedPrivileges: readonly ListedPrivilege[] = [
  ...readable.map((name) => ({ name, privilege: "select" }) as const),
  ...written,
  // No other column: a foreign key would pass on its changes, with the rights of the login that makes them.
  ...referredTables.map((name) => ({ name, privilege: "references", columns: ["id"] }) as const),
];

/**
 * Returns the statements that give a login `$1` of the kind `$2` its privileges and take away all others; `$3` is the list of a
 * closed login, as JSON. Each statement covers many objects at once, because each fires the event triggers that update the
 * registry.
 */
export const loginPrivilegesSql = `
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
referred (name) as (values ${referredTables.map((name) => `('${name}')`).join(", ")}),
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
group by l.rolname`;
