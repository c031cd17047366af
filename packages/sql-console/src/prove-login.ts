import type { Queryable } from "@rowhouse/db";
import { unavailable } from "./ensure-login.ts";

/**
 * Checks that a login has only the privileges of the console, also if an operator created it. Its statements are
 * arbitrary, so only PostgreSQL can restrict them. Called before each run, because other clients grant privileges too.
 *
 * @throws AppError SERVICE_UNAVAILABLE that names the excess privilege
 */
export async function proveLogin(database: Queryable, login: string): Promise<void> {
  const rows = await database.query<{ excess: string }>(excessSql, [login]);
  const [first] = rows;
  if (first !== undefined) throw unavailable(`the role ${login} ${first.excess}`);
}

/** Functions that reach files, other servers or programs, in case a client granted one. */
const reachingOut =
  "'{pg_read_file,pg_read_binary_file,pg_ls_dir,pg_stat_file,lo_import,lo_export,pg_reload_conf,pg_rotate_logfile}'::text[]";

/** Whether the object of the row `d` of pg_shdepend is temporary and ends with its session. */
export const isTemporarySql = `coalesce(case d.classid
    when 'pg_catalog.pg_class'::regclass then (select n.nspname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = d.objid)
    when 'pg_catalog.pg_type'::regclass then (select n.nspname from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.oid = d.objid)
    when 'pg_catalog.pg_proc'::regclass then (select n.nspname from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where p.oid = d.objid)
  end, '') ~ '^pg_(toast_)?temp_'`;

const excessSql = `
with login as (
  select oid, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_catalog.pg_roles where rolname = $1::text
)
select 'is a superuser, or may create roles or databases, replicate or pass by row security' as excess
from login where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
union all
select 'is a member of ' || pg_catalog.quote_ident(r.rolname)
from login l join pg_catalog.pg_auth_members m on m.member = l.oid join pg_catalog.pg_roles r on r.oid = m.roleid
union all
select 'may read ' || s.relation_oid::regclass::text || '.' || s.column_name
from login l, system.secret_columns s
where s.relation_oid is not null and has_column_privilege(l.oid, s.relation_oid, s.column_name, 'select')
union all
select 'may read ' || v.view_oid::regclass::text || ', which shows secret columns'
from login l, system.secret_views v where has_any_column_privilege(l.oid, v.view_oid, 'select')
union all
select 'may write ' || c.oid::regclass::text
from login l, pg_catalog.pg_class c
where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')
  and (has_any_column_privilege(l.oid, c.oid, 'insert, update') or has_table_privilege(l.oid, c.oid, 'delete, truncate'))
union all
select 'may create triggers on ' || c.oid::regclass::text
from login l, pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v', 'p', 'f') and n.nspname !~ '^pg_'::text and has_table_privilege(l.oid, c.oid, 'trigger')
union all
select 'may create objects in the schema ' || pg_catalog.quote_ident(n.nspname)
from login l, pg_catalog.pg_namespace n
where n.nspname !~ '^pg_(toast_)?temp_'::text and has_schema_privilege(l.oid, n.oid, 'create')
union all
select 'may create schemas and extensions'
from login l where has_database_privilege(l.oid, current_database(), 'create')
union all
select 'owns objects'
from login l where exists (select 1 from pg_catalog.pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = l.oid
  and d.deptype = 'o' and d.dbid in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
  and not ${isTemporarySql})
union all
select 'may call ' || p.oid::regprocedure::text
from login l, pg_catalog.pg_proc p
where (p.pronamespace = 'system'::regnamespace and p.prosecdef or (p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any (${reachingOut})))
  and has_function_privilege(l.oid, p.oid, 'execute')
limit 1`;
