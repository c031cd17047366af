import { readFile } from "node:fs/promises";
import { StartError } from "@rowhouse/errors";
import { isOfNewerBuild, migrationLockSql } from "../migration-files.ts";
import type { Database, Queryable } from "../queryable.ts";
import { arrayLiteral, quoteIdentifier } from "../quote-identifier.ts";
import { type AdmittedLogin, closedPrivileges, loginPrivilegesSql } from "./login-privileges.ts";
import { asServiceSql } from "./service-statements.ts";

/** The logins of an installation beside the one that owns the schema `system`. */
export interface ServingLogins {
  /** Executes every statement that names a table of the database's users. */
  readonly service: string;
  /** Keeps the schema `system`, if that is another login. */
  readonly system?: string | undefined;
  /** Takes from the service's login, in this and each later start, what only the other one needs. */
  readonly closesService?: boolean | undefined;
}

/**
 * Grants the logins the privileges that they need in the schema `system`, and revokes all others, so that after each
 * migration their privileges are those of this build (docs/operations/database.md). If a newer build has migrated the
 * database, its privileges stay unchanged.
 *
 * Tables are readable and writable for the login that keeps `system`, unless they are listed. So a new table works at
 * once, and appears in the test's snapshot of privileges. The service's login has the same privileges until it is
 * closed; then it has those of `closedPrivileges` and no others.
 *
 * @param owner a pool of the login that owns the schema
 * @throws StartError if a login has more privileges than a service may have, or the owner may not act as them
 */
export async function admitLogins(owner: Database, logins: ServingLogins): Promise<void> {
  await owner.transaction(async (transaction) => {
    await transaction.query(ownersPathSql);
    await transaction.query(migrationLockSql);
    const { service, system } = logins;
    await refuseExcess(transaction, service, "DATABASE_URL");
    if (system !== undefined) await refuseExcess(transaction, system, "SYSTEM_DATABASE_URL");
    if (await isOfNewerBuild(transaction)) return;
    if (system !== undefined) {
      await requireMember(transaction, logins);
      await createAsService(transaction, service, system);
      if (logins.closesService === true) await transaction.query(closeSql);
      await giveRecording(transaction, recorderOf(service));
    }
    const isClosed = await isServiceClosed(transaction);
    if (isClosed && system !== undefined) await moveQueue(transaction, system);
    await grantTo(transaction, { name: service, kind: isClosed ? "CLOSED" : "SERVICE" });
    if (system !== undefined) await grantTo(transaction, { name: system, kind: "SYSTEM" });
  });
}

/**
 * Gives the schema of the queue to the login that keeps `system`. What is in it is lost, and no data: workers add what is
 * due again.
 */
async function moveQueue(owner: Queryable, system: string): Promise<void> {
  const [found] = await owner.query<{ login: string }>(
    "select pg_catalog.pg_get_userbyid(nspowner)::text as login from pg_catalog.pg_namespace where nspname = 'rowhouse_queue'",
  );
  if (found?.login === system) return;
  if (found !== undefined) {
    await owner.query(`set local role ${quoteIdentifier(found.login)}`);
    await owner.query("drop schema rowhouse_queue cascade");
    await owner.query("reset role");
  }
  await owner.query(`create schema rowhouse_queue authorization ${quoteIdentifier(system)}`);
}

async function grantTo(owner: Queryable, { name, kind }: AdmittedLogin): Promise<void> {
  const rows = await owner.query<{ statement: string }>(loginPrivilegesSql, [
    name,
    kind,
    JSON.stringify(closedPrivileges),
  ]);
  for (const { statement } of rows) await owner.query(statement);
}

const closeSql =
  "update system.installation set service_is_closed = true where not service_is_closed";

/** Whether the service's login may do no more in the schema `system` than `closedPrivileges` says. */
export async function isServiceClosed(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ closed: string }>(
    "select coalesce(pg_catalog.bool_or(service_is_closed), false)::text as closed from system.installation",
  );
  return row?.closed === "true";
}

/** @throws StartError if the owner may not act as the roles, which it needs for what belongs to them */
async function requireMember(owner: Queryable, { service, system = "" }: ServingLogins) {
  const roles = [service, system, recorderOf(service)];
  const [row] = await owner.query<{ owner: string; may: string }>(
    `select current_user::text as owner, (3 = (select pg_catalog.count(*) from pg_catalog.pg_roles r
       where r.rolname = any ($1::text::text[]) and pg_catalog.pg_has_role(r.oid, 'usage')))::text as may`,
    [arrayLiteral(roles)],
  );
  if (row?.may === "true") return;
  throw new StartError(
    `The login ${row?.owner} of MIGRATIONS_DATABASE_URL must be a member of ${roles.join(", ")}: run infra/postgres/system-login.sql.`,
  );
}

