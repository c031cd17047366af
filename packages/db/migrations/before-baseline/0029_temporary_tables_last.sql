-- A path that does not name pg_temp begins with it: a login that may make temporary tables could put one in the place of a
-- catalogue's, and have what it does run as the owner of the function that reads it.
do $$
declare
  guarded record;
begin
  for guarded in
    select p.oid::regprocedure as name from pg_catalog.pg_proc p
    where p.pronamespace = 'system'::regnamespace and 'search_path=pg_catalog, system' = any (p.proconfig)
  loop
    execute format('alter function %s set search_path = pg_catalog, system, pg_temp', guarded.name);
  end loop;
end $$;
