-- Junctions: an administrator marks a table whose two foreign keys relate the rows of two tables, although its key is another.
alter table system.resources add column junction boolean not null default false;

-- A unique index decides whether the other direction of a foreign key has one row or many; an inheriting table may have
-- rows that it does not cover.
create or replace function system.relation_fingerprint(relation oid) returns text
language sql stable parallel restricted as $$
  select md5(concat_ws('|', n.nspname, c.relname, c.relkind::text,
    (select string_agg(concat_ws(',', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull,
              a.attidentity::text, a.attgenerated::text, a.atthasdef), ';' order by a.attnum)
       from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select string_agg(concat_ws(',', k.oid, k.conname, k.contype::text, d.description), ';' order by k.oid)
       from pg_catalog.pg_constraint k
       left join pg_catalog.pg_description d on d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass
       where k.conrelid = c.oid),
    (select string_agg(concat_ws(',', w.oid, w.xmin), ';' order by w.oid)
       from pg_catalog.pg_rewrite w where w.ev_class = c.oid),
    (select string_agg(concat_ws(',', i.indexrelid, i.indisvalid), ';' order by i.indexrelid)
       from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisunique),
    exists (select from pg_catalog.pg_inherits h where h.inhparent = c.oid)))
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation
$$;
