-- Run as a superuser, in a database that one login has used so far. That login is the current owner of the schema system; it may
-- be a superuser. rowhouse_owner becomes the owner of the schema system, rowhouse_service of the login's other objects. Objects of
-- other logins are unchanged. No process of the service may run meanwhile.
do $$
declare
  was oid := (select nspowner from pg_namespace where nspname = 'system');
  item record;
  -- Present if the login was a superuser. They would act as the new owner while the old one still owns half of the schema.
  triggers text[] := array(select evtname::text from pg_event_trigger
    where evtname in ('rowhouse_after_ddl', 'rowhouse_after_drop') and evtenabled <> 'D');
begin
  for item in select unnest(triggers) as name loop
    execute format('alter event trigger %I disable', item.name);
  end loop;
  for item in
    select format('alter schema %I owner to', n.nspname) as change, n.nspname as place, 0 as turn
    from pg_namespace n where n.nspowner = was and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    union all
    select format('alter table %s owner to', c.oid::regclass), n.nspname, 1
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relowner = was and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      -- The sequence of a column changes with its table; objects of extensions stay.
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i', 'e'))
    union all
    select format('alter routine %s owner to', p.oid::regprocedure), n.nspname, 2
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.proowner = was and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('alter type %s owner to', t.oid::regtype), n.nspname, 3
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typowner = was and t.typtype in ('c', 'd', 'e', 'r') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (select 1 from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')
      and not exists (select 1 from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
    order by turn
  loop
    execute format('%s %I', item.change, case when item.place = 'system' then 'rowhouse_owner' else 'rowhouse_service' end);
  end loop;
  execute format('alter database %I owner to rowhouse_owner', current_database());
  for item in select unnest(triggers) as name loop
    execute format('alter event trigger %I enable always', item.name);
  end loop;
end $$;
