-- The oldest code that works on this schema: the number of the newest migration that came with it. Code that is older does not
-- start. A migration that takes something away says from which number on nothing misses it: select system.serve_from(31).
alter table system.installation add column serves_from integer not null default 0;

create function system.serve_from(migration integer) returns void
language sql set search_path = pg_catalog, system, pg_temp as $$
  update system.installation set serves_from = greatest(serves_from, migration);
$$;
