import { advisoryLocks } from "../src/advisory-locks.ts";
import { closedPrivileges, loginPrivilegesSql } from "../src/logins/login-privileges.ts";

// The files by which an operator closes the service's login, and opens it again. They execute the statement that a start executes
// (service-login.ts), so the privileges of a file and of a start are the same.

const closes = `-- Run as a superuser, or as the login of MIGRATIONS_DATABASE_URL, in the service's database, once every process has
-- SYSTEM_DATABASE_URL. From then on the service's login has only the rights in the schema system that statements on rows need, so
-- code of the database's users cannot act as an administrator. open-service.sql is the way back.
-- docs/operations/database.md#close-the-services-login`;

const opens = `-- Run as a superuser, or as the login of MIGRATIONS_DATABASE_URL, in the service's database, before a process without
-- SYSTEM_DATABASE_URL or of an earlier build starts. The service's login has all its rights in the schema system again.
-- close-service.sql takes them away. docs/operations/database.md#close-the-services-login`;

/** A process announces itself in a session of the login that keeps the schema, so these have but one login. */
const requireAll = `
  select string_agg(distinct application_name, ', ' order by application_name) into others
  from pg_stat_activity where usename = service and datname = current_database() and application_name ~ ' budget=[0-9]+$';
  if others is not null then
    raise exception 'These processes have no SYSTEM_DATABASE_URL: %', others using hint = 'Restart them with it, then run this file again.';
  end if;`;

const file = (kind: "CLOSED" | "SERVICE") => `${kind === "CLOSED" ? closes : opens}
-- Generated: \`npm run logins\` writes it.
do $do$
declare
  service name;
  keeper name;
  is_granted boolean;${kind === "CLOSED" ? "\n  others text;" : ""}
  holder name := (select pg_catalog.pg_get_userbyid(nspowner) from pg_catalog.pg_namespace where nspname = 'rowhouse_queue');
  queue name;
  item record;
begin
  -- Objects of the database's users have no part in what a superuser executes here.
  set local search_path = pg_catalog, pg_temp;
  perform pg_advisory_xact_lock(${advisoryLocks.migrations});
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
  end if;${kind === "CLOSED" ? requireAll : ""}
  update system.installation set service_is_closed = ${kind === "CLOSED"} where service_is_closed is distinct from ${kind === "CLOSED"};
  -- The queue in PostgreSQL has no authoritative data: workers add what is due again.
  queue := ${kind === "CLOSED" ? "keeper" : "service"};
  if holder is distinct from queue then
    if holder is not null then
      execute format('set local role %I', holder);
      drop schema rowhouse_queue cascade;
      reset role;
    end if;
    execute format('create schema rowhouse_queue authorization %I', queue);
  end if;
  for item in execute $sql$${loginPrivilegesSql}
$sql$ using service, '${kind}', ${
  kind === "CLOSED"
    ? `$list$[
${closedPrivileges.map((each) => JSON.stringify(each)).join(",\n")}
]$list$`
    : "'[]'"
}
  loop
    execute item.statement;
  end loop;
end $do$;
`;

export const serviceFiles = {
  "close-service.sql": file("CLOSED"),
  "open-service.sql": file("SERVICE"),
} as const;
