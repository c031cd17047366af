import {
  commentSql,
  ownRelationsSql,
  sequenceOptionsSql,
  statementStages,
  usesCodeSql,
} from "./scope-sql.ts";

/** A column of a new table: its type, collation, identity, value and NOT NULL. */
const columnSql = `pg_catalog.format('%I ', a.attname) || case when o.reloftype <> 0 then 'WITH OPTIONS'
      else format_type(a.atttypid, a.atttypmod) end
    || case when a.attcollation <> y.typcollation and o.reloftype = 0 then ' COLLATE ' || a.attcollation::regcollation::text else '' end
    || case when a.attidentity <> '' and not o.relispartition then pg_catalog.format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s %s)',
        case a.attidentity when 'a' then 'ALWAYS' else 'BY DEFAULT' end, s.seqrelid::regclass, s.options) else '' end
    || case when a.attgenerated <> '' then pg_catalog.format(' GENERATED ALWAYS AS (%s) %s', pg_get_expr(f.adbin, f.adrelid),
        case a.attgenerated when 'v' then 'VIRTUAL' else 'STORED' end)
      when f.oid is not null and not ${usesCodeSql("pg_attrdef", "f.oid")} then ' DEFAULT ' || pg_get_expr(f.adbin, f.adrelid) else '' end
    || case when a.attnotnull then ' NOT NULL' else '' end`;

/** The sequence of a column `a` of a relation `o`, by a dependence. */
const sequenceOf = (dependence: string): string => `(
    select q.*, ${sequenceOptionsSql()} as options, ${sequenceOptionsSql("SET ")} as changes, c.relname, c.relnamespace
    from pg_catalog.pg_depend p join pg_catalog.pg_sequence q on q.seqrelid = p.objid join pg_catalog.pg_class c on c.oid = q.seqrelid
    where p.classid = 'pg_catalog.pg_class'::regclass and p.refclassid = 'pg_catalog.pg_class'::regclass
      and p.refobjid = o.oid and p.refobjsubid = a.attnum and p.deptype in (${dependence}) limit 1)`;

const columnsOf = `pg_catalog.pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped`;

/** Whether a column stands in the statement that creates its table: others are inherited, or those of its type. */
const isWrittenSql = `(a.attislocal or o.relispartition) and (o.reloftype = 0 or a.attnotnull or f.oid is not null)`;

/** The columns that a document describes as identities: those of `serial` too. */
const identities = `from own o join ${columnsOf} join lateral ${sequenceOf("'a', 'i'")} q on true
  left join pg_catalog.pg_attrdef f on f.adrelid = o.oid and f.adnum = a.attnum
  where o.relkind in ('r', 'p') and not o.relispartition and (a.attidentity <> '' or a.attnotnull and a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype)
      and pg_get_expr(f.adbin, f.adrelid) = pg_catalog.format('nextval(%L::regclass)', q.seqrelid::regclass::text))`;

