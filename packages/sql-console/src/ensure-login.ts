import { createHash } from "node:crypto";
import {
  advisoryLocks,
  arrayLiteral,
  type Database,
  ownersPathSql,
  passwordVerifier,
  quoteIdentifier,
  quoteLiteral,
  readPostgresFailure,
  simpleKinds,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { boundWaitSql } from "./runs-under-way.ts";

/** An advisory lock that serializes the processes of an installation when they create or repair the login. */
const loginLock = advisoryLocks.consoleLogin;
/** What the password of the login is derived for. */
export const passwordUse = "sql console";

/**
 * Creates the login that runs the console's statements, and grants it what was added since: reading and writing the
 * rows of tables, reading views, and reading the public columns of the schema `system`. The login owns nothing and may
 * create nothing, because the service would execute its functions with the service's own privileges (decision 14).
 *
 * @param anew sets the password and the limits of an existing login again
 * @returns the login's name
 * @throws AppError SERVICE_UNAVAILABLE with a sentence if the service's login lacks the privilege to create it
 */
export async function ensureLogin(
  database: Database,
  secret: string,
  anew: boolean,
): Promise<string> {
  return database.transaction(async (transaction) => {
    await transaction.query(ownersPathSql);
    const [found] = await transaction.query<LoginRow>(loginSql);
    if (found === undefined) throw createError("INTERNAL_ERROR");
    const login = loginName(found.database);
    const hasRole = await isMade(transaction, login, found);
    // Usually nothing is missing, and no lock is needed.
    if (hasRole && !anew && (await missingPrivileges(transaction, login)).length === 0)
      return login;
    await transaction.query(boundWaitSql);
    await transaction.query(`select pg_advisory_xact_lock(${loginLock})`);
    const isNew = !(await isMade(transaction, login, found));
    if (isNew || anew) await makeLogin(transaction, login, found, isNew, secret);
    for (const statement of await missingPrivileges(transaction, login)) {
      await transaction.query(statement);
    }
    return login;
  });
}

/** @throws AppError SERVICE_UNAVAILABLE for a role of that name that the service did not create */
async function isMade(
  transaction: Transaction,
  login: string,
  { database }: LoginRow,
): Promise<boolean> {
  const [role] = await transaction.query<RoleRow>(roleSql, [login]);
  if (role !== undefined && role.comment !== markOf(database)) {
    throw unavailable(`The role ${login} exists, and is not the console's`);
  }
  return role !== undefined;
}

/** Creates the error for an unavailable console, with the remedy. */
export function unavailable(reason: string, cause?: unknown): Error {
  return createError("SERVICE_UNAVAILABLE", {
    message: `The SQL console has no login: ${reason}. See SQL_CONSOLE_URL in the documents on configuration`,
    cause,
  });
}

/** `<database>_console`, if that fits into an identifier. */
function loginName(database: string): string {
  const name = `${database}_console`;
  if (Buffer.byteLength(name) <= 63) return name;
  return `rowhouse_${createHash("sha256").update(database).digest("hex").slice(0, 16)}_console`;
}

function markOf(database: string): string {
  return `Rowhouse: the SQL console of the database ${database}`;
}

interface LoginRow {
  database: string;
  is_superuser: string;
}
interface RoleRow {
  comment: string | null;
}

const loginSql =
  "select current_database()::text as database, (select rolsuper::text from pg_catalog.pg_roles where rolname = current_user) as is_superuser";
const roleSql =
  "select pg_catalog.shobj_description(oid, 'pg_authid') as comment from pg_catalog.pg_roles where rolname = $1::text";

async function makeLogin(
  transaction: Transaction,
  login: string,
  { database, is_superuser }: LoginRow,
  isNew: boolean,
  secret: string,
): Promise<void> {
  const name = quoteIdentifier(login);
  try {
    if (isNew) await transaction.query(`create role ${name}`);
    await transaction.query(
      `alter role ${name} login noinherit connection limit 50 password ${quoteLiteral(passwordVerifier(secret, passwordUse))}`,
    );
    await transaction.query(`alter role ${name} reset all`);
    if (is_superuser === "true") {
      await transaction.query(`alter role ${name} set temp_file_limit = '1GB'`);
    }
    await transaction.query(`comment on role ${name} is ${quoteLiteral(markOf(database))}`);
  } catch (error) {
    if (readPostgresFailure(error)?.code !== "42501") throw error;
    throw unavailable("the service's own login may not create roles", error);
  }
}

/**
 * Returns the grants that the login lacks and the service's login can give.
 *
 * Views are read-only: a write through a view would use the privileges of its owner. `TRIGGER` is not granted: the
 * function of a trigger would run as the writer, for instance the service.
 */
async function missingPrivileges(transaction: Transaction, login: string): Promise<string[]> {
  const rows = await transaction.query<{ statement: string }>(missingSql, [
    login,
    arrayLiteral(readableTables),
  ]);
  return rows.map((row) => row.statement);
}

// One statement for all objects of a kind: each statement fires the event triggers that update the registry.
const missingSql = `
with login as (select oid, rolname from pg_catalog.pg_roles where rolname = $1::text),
schemas as (
  select n.oid, n.nspname from pg_catalog.pg_namespace n
  where n.nspname !~ '^pg_'::text and n.nspname not in ('information_schema', 'system', 'rowhouse_queue')
),
relations as (
  select c.oid, pg_catalog.format('%I.%I', s.nspname, c.relname) as name, c.relkind
  from pg_catalog.pg_class c join schemas s on s.oid = c.relnamespace
  where c.relpersistence <> 't' and c.oid not in (select view_oid from system.secret_views)
)
select pg_catalog.format('grant usage on schema %s to %I', string_agg(pg_catalog.quote_ident(s.nspname), ', '), l.rolname) as statement
from schemas s, login l
where not has_schema_privilege(l.oid, s.oid, 'usage') and has_schema_privilege(s.oid, 'usage with grant option')
group by l.rolname
union all
select pg_catalog.format('grant %s on table %s to %I', p.privilege, string_agg(r.name, ', '), l.rolname)
from login l, relations r
join (values ('select', '{r,p,f,v,m}'::"char"[]), ('insert', '{r,p,f}'), ('update', '{r,p,f}'), ('delete', '{r,p,f}'))
  p (privilege, kinds) on r.relkind = any (p.kinds)
where not has_table_privilege(l.oid, r.oid, p.privilege)
  and has_table_privilege(r.oid, p.privilege || ' with grant option')
group by p.privilege, l.rolname
union all
select pg_catalog.format('grant usage, select on sequence %s to %I', string_agg(r.name, ', '), l.rolname)
from relations r, login l
where case when r.relkind = 'S' then not has_sequence_privilege(l.oid, r.oid, 'usage')
  and has_sequence_privilege(r.oid, 'usage with grant option') else false end
group by l.rolname
union all
select pg_catalog.format('grant usage on schema system to %I', l.rolname)
from login l where not has_schema_privilege(l.oid, 'system'::regnamespace, 'usage')
union all
select pg_catalog.format('grant select (%s) on table system.%I to %I', string_agg(pg_catalog.quote_ident(a.attname), ', ' order by a.attnum),
  c.relname, l.rolname)
from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped, login l
where c.relnamespace = 'system'::regnamespace and c.relkind = 'r' and c.relname = any ($2::text::text[])
  and not exists (select 1 from system.secret_columns s where s.relation_oid = c.oid and s.column_name = a.attname)
  and not has_column_privilege(l.oid, c.oid, a.attnum, 'select')
group by c.relname, l.rolname
union all
-- Everybody may call a new function, and these act with the rights of their owner.
select pg_catalog.format('revoke execute on function %s from public', string_agg(p.oid::regprocedure::text, ', '))
from pg_catalog.pg_proc p, login l
where p.pronamespace = 'system'::regnamespace and p.prosecdef and has_function_privilege(l.oid, p.oid, 'execute')
having pg_catalog.count(*) > 0
union all
-- What has become secret since.
select pg_catalog.format('revoke select (%I) on table %s from %I', s.column_name, s.relation_oid::regclass, l.rolname)
from system.secret_columns s, login l
where s.relation_oid is not null and has_column_privilege(l.oid, s.relation_oid, s.column_name, 'select')
union all
select pg_catalog.format('revoke all on table %s from %I', v.view_oid::regclass, l.rolname)
from system.secret_views v, login l where has_any_column_privilege(l.oid, v.view_oid, 'select')`;

/**
 * The tables of the schema `system` that the console may read, with all columns except the secret ones. A new table is
 * unreadable until it is listed here; those of simple kinds have no secrets.
 */
const readableTables: readonly string[] = [
  ...simpleKinds.map(({ tableName }) => tableName),
  "audit_log",
  "auth_providers",
  "dashboard_panels",
  "dashboard_roles",
  "dashboards",
  "data_view_roles",
  "data_views",
  "file_scans",
  "files",
  "folders",
  "grant_columns",
  "grants",
  "invitation_roles",
  "invitations",
  "migrations",
  "provider_accounts",
  "reading_columns",
  "resource_columns",
  "resources",
  "role_members",
  "roles",
  "sessions",
  "settings",
  "templates",
  "tokens",
  "users",
  "view_refreshes",
  "workflow_digests",
  "workflow_failures",
  "workflow_invoke_grants",
  "workflow_run_steps",
  "workflow_runs",
  "workflow_schedules",
  "workflow_versions",
  "workflow_watchers",
  "workflows",
];
