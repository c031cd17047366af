import { codeCtes } from "./code-sql.ts";
import { rulesSql } from "./rules-sql.ts";

/**
 * Returns the statement that reads the catalogue: a row with the JSON of `CatalogueFacts`, and one with that of a `RelationRow` for
 * each relation, of all, or of those in the array `$3`. `$1` requests fingerprints; `$2` requests the
 * queries of views, from which the computed columns are derived. A column's base type is that below all of its domains; the
 * base type of an array's elements as well.
 *
 * The statement gathers columns, types and keys for all relations at once. With one subquery for each relation, 600
 * tables took more than twice as long, because the same few types were looked up again for each.
 */
export const catalogueSql = (part: "ALL" | "NAMED"): string => {
  const only = (oid: string) => (part === "ALL" ? "" : ` and ${oid} = any ($3::oid[])`);
  return `
with recursive chosen as materialized (
  select r.id, r.kind, r.relation_oid from system.resources r where true${only("r.relation_oid")}
), attributes as materialized (
  select a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated,
    a.attcollation
  from chosen r
  join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attnum > 0 and not a.attisdropped
), used as materialized (
  -- An array, which the planner estimates at ten types; it would estimate a set at one row for each column.
  select coalesce(pg_catalog.array_agg(distinct a.atttypid), '{}') as types from attributes a
), parts as materialized (
  -- The element types. A field of a composite is read from the composite's text.
  select u.oid as whole, u.oid as part, false as within from pg_catalog.unnest((select used.types from used)) u (oid)
  union
  select p.whole, n.part, p.within or t.typtype = 'c'
  from parts p
  join pg_catalog.pg_type t on t.oid = p.part
  cross join lateral (
    select t.typbasetype as part where t.typtype = 'd'
    union all select t.typelem where t.typsubscript = 'array_subscript_handler'::regproc
    union all select r.rngsubtype from pg_catalog.pg_range r where r.rngtypid = t.oid or r.rngmultitypid = t.oid
    union all select a.atttypid from pg_catalog.pg_attribute a
      where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) n
), used_parts as materialized (
  select coalesce(pg_catalog.array_agg(distinct part), '{}') as types from parts
), undomained as materialized (
  -- The type below all domains of a type, with the modifier of the lowest domain, which alone can have one.
  select u.oid as whole, u.oid as base, -1 as modifier from pg_catalog.unnest((select u.types from used_parts u)) u (oid)
  union all
  select u.whole, t.typbasetype, t.typtypmod from undomained u join pg_catalog.pg_type t on t.oid = u.base and t.typtype = 'd'
), bases as materialized (
  select u.whole, u.base, u.modifier from undomained u join pg_catalog.pg_type t on t.oid = u.base and t.typtype <> 'd'
), orders as materialized (
  -- The operators of a type's B-tree, by which PostgreSQL sorts values of built-in and extension types.
  select t.oid, o.family, o.input
  from pg_catalog.unnest((select u.types from used_parts u)) t (oid)
  cross join lateral (
    select c.opcfamily as family, c.opcintype as input
    from pg_catalog.pg_opclass c join pg_catalog.pg_am m on m.oid = c.opcmethod and m.amname = 'btree'
    where c.opcdefault and (c.opcintype = t.oid or exists (
      select from pg_catalog.pg_cast k where k.castsource = t.oid and k.casttarget = c.opcintype
        and k.castmethod = 'b' and k.castcontext = 'i'))
    order by c.opcintype <> t.oid limit 1) o
), unordered as materialized (
  -- The text of a seg interval has fewer digits than its value; the text of a function or an operator may match several.
  select distinct p.whole as oid
  from parts p join pg_catalog.pg_type t on t.oid = p.part and t.oid = any ((select u.types from used_parts u)::oid[])
  where t.typtype = 'b' and t.typsubscript <> 'array_subscript_handler'::regproc and (
    not exists (select from orders o where o.oid = t.oid) or t.typname = 'seg'
    or p.within and t.oid in ('regproc'::regtype, 'regoper'::regtype))
), types as materialized (
  select t.oid, format_type(t.oid, -1) as name, format_type(p.oid, -1) as plain,
    coalesce(nullif(tb.modifier, -1), nullif(mb.modifier, -1)) as modifier,
    case when e.typtype = 'e' then 'enum' else format_type(e.oid, -1) end as base,
    e.typtype as category, exists (select from pg_catalog.pg_type i where i.oid = b.typelem and i.typarray = b.oid) as is_array, t.typtype = 'd' as is_domain,
    t.typtype = 'd' and t.typnotnull as not_null, t.typdefault is not null as has_default,
    case when e.typtype = 'e' then
      (select pg_catalog.json_agg(l.enumlabel order by l.enumsortorder) from pg_catalog.pg_enum l where l.enumtypid = e.oid) end as labels,
    -- OIDs below this belong to a new cluster: https://www.postgresql.org/docs/18/system-catalog-initial-data.html
    case when p.oid >= 16384 then p.oid::bigint end as own_oid,
    -- Some casts are separate functions.
    not exists (
      select from pg_catalog.pg_cast k where k.castsource = 'text'::regtype and k.casttarget = p.oid and k.castmethod = 'f') as bindable,
    exists (select from parts p where p.whole = t.oid and p.part = 'bytea'::regtype) as holds_bytes,
    not exists (select from unordered u where u.oid = t.oid) as ordered,
    case when exists (select from parts p join pg_catalog.pg_type i on i.oid = p.part and i.typtype = 'c' where p.whole = t.oid) then pg_catalog.json_build_object('root', t.oid::bigint, 'types', (
      select pg_catalog.json_object_agg(p.part, case i.typtype when 'd' then pg_catalog.to_json(i.typbasetype::bigint) when 'b' then pg_catalog.to_json(i.typelem::bigint)
        else (select coalesce(pg_catalog.json_object_agg(a.attname, a.atttypid::bigint), '{}')
          from pg_catalog.pg_attribute a where a.attrelid = i.typrelid and a.attnum > 0 and not a.attisdropped) end)
      from (select distinct p.part from parts p where p.whole = t.oid) p
      join pg_catalog.pg_type i on i.oid = p.part
      where i.typtype in ('c', 'd') or i.typsubscript = 'array_subscript_handler'::regproc)) end as composites,
    case
      when e.typtype = 'e' and t.typtype = 'd' and m.oid = b.oid then format_type(e.oid, -1)
      -- PostgreSQL has no operator for an array of domains and one of their base type.
      when p.oid <> b.oid then format_type(p.oid, -1)
      -- Names of objects change, and a name may refer to several objects.
      when e.typnamespace = 'pg_catalog'::regnamespace and e.typname ~ '^reg'::text then case when m.oid = b.oid then 'oid' else 'oid[]' end
    end as compared_as,
    case when m.oid = b.oid then
      (select pg_catalog.json_object_agg(s.sign, pg_catalog.format('OPERATOR(%I.%s)', n.nspname, x.oprname))
       from orders o
       join pg_catalog.pg_amop a on a.amopfamily = o.family and a.amoplefttype = o.input and a.amoprighttype = o.input
       join pg_catalog.pg_operator p on p.oid = a.amopopr
       cross join lateral (values (a.amopstrategy, p.oid), (case when a.amopstrategy = 3 then 6 end, p.oprnegate)) w (place, operator)
       join (values (1, '<'), (2, '<='), (3, '='), (4, '>='), (5, '>'), (6, '<>')) s (place, sign) on s.place = w.place
       join pg_catalog.pg_operator x on x.oid = w.operator
       join pg_catalog.pg_namespace n on n.oid = x.oprnamespace
       where o.oid = e.oid and not (n.nspname = 'pg_catalog' and x.oprname = s.sign)) end as operators
  from pg_catalog.pg_type t
  join bases tb on tb.whole = t.oid
  join pg_catalog.pg_type b on b.oid = tb.base
  join pg_catalog.pg_type m on m.oid = coalesce((select i.oid from pg_catalog.pg_type i where i.oid = b.typelem and i.typarray = b.oid), b.oid)
  join bases mb on mb.whole = m.oid
  join pg_catalog.pg_type e on e.oid = mb.base
  join pg_catalog.pg_type p on p.oid = case when mb.modifier <> -1 and m.oid <> b.oid then e.typarray else b.oid end
  where t.oid = any ((select used.types from used)::oid[])
), described as materialized (
  -- Many columns share few types, so the JSON of each type is built and sent once.
  select t.oid, t.not_null, t.has_default, t.base, t.modifier, pg_catalog.json_build_object(
      'name', t.name, 'plain', t.plain, 'base', t.base, 'category', t.category, 'array', t.is_array, 'domain', t.is_domain,
      'labels', t.labels, 'own_oid', t.own_oid, 'bindable', t.bindable,
      'holds_bytes', t.holds_bytes, 'ordered', t.ordered, 'compared_as', t.compared_as, 'operators', t.operators,
      'composites', t.composites) as type
  from types t
), meanings as materialized (
  select m.type, m.collation, system.column_meaning(m.type, m.collation)::text as meaning
  from (select distinct a.atttypid as type, a.attcollation as collation from attributes a) m
), columns as materialized (
  select a.attrelid, pg_catalog.json_agg(pg_catalog.json_build_object(
      'number', a.attnum, 'name', a.attname, 'type', t.oid::bigint, 'meaning', m.meaning,
      'declared', format_type(a.atttypid, a.atttypmod),
      'length_max', case when t.base in ('character varying', 'bpchar') and coalesce(nullif(a.atttypmod, -1), t.modifier) > 4
        then coalesce(nullif(a.atttypmod, -1), t.modifier) - 4 end,
      'folds', a.attcollation = any (array(select k.oid from pg_catalog.pg_collation k where not k.collisdeterministic)),
      'not_null', a.attnotnull or t.not_null, 'has_default', a.atthasdef or t.has_default,
      'identity', a.attidentity, 'generated', a.attgenerated <> '' or g.relation_oid is not null, 'virtual', a.attgenerated = 'v',
      'comment', d.description) order by a.attnum) as list
  from attributes a
  join described t on t.oid = a.atttypid
  join meanings m on m.type = a.atttypid and m.collation = a.attcollation
  left join pg_catalog.pg_description d on d.classoid = 'pg_catalog.pg_class'::regclass and d.objoid = a.attrelid and d.objsubid = a.attnum
  left join (select distinct relation_oid, column_name from system.managed_columns) g
    on g.relation_oid = a.attrelid and g.column_name = a.attname
  left join system.secret_columns s on s.relation_oid = a.attrelid and s.column_name = a.attname
  where s.relation_oid is null
  group by a.attrelid
), keys as materialized (
  select k.oid, k.conrelid, k.conname, k.contype, k.confrelid, k.conkey, k.confkey,
    k.confupdtype in ('c', 'n', 'd') as passes_updates,
    -- Only a key with PERIOD refers to one WITHOUT OVERLAPS; \`conperiod\` is a column of PostgreSQL 18.
    k.contype = 'f' and exists (select from pg_catalog.pg_index i where i.indexrelid = k.conindid and i.indisexclusion) as is_period
  from chosen r
  join pg_catalog.pg_constraint k on k.conrelid = r.relation_oid and k.contype in ('p', 'f', 'c')
  left join pg_catalog.pg_constraint w on w.oid = k.conparentid
  -- A foreign key to a partitioned table has a further one for each partition.
  where w.conrelid is distinct from k.conrelid
), key_columns as materialized (
  select k.oid, u.own, pg_catalog.json_agg(a.attname order by u.position) as names
  from keys k
  cross join lateral (
    select true as own, k.conrelid as relation, n.number, n.position from pg_catalog.unnest(k.conkey) with ordinality n (number, position)
    union all
    select false, k.confrelid, n.number, n.position from pg_catalog.unnest(k.confkey) with ordinality n (number, position)) u
  join pg_catalog.pg_attribute a on a.attrelid = u.relation and a.attnum = u.number
  group by k.oid, u.own
), indexed as materialized (
  -- The foreign keys with whose columns an index begins.
  select distinct k.oid
  from keys k
  join pg_catalog.pg_index i on i.indrelid = k.conrelid and i.indisvalid and i.indpred is null
  join pg_catalog.pg_class c on c.oid = i.indexrelid
  join pg_catalog.pg_am m on m.oid = c.relam and m.amname in ('btree', 'hash')
  where k.contype = 'f' and (i.indkey::int2[])[0:pg_catalog.cardinality(k.conkey) - 1] operator(pg_catalog.@>) k.conkey
), constraints as materialized (
  select k.conrelid, pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', k.conname, 'type', k.contype, 'columns', o.names, 'target', k.confrelid::bigint, 'target_columns', f.names,
      'indexed', x.oid is not null, 'passes_updates', k.passes_updates, 'period', k.is_period,
      'comment', d.description) order by k.conkey, k.conname) as list
  from keys k
  left join key_columns o on o.oid = k.oid and o.own
  left join key_columns f on f.oid = k.oid and not f.own
  left join indexed x on x.oid = k.oid
  left join pg_catalog.pg_description d on d.classoid = 'pg_catalog.pg_constraint'::regclass and d.objoid = k.oid and d.objsubid = 0
  group by k.conrelid
), key_indexes as materialized (
  select i.indrelid, pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', c.relname, 'deferrable', not i.indimmediate, 'overlaps', i.indisexclusion,
      'predicate', pg_get_expr(i.indpred, i.indrelid),
      'columns', (select pg_catalog.json_agg(a.attname order by k.position)
        from pg_catalog.unnest(i.indkey::int2[]) with ordinality k (number, position)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where k.position <= i.indnkeyatts)) order by not i.indisprimary, i.indexrelid) as list
  from chosen r
  join pg_catalog.pg_index i on i.indrelid = r.relation_oid and i.indisunique and i.indisvalid and i.indexprs is null
  join pg_catalog.pg_class c on c.oid = i.indexrelid
  group by i.indrelid
), parents as materialized (
  -- Rows of an inheriting table are in no index of its parent.
  select distinct h.inhparent as oid
  from pg_catalog.pg_inherits h join pg_catalog.pg_class p on p.oid = h.inhparent and p.relkind in ('r', 'f')
), unique_indexes as materialized (
  -- A deferrable, partial or unfinished index lets two rows have the same values.
  select i.indexrelid, i.indrelid, i.indnkeyatts, i.indkey::smallint[] as numbers, i.indclass::oid[] as classes
  from chosen r
  join pg_catalog.pg_index i on i.indrelid = r.relation_oid and i.indisunique and i.indimmediate and i.indisvalid
    and i.indpred is null and i.indexprs is null
), unique_keys as materialized (
  -- Another operator class may regard as different what the type regards as equal.
  select i.indexrelid, i.indrelid, pg_catalog.json_agg(a.attname order by k.position) as names
  from unique_indexes i
  cross join lateral unnest(i.numbers, i.classes) with ordinality k (number, class, position)
  join attributes a on a.attrelid = i.indrelid and a.attnum = k.number
  join pg_catalog.pg_opclass o on o.oid = k.class
  left join pg_catalog.pg_opclass d on d.opcdefault and d.opcmethod = o.opcmethod and d.opcintype = a.atttypid
  where k.position <= i.indnkeyatts
  group by i.indexrelid, i.indrelid
  having bool_and(o.opcdefault and coalesce(d.oid = o.oid, true))
), unique_columns as materialized (
  select k.indrelid, pg_catalog.json_agg(k.names order by k.indexrelid) as list
  from unique_keys k
  where k.indrelid not in (select p.oid from parents p)
  group by k.indrelid
), rules as materialized (${rulesSql}
), ${codeCtes(only)}
select pg_catalog.json_build_object('prepares', f.prepares, 'everywhere', f.everywhere,
    'types', (select coalesce(pg_catalog.json_object_agg(t.oid::bigint, t.type), '{}') from described t),
    'links', (select coalesce(pg_catalog.json_object_agg(c.oid::bigint, c.links), '{}') from code_rows c))::text as facts,
  null as relation
from code_facts f
union all
select null, pg_catalog.json_build_object(
  'oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
  'comment', d.description,
  'resource_id', r.id, 'resource_kind', r.kind,
  'query', case when c.relkind = 'v' and $2::text::boolean then
    (select w.ev_action::text from pg_catalog.pg_rewrite w where w.ev_class = c.oid and w.ev_type = '1' and pg_catalog.pg_column_size(w.ev_action) < 100000) end,
  'fingerprint', case when $1::text::boolean then system.relation_fingerprint(c.oid) end,
  'barred', coalesce(rules.barred, '{}'), 'replaces_delete', coalesce(rules.replaces_delete, false),
  'row_security', case when not c.relrowsecurity then null when pg_catalog.row_security_active(c.oid) then 'APPLIED' else 'IGNORED' end,
  'inherited', c.oid in (select p.oid from parents p), 'unique_keys', key_indexes.list,
  'columns', columns.list, 'constraints', constraints.list, 'unique_columns', unique_columns.list
)::text
from chosen r
join pg_catalog.pg_class c on c.oid = r.relation_oid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join columns on columns.attrelid = c.oid
left join constraints on constraints.conrelid = c.oid
left join key_indexes on key_indexes.indrelid = c.oid
left join unique_columns on unique_columns.indrelid = c.oid
left join rules on rules.relation = c.oid
left join pg_catalog.pg_description d on d.classoid = 'pg_catalog.pg_class'::regclass and d.objoid = c.oid and d.objsubid = 0`;
};
