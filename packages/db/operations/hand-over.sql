-- Run as a superuser, in a database that one login has used so far. That login is the current owner of the schema system; it may
-- be a superuser. rowhouse_owner becomes the owner of the schema system, rowhouse_service of the login's other objects. Objects of
-- other logins and of extensions are unchanged, and so are event triggers with their functions, which superusers execute. No process
-- of the service may run meanwhile.
do $$
declare
  was oid := (select nspowner from pg_catalog.pg_namespace where nspname = 'system');
  item record;
  -- Present if the login was a superuser. They would act as the new owner while the old one still owns half of the schema.
  triggers text[] := array(select evtname::text from pg_catalog.pg_event_trigger
    where evtname in ('rowhouse_after_ddl', 'rowhouse_after_drop') and evtenabled <> 'D');
begin
  -- Objects of the database's users have no part in what a superuser executes here.
  set local search_path = pg_catalog, pg_temp;
  for item in select unnest(triggers) as name loop
    execute format('alter event trigger %I disable', item.name);
  end loop;
  for item in
    with places as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
    ), kept as (
      -- Objects of extensions, and what is owned with another object: the sequence of a column, the type of a table.
      select classid, objid from pg_depend where deptype = 'e' or (classid = 'pg_class'::regclass and deptype in ('a', 'i'))
    ), objects as (
      select 0 as turn, n.nspname as place, format('schema %I', n.nspname) as object, 'pg_namespace'::regclass as class, n.oid
      from pg_namespace n where n.nspowner = was and n.oid in (select oid from places)
      union all
      select 1, n.nspname, format('table %s', c.oid::regclass), 'pg_class', c.oid
      from pg_class c join places n on n.oid = c.relnamespace
      where c.relowner = was and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      union all
      select 2, n.nspname, format('routine %s', p.oid::regprocedure), 'pg_proc', p.oid
      from pg_proc p join places n on n.oid = p.pronamespace
      where p.proowner = was and (n.nspname = 'system' or p.prorettype <> 'event_trigger'::regtype)
      union all
      select 3, n.nspname, format('type %s', t.oid::regtype), 'pg_type', t.oid
      from pg_type t join places n on n.oid = t.typnamespace
      where t.typowner = was and t.typtype in ('c', 'd', 'e', 'r')
        and not exists (select from pg_class c where c.oid = t.typrelid and c.relkind <> 'c')
      union all
      select 3, n.nspname, format('operator %s', o.oid::regoperator), 'pg_operator', o.oid
      from pg_operator o join places n on n.oid = o.oprnamespace where o.oprowner = was
      union all
      select 3, n.nspname, format('collation %I.%I', n.nspname, o.collname), 'pg_collation', o.oid
      from pg_collation o join places n on n.oid = o.collnamespace where o.collowner = was
      union all
      select 3, n.nspname, format('statistics %I.%I', n.nspname, s.stxname), 'pg_statistic_ext', s.oid
      from pg_statistic_ext s join places n on n.oid = s.stxnamespace where s.stxowner = was
      union all
      select 3, n.nspname, format('text search configuration %I.%I', n.nspname, c.cfgname), 'pg_ts_config', c.oid
      from pg_ts_config c join places n on n.oid = c.cfgnamespace where c.cfgowner = was
      union all
      select 3, n.nspname, format('text search dictionary %I.%I', n.nspname, d.dictname), 'pg_ts_dict', d.oid
      from pg_ts_dict d join places n on n.oid = d.dictnamespace where d.dictowner = was
      union all
      select 3, '', format('large object %s', l.oid), 'pg_largeobject', l.oid
      from pg_largeobject_metadata l where l.lomowner = was
    )
    select o.object, o.place from objects o
    where not exists (select from kept k where k.classid = o.class and k.objid = o.oid)
    order by o.turn
  loop
    execute format('alter %s owner to %I', item.object, case when item.place = 'system' then 'rowhouse_owner' else 'rowhouse_service' end);
  end loop;
  execute format('alter database %I owner to rowhouse_owner', current_database());
  -- With a third login the service's has only the rights in the schema system that statements on rows need. The next start grants
  -- them, and gives the queue to the third.
  if exists (select from pg_roles where rolname = 'rowhouse_system') and exists (
      select from pg_attribute where attrelid = 'system.installation'::regclass and attname = 'service_is_closed') then
    update system.installation set service_is_closed = true;
  end if;
  for item in select unnest(triggers) as name loop
    execute format('alter event trigger %I enable always', item.name);
  end loop;
end $$;
