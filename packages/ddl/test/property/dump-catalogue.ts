import type { Queryable } from "@rowhouse/db";

/**
 * Returns everything that DDL can change in the schemas of a test as one text: the content of `pg_dump --schema-only`, read
 * from the same catalogue, and OIDs and attribute numbers besides. (The npm packages of PostgreSQL bring no pg_dump.)
 */
export async function dumpCatalogue(
  database: Queryable,
  schemas: readonly string[],
): Promise<string> {
  const rows = await database.query<{ line: string }>(dumpSql, [JSON.stringify(schemas)]);
  return rows.map((row) => row.line).join("\n");
}

const dumpSql = `
with schemas as (
  select n.oid, n.nspname from pg_namespace n
  where n.nspname in (select jsonb_array_elements_text($1::text::jsonb))
), classes as (
  select c.*, s.nspname from pg_class c join schemas s on s.oid = c.relnamespace
)
select concat_ws(' | ', 'class', c.nspname, c.relname, c.relkind::text, c.relpersistence::text,
    c.reloptions::text, obj_description(c.oid, 'pg_class'), c.relreplident::text) as line
  from classes c where c.relkind <> 'i'
union all
select concat_ws(' | ', 'column', c.nspname, c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
    a.attnotnull, a.attidentity::text, a.attgenerated::text, a.attcollation, a.attstorage::text,
    pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum))
  from classes c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'v', 'm', 'p', 'f')
union all
select concat_ws(' | ', 'constraint', c.nspname, c.relname, k.conname, k.contype::text, pg_get_constraintdef(k.oid),
    k.convalidated, k.condeferrable, obj_description(k.oid, 'pg_constraint'))
  from classes c join pg_constraint k on k.conrelid = c.oid
union all
select concat_ws(' | ', 'index', pg_get_indexdef(x.indexrelid), x.indisvalid, x.indisprimary, x.indnullsnotdistinct)
  from classes c join pg_index x on x.indrelid = c.oid
union all
select concat_ws(' | ', 'sequence', c.nspname, c.relname, q.seqtypid::regtype::text, q.seqstart, q.seqincrement, q.seqmax, q.seqmin,
    (select concat_ws('.', d.refobjid::regclass::text, d.refobjsubid) from pg_depend d
     where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'i' limit 1))
  from classes c join pg_sequence q on q.seqrelid = c.oid
union all
select concat_ws(' | ', 'view', c.nspname, c.relname, pg_get_viewdef(c.oid))
  from classes c where c.relkind in ('v', 'm')
union all
select concat_ws(' | ', 'trigger', c.nspname, c.relname, pg_get_triggerdef(t.oid))
  from classes c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal
union all
select concat_ws(' | ', 'type', s.nspname, t.typname, t.typtype::text)
  from schemas s join pg_type t on t.typnamespace = s.oid
order by 1`;