/** Returns the role that owns the functions of our triggers on tables of users. */
export function recorderOf(service: string): string {
  return `${service}_recorder`;
}

/** What the triggers on users' tables read and write. */
const recording = {
  select: [
    ...["resources", "row_history_layouts", "workflow_watches", "workflows", "workflow_runs"],
    ...["sql_console_runs", "row_history"],
  ],
  insert: ["row_history", "row_history_layouts", "workflow_events"],
} as const;

/**
 * Gives the functions of the triggers on users' tables to a role that may only record: they convert rows, and a cast that a
 * user creates at that moment would run with the rights of their owner.
 */
async function giveRecording(owner: Queryable, recorder: string): Promise<void> {
  const role = quoteIdentifier(recorder);
  const rows = await owner.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_catalog.pg_proc p
     where p.pronamespace = 'system'::regnamespace and p.proname in ('record_events', 'record_history')
       and pg_catalog.pg_get_userbyid(p.proowner) <> $1::text`,
    [recorder],
  );
  const grants = Object.entries(recording).flatMap(([privilege, tables]) =>
    tables.map((table) => ({ privilege, table })),
  );
  const missing = await owner.query<{ statement: string }>(
    `select pg_catalog.format('grant %s on system.%I to %I', g.privilege, g.name, $2::text) as statement
     from pg_catalog.json_to_recordset($1::text::json) g (privilege text, name text)
     where not has_table_privilege($2::text, pg_catalog.format('system.%I', g.name), g.privilege)
     union all select pg_catalog.format('grant usage on schema system to %I', $2::text)
     where not has_schema_privilege($2::text, 'system', 'usage')`,
    [JSON.stringify(grants.map(({ privilege, table }) => ({ privilege, name: table }))), recorder],
  );
  for (const { statement } of missing) await owner.query(statement);
  if (rows.length === 0) return;
  await owner.query(`grant create on schema system to ${role}`);
  for (const { name } of rows) await owner.query(`alter function ${name} owner to ${role}`);
  await owner.query(`revoke create on schema system from ${role}`);
}

/** Creates the function of the service's login, unless it is there as this build writes it, for the system's login alone. */
async function createAsService(owner: Queryable, service: string, system: string): Promise<void> {
  const [found] = await owner.query<{ current: string }>(
    `select (p.prosecdef and p.proconfig is null and p.proowner = r.oid and pg_catalog.strpos($2::text, p.prosrc) > 0
         and pg_catalog.has_function_privilege($3::text, p.oid, 'execute')
         and not exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
           where x.grantee not in (p.proowner, (select c.oid from pg_catalog.pg_roles c where c.rolname = $3::text))))::text as current
     from pg_catalog.pg_proc p, pg_catalog.pg_roles r
     where p.oid = to_regprocedure('${asServiceName}') and r.rolname = $1::text`,
    [service, asServiceSql, system],
  );
  if (found?.current === "true") return;
  const [role, caller] = [service, system].map(quoteIdentifier);
  if (found !== undefined) await dropAsService(owner);
  // No other session sees that the login could create something here.
  await owner.query(`grant create, usage on schema system to ${role}`);
  await owner.query(`set local role ${role}`);
  await owner.query(asServiceSql);
  await owner.query(`revoke execute on function ${asServiceName} from public`);
  await owner.query(`grant execute on function ${asServiceName} to ${caller}`);
  await owner.query("reset role");
  await owner.query(`revoke create on schema system from ${role}`);
}

/** Drops the function, as the owner of its schema may. The guards require it while the service's login is closed. */
async function dropAsService(owner: Queryable): Promise<void> {
  const isClosed = await isServiceClosed(owner);
  if (isClosed) await owner.query("update system.installation set service_is_closed = false");
  await owner.query(`drop function ${asServiceName}`);
  if (isClosed) await owner.query(closeSql);
}

const asServiceName = "system.as_service(text, boolean, text[])";

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
  const file = new URL("../../operations/hand-over.sql", import.meta.url);
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

async function refuseExcess(owner: Queryable, login: string, variable: string): Promise<void> {
  const [first] = await owner.query<{ excess: string }>(excessSql, [login]);
  if (first === undefined) return;
  throw new StartError(
    `The login ${login} of ${variable} ${first.excess}. With MIGRATIONS_DATABASE_URL set, ${variable} must use a login without these rights.`,
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