const tableSql = `
  select o.nspname, o.relname, ${statementStages.table}, 'WHOLE', null,
    pg_catalog.format('CREATE %sTABLE %s%s%s%s%s', case when o.relpersistence = 'u' then 'UNLOGGED ' else '' end, o.id,
      case when o.reloftype <> 0 then ' OF ' || o.reloftype::regtype::text else '' end,
      coalesce(E' (\\n    ' || (
        select pg_catalog.string_agg(${columnSql}, E',\\n    ' order by a.attnum)
        from pg_catalog.pg_attribute a join pg_catalog.pg_type y on y.oid = a.atttypid
        left join pg_catalog.pg_attrdef f on f.adrelid = o.oid and f.adnum = a.attnum
        left join lateral ${sequenceOf("'i'")} s on true
        where a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped and ${isWrittenSql}) || E'\\n)',
        case when o.reloftype = 0 then ' ()' else '' end),
      case when not o.relispartition then (select E'\\nINHERITS (' || pg_catalog.string_agg(h.inhparent::regclass::text, ', ' order by h.inhseqno) || ')'
        from pg_catalog.pg_inherits h where h.inhrelid = o.oid) end,
      case when o.relkind = 'p' then E'\\nPARTITION BY ' || pg_get_partkeydef(o.oid) end), o.depth, false
  from own o where o.relkind in ('r', 'p')
  union all
  select o.nspname, o.relname, ${statementStages.inherited}, 'WHOLE', null, pg_catalog.format('ALTER TABLE ONLY %s ALTER COLUMN %I SET NOT NULL', o.id, a.attname), o.depth, false
  from own o join ${columnsOf}
  where o.relkind = 'r' and not o.relispartition and not a.attislocal and a.attnotnull and not exists (
    select from pg_catalog.pg_inherits h join pg_catalog.pg_attribute b on b.attrelid = h.inhparent
    where h.inhrelid = o.oid and b.attname = a.attname and b.attnotnull)
  union all
  select o.nspname, o.relname, ${statementStages.persistence}, 'PART', 'unlogged', pg_catalog.format('ALTER TABLE %s SET UNLOGGED', o.id), o.depth, false
  from own o where o.relkind in ('r', 'p') and o.relpersistence = 'u'
  union all
  select o.nspname, o.relname, ${statementStages.collation}, 'PART', 'collation of ' || a.attname,
    pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I SET DATA TYPE %s COLLATE %s', o.id, a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation), o.depth, false
  from own o join ${columnsOf} join pg_catalog.pg_type y on y.oid = a.atttypid
  where o.relkind in ('r', 'p') and a.attcollation <> y.typcollation
  union all
  select o.nspname, o.relname, ${statementStages.identity}, 'PART', 'sequence of ' || a.attname,
    pg_catalog.format('ALTER TABLE %s ALTER COLUMN %I %s', o.id, a.attname, q.changes), o.depth, false
  ${identities} and not (q.seqstart = 1 and q.seqincrement = 1 and q.seqmin = 1 and not q.seqcycle and q.seqcache = 1 and q.seqtypid = a.atttypid
    and q.seqmax = case q.seqtypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647 else 9223372036854775807 end)
  union all
  select o.nspname, o.relname, ${statementStages.keyName}, 'PART', null,
    pg_catalog.format('ALTER SEQUENCE %I.%I RENAME TO %I', o.nspname, o.relname || '_' || a.attname || '_seq', q.relname), o.depth, false
  ${identities} and octet_length(o.relname || a.attname) <= 58 and q.relname <> o.relname || '_' || a.attname || '_seq'
  union all
  select o.nspname, o.relname, ${statementStages.default}, case when ${usesCodeSql("pg_attrdef", "f.oid")} then 'BOTH' when o.relispartition or a.attislocal then 'OBJECT' else 'WHOLE' end,
    'default of ' || a.attname, pg_catalog.format('ALTER TABLE ONLY %s ALTER COLUMN %I SET DEFAULT %s', o.id, a.attname, pg_get_expr(f.adbin, f.adrelid)),
    o.depth, not a.attislocal and not o.relispartition
  from own o join ${columnsOf} join pg_catalog.pg_attrdef f on f.adrelid = o.oid and f.adnum = a.attnum
  where o.relkind in ('r', 'p') and a.attgenerated = ''
  union all
  select o.nspname, o.relname, ${statementStages.partition}, 'WHOLE', null,
    pg_catalog.format('ALTER TABLE ONLY %s ATTACH PARTITION %s %s', h.inhparent::regclass, o.id, pg_get_expr(o.relpartbound, o.oid)), o.depth, false
  from own o join pg_catalog.pg_inherits h on h.inhrelid = o.oid where o.relispartition`;

/** Whether a constraint `k` belongs to one of a partition that its foreign key refers to: PostgreSQL creates it. */
const isInternalSql = `exists (select from pg_catalog.pg_constraint r where r.oid = k.conparentid and r.conrelid = k.conrelid)`;

const constraintsSql = `
  select o.nspname, o.relname, case k.contype when 'f' then ${statementStages.foreignKey} else ${statementStages.constraint} end, 'BOTH', k.conname,
    pg_catalog.format('ALTER TABLE %s ADD CONSTRAINT %I %s', o.id, k.conname, pg_get_constraintdef(k.oid)), o.depth, k.conparentid <> 0 or not k.conislocal
  from own o join pg_catalog.pg_constraint k on k.conrelid = o.oid and k.contype in ('p', 'u', 'x', 'f', 'c')
  where (k.conislocal or o.relispartition) and not ${isInternalSql}
  union all
  select o.nspname, o.relname, ${statementStages.keyName}, 'DESCRIBED', k.conname,
    pg_catalog.format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', o.id, o.relname || '_pkey', k.conname), o.depth, false
  from own o join pg_catalog.pg_constraint k on k.conrelid = o.oid and k.contype = 'p'
  where octet_length(o.relname) <= 58 and k.conname <> o.relname || '_pkey'
  union all
  select o.nspname, o.relname, case when o.relkind = 'm' then ${statementStages.viewIndex} else ${statementStages.index} end, 'BOTH',
    case when o.relkind = 'm' then 'index ' else '' end || i.relname,
    pg_catalog.regexp_replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON '), o.depth,
    exists (select from pg_catalog.pg_inherits h where h.inhrelid = x.indexrelid)
  from own o join pg_catalog.pg_index x on x.indrelid = o.oid join pg_catalog.pg_class i on i.oid = x.indexrelid
  where o.relkind in ('r', 'p', 'm') and x.indisvalid
    and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid and k.conrelid = o.oid and k.contype in ('p', 'u', 'x'))`;

