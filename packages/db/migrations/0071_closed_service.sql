-- Whether the service's login has only the rights in this schema that statements on rows need; another login has the rest.
alter table system.installation add column service_is_closed boolean not null default false;

-- The login that executes statements on users' tables: it owns the function that a start creates, if there are two.
create function system.service_login() returns name
language sql stable as $$
  select coalesce((
    select pg_catalog.pg_get_userbyid(p.proowner) from pg_catalog.pg_proc p
    where p.oid = pg_catalog.to_regprocedure('system.as_service(text,boolean,text[])')), current_user)
$$;
