import { documentedSql, plainIndexSql } from "./documented-table-sql.ts";

/** SQL for the column names of an array of attribute numbers, in its order. */
export const columnNamesSql = (relation: string, numbers: string): string => `
    (select coalesce(pg_catalog.json_agg(a.attname order by u.position), '[]')
     from pg_catalog.unnest(${numbers}) with ordinality u (number, position)
     join pg_catalog.pg_attribute a on a.attrelid = ${relation} and a.attnum = u.number)`;

/**
 * SQL for a size of the table `c`; null while another transaction holds an exclusive lock, because the size functions
 * would wait for it.
 */
export const unlessHeld = (size: string): string => `
    case when not exists (
      select 1 from pg_catalog.pg_locks l where l.locktype = 'relation' and l.relation = c.oid
        and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
        and l.mode = 'AccessExclusiveLock' and l.pid <> pg_backend_pid()) then ${size} end`;

/** An alteration reads no size: each one reads all locks, and a transaction that creates many tables holds thousands. */
const sizeSql = (reader: Reader, size: string): string =>
  reader === "PAGE" ? unlessHeld(size) : "null";

/** For documents: what PostgreSQL's own text of an index means, instead of its size. */
const indexTermsSql = `
      'terms', (
        select pg_catalog.json_agg(pg_catalog.json_build_object(
          'column', a.attname,
          'expression', case when a.attname is null then pg_get_indexdef(x.indexrelid, k + 1, false) end,
          'descending', x.indoption[k] & 1 = 1, 'nullsFirst', x.indoption[k] & 2 = 2) order by k)
        from generate_series(0, x.indnkeyatts - 1) k
        left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[k] and a.attnum > 0),
      'isPlain', ${plainIndexSql}`;

/** The foreign keys to the table; PostgreSQL has no index that finds them. */
const referencedBySql = `'referencedBy', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', k.conname, 'schema', tn.nspname, 'table', t.relname,
      'columns', ${columnNamesSql("k.conrelid", "k.conkey")},
      'targetColumns', ${columnNamesSql("k.confrelid", "k.confkey")}) order by k.oid), '[]')
    from pg_catalog.pg_constraint k join pg_catalog.pg_class t on t.oid = k.conrelid join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
    where k.confrelid = c.oid and k.contype = 'f' and k.conparentid = 0),`;

/** Who reads a table: its page with the sizes, an alteration of it, one while nothing can refer to it, or documents. */
type Reader = "PAGE" | "ALTERATION" | "NEW" | "DOCUMENTS";

const partsSql: Readonly<Record<Reader, string>> = {
  PAGE: referencedBySql,
  ALTERATION: referencedBySql,
  NEW: "'referencedBy', '[]'::json,",
  DOCUMENTS: documentedSql,
};

/** Returns a table `c` in the schema `n`, with its record `s`, as JSON. */
const stateSql = (reader: Reader): string => `pg_catalog.json_build_object(
  'oid', c.oid::bigint, 'resourceId', s.id, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
  'comment', obj_description(c.oid, 'pg_class'),
  'columns', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', a.attname, 'attributeNumber', a.attnum, 'dataType', format_type(a.atttypid, a.atttypmod),
      'nullable', not a.attnotnull,
      'default', case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
      'identity', a.attidentity,
      'generatedAs', case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end,
      'comment', col_description(c.oid, a.attnum)) order by a.attnum), '[]')
    from pg_catalog.pg_attribute a left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
  'constraints', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', k.conname, 'type', k.contype, 'columns', ${columnNamesSql("k.conrelid", "k.conkey")},
      'definition', pg_get_constraintdef(k.oid), 'expression', pg_get_expr(k.conbin, k.conrelid),
      'validated', k.convalidated, 'comment', obj_description(k.oid, 'pg_constraint'),
      'targetSchema', tn.nspname, 'targetTable', t.relname, 'targetColumns', ${columnNamesSql("k.confrelid", "k.confkey")},
      'onDelete', k.confdeltype, 'onUpdate', k.confupdtype) order by k.oid), '[]')
    from pg_catalog.pg_constraint k
    left join pg_catalog.pg_class t on t.oid = k.confrelid left join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
    where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'f', 'c')
      -- One of its own for each partition that a foreign key refers to.
      and not exists (select from pg_catalog.pg_constraint o where o.oid = k.conparentid and o.conrelid = k.conrelid)),
  ${partsSql[reader]}
  'indexes', (
    select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', i.relname, 'unique', x.indisunique, 'method', m.amname,
      'keys', (select pg_catalog.json_agg(pg_get_indexdef(x.indexrelid, k, false) order by k) from generate_series(1, x.indnkeyatts) k),
      'columns', (select coalesce(pg_catalog.json_agg(distinct a.attname), '[]') from pg_catalog.pg_depend p
                  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = p.refobjsubid
                  where p.classid = 'pg_class'::regclass and p.objid = x.indexrelid
                    and p.refclassid = 'pg_class'::regclass and p.refobjid = c.oid and p.refobjsubid > 0),
      'where', pg_get_expr(x.indpred, x.indrelid), 'definition', pg_get_indexdef(x.indexrelid),
      'valid', x.indisvalid, ${
        reader === "DOCUMENTS"
          ? indexTermsSql
          : `'bytes', ${sizeSql(reader, "pg_relation_size(x.indexrelid)")}`
      }) order by i.relname), '[]')
    from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_am m on m.oid = i.relam
    where x.indrelid = c.oid
      and not exists (select 1 from pg_catalog.pg_constraint k
        where k.conrelid = c.oid and k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))),
  'rowEstimate', nullif(c.reltuples, -1)::bigint${
    reader === "DOCUMENTS"
      ? ""
      : `,
  'tableBytes', ${sizeSql(reader, "pg_table_size(c.oid)")}, 'indexBytes', ${sizeSql(reader, "pg_indexes_size(c.oid)")}`
  }
)::text as state`;

const registeredSql = `
from system.registrable_relations r
join pg_catalog.pg_class c on c.oid = r.relation_oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join system.resources s on s.relation_oid = c.oid
where r.kind = 'TABLE'`;

/**
 * SQL for the OID of a relation (`$1` schema, `$2` name). The names of `system.registrable_relations` have no index; those
 * of the catalog do.
 */
export const namedOidSql = `(
    select t.oid from pg_catalog.pg_class t join pg_catalog.pg_namespace s on s.oid = t.relnamespace
    where s.nspname = $1::text::name and t.relname = $2::text::name)`;

const loadOneSql = (reader: Reader): string => `select ${stateSql(reader)}${registeredSql}
  and r.schema_name = $1::text and r.relation_name = $2::text
  and r.relation_oid = ${namedOidSql}`;

/** Returns one user table (`$1` schema, `$2` name) as one JSON text. */
export const loadTableSql = loadOneSql("PAGE");

/** Returns the same without sizes. */
export const loadAlteredTableSql = loadOneSql("ALTERATION");

/** Returns the same without what refers to the table. */
export const loadNewTableSql = loadOneSql("NEW");

/** Returns every user table. */
export const loadTablesSql = `select ${stateSql("DOCUMENTS")}${registeredSql}`;

/** Returns one table by its OID, which needs no record. */
export const loadTableByOidSql = `select ${stateSql("DOCUMENTS")}
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join system.resources s on s.relation_oid = c.oid
where c.oid = $1::text::oid`;