const viewsSql = `
  select o.nspname, o.relname, ${statementStages.view}, 'WHOLE', null,
    pg_catalog.format(E'CREATE %s %s AS\\n%s%s', case o.relkind when 'm' then 'MATERIALIZED VIEW' else 'VIEW' end, o.id,
      rtrim(pg_get_viewdef(o.oid, true), ';'), case o.relkind when 'm' then E'\\nWITH NO DATA' else '' end), 0, false
  from own o where o.relkind in ('v', 'm')
  union all
  select o.nspname, o.relname, ${statementStages.viewOptions}, 'ANY', 'options ' || pg_catalog.array_to_string(o.reloptions, ', '),
    pg_catalog.format('ALTER VIEW %s SET (%s)', o.id, (
      select pg_catalog.string_agg(pg_catalog.format('%I = %L', split_part(x, '=', 1), substr(x, strpos(x, '=') + 1)), ', ' order by x collate "C") from unnest(o.reloptions) x)), 0, false
  from own o where o.relkind = 'v' and o.reloptions is not null
  union all
  select o.nspname, o.relname, ${statementStages.viewDefault}, 'ANY', 'default of ' || a.attname,
    pg_catalog.format('ALTER VIEW %s ALTER COLUMN %I SET DEFAULT %s', o.id, a.attname, pg_get_expr(f.adbin, f.adrelid)), 0, false
  from own o join ${columnsOf} join pg_catalog.pg_attrdef f on f.adrelid = o.oid and f.adnum = a.attnum where o.relkind = 'v'`;

const guardsSql = `
  select o.nspname, o.relname, ${statementStages.trigger}, 'ANY', 'trigger ' || t.tgname, pg_get_triggerdef(t.oid), o.depth, false
  from own o join pg_catalog.pg_trigger t on t.tgrelid = o.oid and not t.tgisinternal and t.tgparentid = 0
  join pg_catalog.pg_proc p on p.oid = t.tgfoid join pg_catalog.pg_namespace s on s.oid = p.pronamespace where s.nspname <> 'system'
  union all
  select o.nspname, o.relname, ${statementStages.triggerState}, 'ANY', 'trigger ' || t.tgname,
    pg_catalog.format('ALTER TABLE %s %s TRIGGER %I', o.id, case t.tgenabled when 'O' then 'ENABLE' when 'D' then 'DISABLE' when 'R' then 'ENABLE REPLICA' else 'ENABLE ALWAYS' end, t.tgname), o.depth, false
  from own o join pg_catalog.pg_trigger t on t.tgrelid = o.oid and not t.tgisinternal
  left join pg_catalog.pg_trigger u on u.oid = t.tgparentid and u.tgenabled <> t.tgenabled
  join pg_catalog.pg_proc p on p.oid = t.tgfoid join pg_catalog.pg_namespace s on s.oid = p.pronamespace where s.nspname <> 'system'
  and (u.oid is not null or t.tgparentid = 0 and t.tgenabled <> 'O')
  union all
  select o.nspname, o.relname, ${statementStages.rule}, 'ANY', 'rule ' || r.rulename, rtrim(pg_get_ruledef(r.oid), ';'), o.depth, false
  from own o join pg_catalog.pg_rewrite r on r.ev_class = o.oid and r.rulename <> '_RETURN'
  union all
  select o.nspname, o.relname, ${statementStages.ruleState}, 'ANY', 'rule ' || r.rulename,
    pg_catalog.format('ALTER TABLE %s %s RULE %I', o.id, case r.ev_enabled when 'D' then 'DISABLE' when 'R' then 'ENABLE REPLICA' else 'ENABLE ALWAYS' end, r.rulename), o.depth, false
  from own o join pg_catalog.pg_rewrite r on r.ev_class = o.oid and r.rulename <> '_RETURN' and r.ev_enabled <> 'O'
  union all
  select o.nspname, o.relname, ${statementStages.policy}, 'ANY', 'policy ' || p.polname,
    pg_catalog.format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', p.polname, o.id, case when p.polpermissive then 'PERMISSIVE' else 'RESTRICTIVE' end,
      case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE' else 'ALL' end,
      (select pg_catalog.string_agg(case when r = 0 then 'PUBLIC' else quote_ident(pg_get_userbyid(r)::text) end, ', ' order by pg_get_userbyid(r)) from unnest(p.polroles) r),
      E'\\n  USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', E'\\n  WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')'), o.depth, false
  from own o join pg_catalog.pg_policy p on p.polrelid = o.oid
  union all
  select o.nspname, o.relname, ${statementStages.rowSecurity}, 'ANY', 'row security', pg_catalog.format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', o.id), o.depth, false
  from own o where o.relrowsecurity
  union all
  select o.nspname, o.relname, ${statementStages.rowSecurity}, 'ANY', 'row security', pg_catalog.format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', o.id), o.depth, false
  from own o where o.relforcerowsecurity`;

