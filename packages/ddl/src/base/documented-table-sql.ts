/** Whether an object uses a function or an operator of the database's users, which no document may. */
const usesCodeSql = (catalog: string, oid: string): string => `exists (
    select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.${catalog}'::regclass and d.objid = ${oid}
      and d.refclassid in ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass))`;

/** Whether an extension has made the relation `c`. */
export const ofExtensionSql = `exists (
    select from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Why a table `c` is one that no document can create; null for an ordinary table. */
const uncarriedSql = `case
    when ${ofExtensionSql} then 'EXTENSION'
    when c.relispartition then 'PARTITION'
    when c.relkind = 'p' then 'PARTITIONED'
    when c.relkind = 'f' then 'FOREIGN'
    when c.reloftype <> 0 then 'TYPED'
    when not exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
      then 'COLUMNLESS'
    when exists (select from pg_catalog.pg_attribute a join pg_catalog.pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum
                 where a.attrelid = c.oid and a.attgenerated <> '' and ${usesCodeSql("pg_attrdef", "f.oid")}) then 'GENERATED'
    when exists (select from pg_catalog.pg_inherits h where h.inhrelid = c.oid) then 'INHERITING'
    when c.relrowsecurity or exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid) then 'ROW_SECURED'
  end`;

/**
 * Whether a constraint `k` of a table `c` has more than documents describe: it is deferrable, MATCH FULL, SET NULL of some
 * columns only, NO INHERIT, calls code of the database's users, has further columns, or, from PostgreSQL 18 on, is NOT
 * ENFORCED or has a PERIOD.
 */
const isUnusualSql = `(
      k.condeferrable or k.confmatchtype = 'f' or k.confdelsetcols is not null or k.contype = 'c' and k.connoinherit
      or ${usesCodeSql("pg_constraint", "k.oid")} and k.contype = 'c'
      or (pg_catalog.to_jsonb(k) ->> 'conenforced'::text = 'false') is true or (pg_catalog.to_jsonb(k) ->> 'conperiod'::text = 'true') is true
      or exists (select from pg_catalog.pg_index x where x.indexrelid = k.conindid and k.contype in ('p', 'u')
                 and x.indnatts <> x.indnkeyatts))`;

/** Whether the index of a constraint `k` has a mark of its own, which its table names. */
const isMarkedSql = `exists (select from pg_catalog.pg_index x where x.indexrelid = k.conindid and k.contype in ('p', 'u')
    and (x.indisclustered or x.indisreplident))`;

const constraintsSql = (condition: string): string => `(
    select coalesce(pg_catalog.json_agg(k.conname order by k.conname), '[]')
    from pg_catalog.pg_constraint k
    where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'f', 'c') and ${condition})`;

/** Whether columns, expressions and their order describe the index `x` with the record `i` of a relation `c`. */
export const plainIndexSql = `
      x.indnatts = x.indnkeyatts and not x.indnullsnotdistinct and i.reloptions is null and not exists (
        select from generate_series(0, x.indnkeyatts - 1) k
        join pg_catalog.pg_opclass o on o.oid = x.indclass[k]
        left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[k] and a.attnum > 0
        where not o.opcdefault or a.attcollation <> x.indcollation[k])`;

/** The same of a materialized view `c`, whose document lists columns and nothing else. */
export const plainViewIndexSql = `(${plainIndexSql}
      and x.indexprs is null and x.indpred is null and x.indisvalid and not x.indisclustered and not x.indisreplident
      and not exists (select from generate_series(0, x.indnkeyatts - 1) k where x.indoption[k] <> 0)
      and exists (select from pg_catalog.pg_am m where m.oid = i.relam and m.amname = 'btree'))`;

/** What a table or a view `c` can have, and documents do not describe. */
const attachedSql = `
      select 'trigger ' || t.tgname as name from pg_catalog.pg_trigger t
        join pg_catalog.pg_proc p on p.oid = t.tgfoid join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
        where t.tgrelid = c.oid and not t.tgisinternal and pn.nspname <> 'system'
      union all select 'rule ' || r.rulename from pg_catalog.pg_rewrite r
        where r.ev_class = c.oid and r.rulename <> '_RETURN'
      union all select 'statistics ' || s.stxname from pg_catalog.pg_statistic_ext s where s.stxrelid = c.oid
      union all select 'options ' || pg_catalog.array_to_string(c.reloptions, ', ') where c.reloptions is not null`;

/** What a view `c` has besides its SELECT, comment and plain indexes. */
export const viewOthersSql = `(
    select coalesce(pg_catalog.json_agg(o.name order by o.name collate "C"), '[]') from (${attachedSql}
      union all select 'index ' || i.relname from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid and not ${plainViewIndexSql}
      union all select 'default of ' || a.attname from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and c.relkind = 'v' and a.atthasdef
      union all select 'comment of ' || a.attname from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and col_description(c.oid, a.attnum) is not null
    ) o)`;

/** What a table `c` has besides columns, constraints and indexes, and documents do not describe: `trigger audit_rows`. */
const othersSql = `(
    select coalesce(pg_catalog.json_agg(o.name order by o.name collate "C"), '[]') from (${attachedSql}
      union all select 'policy ' || p.polname from pg_catalog.pg_policy p where p.polrelid = c.oid
      union all select 'row security' where c.relrowsecurity
      union all select 'unlogged' where c.relpersistence = 'u'
      union all select 'replica identity' where c.relreplident <> 'd' and c.relkind in ('r', 'p')
      union all select 'access method ' || m.amname from pg_catalog.pg_am m where m.oid = c.relam and m.amname <> 'heap' and c.relkind = 'r'
      union all select 'tablespace' where c.reltablespace <> 0
      union all select 'clustered ' || i.relname from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid and x.indisclustered
      union all select 'collation of ' || a.attname
        from pg_catalog.pg_attribute a join pg_catalog.pg_type y on y.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attcollation <> y.typcollation
      union all select 'storage of ' || a.attname
        from pg_catalog.pg_attribute a join pg_catalog.pg_type y on y.oid = a.atttypid
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and (a.attstorage <> y.typstorage or a.attcompression <> '' or a.attoptions is not null)
      union all select 'virtual ' || a.attname from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = 'v'
      union all select 'sequence of ' || a.attname
        from pg_catalog.pg_depend d join pg_catalog.pg_sequence q on q.seqrelid = d.objid
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
        where d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid
          and d.deptype in ('a', 'i') and not (
            q.seqstart = 1 and q.seqincrement = 1 and q.seqmin = 1 and not q.seqcycle and q.seqcache = 1 and q.seqtypid = a.atttypid
            and q.seqmax = case q.seqtypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647 else 9223372036854775807 end)
    ) o)`;

/** The columns of a table `c` that take their values from a sequence of their own, as `serial` makes them. */
const serialsSql = `(
    select coalesce(pg_catalog.json_agg(a.attname order by a.attnum), '[]')
    from pg_catalog.pg_depend d join pg_catalog.pg_class q on q.oid = d.objid and q.relkind = 'S'
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    join pg_catalog.pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum
    where d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid
      and d.deptype = 'a' and a.attnotnull and a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)
      and pg_get_expr(f.adbin, f.adrelid) = format('nextval(%L::regclass)', q.oid::regclass::text))`;

/** The defaults of a table `c` that take their values from code of the database's users or from a sequence, by column. */
const codedDefaultsSql = `(
    select coalesce(pg_catalog.json_object_agg(a.attname, pg_get_expr(f.adbin, f.adrelid) order by a.attnum), '{}')
    from pg_catalog.pg_attribute a join pg_catalog.pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum
    where a.attrelid = c.oid and a.attgenerated = '' and (${usesCodeSql("pg_attrdef", "f.oid")} or exists (
      select from pg_catalog.pg_depend d join pg_catalog.pg_class q on q.oid = d.refobjid and q.relkind = 'S'
      where d.classid = 'pg_catalog.pg_attrdef'::regclass and d.objid = f.oid and d.refclassid = 'pg_catalog.pg_class'::regclass)))`;

/** Members of the JSON of a table that only documents read. */
export const documentedSql = `
  'uncarried', ${uncarriedSql}, 'unusualConstraints', ${constraintsSql(`(${isUnusualSql} or ${isMarkedSql})`)},
  'markedConstraints', ${constraintsSql(`(${isMarkedSql} and not ${isUnusualSql})`)}, 'others', ${othersSql},
  'serials', ${serialsSql}, 'codedDefaults', ${codedDefaultsSql},`;