const commentOn = (scope: string, object: string, what: string): string =>
  `select o.nspname, o.relname, ${statementStages.comment}, ${scope}, ${object}, pg_catalog.format('COMMENT ON %s IS %L', ${what}, d.description), o.depth, false`;

const kindSql =
  "case o.relkind when 'v' then 'VIEW ' when 'm' then 'MATERIALIZED VIEW ' else 'TABLE ' end";

const commentsSql = `
  ${commentOn("'WHOLE'", "null", `${kindSql} || o.id`)}
  from own o ${commentSql("pg_class", "o.oid")}
  union all
  ${commentOn("case when o.relkind in ('v', 'm') then 'ANY' else 'WHOLE' end", "'comment of ' || a.attname", "'COLUMN ' || pg_catalog.format('%s.%I', o.id, a.attname)")}
  from own o join ${columnsOf} ${commentSql("pg_class", "o.oid", "a.attnum")}
  union all
  ${commentOn("case when k.contype = 'c' then 'BOTH' else 'ANY' end", "k.conname", "pg_catalog.format('CONSTRAINT %I ON %s', k.conname, o.id)")}
  from own o join pg_catalog.pg_constraint k on k.conrelid = o.oid ${commentSql("pg_constraint", "k.oid")} where k.contype in ('p', 'u', 'x', 'f', 'c')
  union all
  ${commentOn("'ANY'", "case when o.relkind = 'm' then 'index ' else '' end || i.relname", "pg_catalog.format('INDEX %I.%I', o.nspname, i.relname)")}
  from own o join pg_catalog.pg_index x on x.indrelid = o.oid join pg_catalog.pg_class i on i.oid = x.indexrelid ${commentSql("pg_class", "i.oid")}
  union all
  ${commentOn("'ANY'", "'trigger ' || t.tgname", "pg_catalog.format('TRIGGER %I ON %s', t.tgname, o.id)")}
  from own o join pg_catalog.pg_trigger t on t.tgrelid = o.oid and not t.tgisinternal ${commentSql("pg_trigger", "t.oid")}
  union all
  ${commentOn("'ANY'", "'rule ' || r.rulename", "pg_catalog.format('RULE %I ON %s', r.rulename, o.id)")}
  from own o join pg_catalog.pg_rewrite r on r.ev_class = o.oid and r.rulename <> '_RETURN' ${commentSql("pg_rewrite", "r.oid")}
  union all
  ${commentOn("'ANY'", "'policy ' || p.polname", "pg_catalog.format('POLICY %I ON %s', p.polname, o.id)")}
  from own o join pg_catalog.pg_policy p on p.polrelid = o.oid ${commentSql("pg_policy", "p.oid")}`;

const names = "(schema, name, stage, scope, object, sql, depth, implied)";

/** Each statement of a relation, with its place; see `CatalogueStatement`. */
export const relationStatementsSql = `with ${ownRelationsSql},
  statements ${names} as (${[tableSql, constraintsSql, viewsSql, guardsSql, commentsSql].join("\n  union all")})
select *, false as definer, null as owner from statements`;
