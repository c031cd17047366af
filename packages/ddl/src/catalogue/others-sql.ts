import {
  commentSql,
  isOwnSql,
  isUserSchemaSql,
  sequenceOptionsSql,
  statementStages,
} from "./scope-sql.ts";

const schemasSql = `schemas as materialized (
  select n.oid, n.nspname, n.nspowner from pg_catalog.pg_namespace n
  where ${isUserSchemaSql} and not exists (
    select from pg_catalog.pg_depend e where e.classid = 'pg_catalog.pg_namespace'::regclass and e.objid = n.oid and e.deptype = 'e'))`;

/** A schema has a file if it has a comment of its own, or nothing else. */
const schemaSql = `
  select n.nspname, null::name, ${statementStages.schema}, 'ANY', null::text, pg_catalog.format('CREATE SCHEMA %I', n.nspname), 0, true, false, null::json
  from schemas n where n.nspname <> 'public' and pg_catalog.pg_has_role(system.service_login(), n.nspowner, 'USAGE') and not exists (select from pg_catalog.pg_class c where c.relnamespace = n.oid)
    and not exists (select from pg_catalog.pg_type t where t.typnamespace = n.oid) and not exists (select from pg_catalog.pg_proc p where p.pronamespace = n.oid)
  union all
  select n.nspname, null, ${statementStages.comment}, 'ANY', null, pg_catalog.format('COMMENT ON SCHEMA %I IS %L', n.nspname, d.description), 0, false, false, null::json
  from schemas n ${commentSql("pg_namespace", "n.oid")}
  where pg_catalog.pg_has_role(system.service_login(), n.nspowner, 'USAGE') and not (n.nspname = 'public' and d.description = 'standard public schema')`;

/** A sequence with the column of a table that owns it. */
const sequencesSql = `sequences as materialized (
  select n.nspname, c.relname, c.oid, c.relpersistence, pg_catalog.format('%I.%I', n.nspname, c.relname) as id, q.seqtypid, ${sequenceOptionsSql()} as options, w.owner,
    case when w.owner is not null then pg_catalog.format('%s.%I', (w.owner ->> 'oid')::oid::regclass, w.owner ->> 'column') end as column
  from schemas n join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relkind = 'S' and c.relpersistence <> 't'
  join pg_catalog.pg_sequence q on q.seqrelid = c.oid
  left join lateral (
    select pg_catalog.json_build_object('oid', t.oid::bigint, 'schema', m.nspname, 'name', t.relname, 'column', a.attname) as owner
    from pg_catalog.pg_depend d join pg_catalog.pg_class t on t.oid = d.refobjid join pg_catalog.pg_namespace m on m.oid = t.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_catalog.pg_class'::regclass and d.deptype = 'a' limit 1) w on true
  where ${isOwnSql("pg_class", "c.oid", "c.relowner")} and not exists (
    select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'i'))`;

const sequenceSql = `
  select s.nspname, s.relname, ${statementStages.sequence}, 'ANY', null,
    pg_catalog.format('CREATE %sSEQUENCE %s AS %s %s', case when s.relpersistence = 'u' then 'UNLOGGED ' else '' end, s.id, s.seqtypid::regtype, s.options), 0, false, false, s.owner
  from sequences s
  union all
  select s.nspname, s.relname, ${statementStages.owner}, 'ANY', null, pg_catalog.format('ALTER SEQUENCE %s OWNED BY %s', s.id, s.column), 0, false, false, s.owner
  from sequences s where s.owner is not null
  union all
  select s.nspname, s.relname, ${statementStages.comment}, 'ANY', null, pg_catalog.format('COMMENT ON SEQUENCE %s IS %L', s.id, d.description), 0, false, false, s.owner
  from sequences s ${commentSql("pg_class", "s.oid")}`;

const typesSql = `types as materialized (
  select t.*, n.nspname, pg_catalog.format('%I.%I', n.nspname, t.typname) as id
  from schemas n join pg_catalog.pg_type t on t.typnamespace = n.oid
  left join pg_catalog.pg_class c on c.oid = t.typrelid
  where t.typtype in ('d', 'c', 'r', 'e') and coalesce(c.relkind, 'c') = 'c' and ${isOwnSql("pg_type", "t.oid", "t.typowner")})`;

const collationSql = (own: string, type: string): string =>
  `case when ${own} <> 0 and ${own} <> ${type}.typcollation then ' COLLATE ' || ${own}::regcollation::text else '' end`;

const typeSql = `
  select t.nspname, t.typname, ${statementStages.type}, 'ANY', null, pg_catalog.format('CREATE DOMAIN %s AS %s%s', t.id, format_type(t.typbasetype, t.typtypmod), ${collationSql("t.typcollation", "b")}), 0, false, false, null
  from types t join pg_catalog.pg_type b on b.oid = t.typbasetype where t.typtype = 'd'
  union all
  select t.nspname, t.typname, ${statementStages.typePart}, 'ANY', null, pg_catalog.format('ALTER DOMAIN %s SET DEFAULT %s', t.id, pg_get_expr(t.typdefaultbin, 0)), 0, false, false, null
  from types t where t.typtype = 'd' and t.typdefaultbin is not null
  union all
  select t.nspname, t.typname, ${statementStages.typePart}, 'ANY', null, pg_catalog.format('ALTER DOMAIN %s SET NOT NULL', t.id), 0, false, false, null
  from types t where t.typtype = 'd' and t.typnotnull
  union all
  select t.nspname, t.typname, ${statementStages.typePart}, 'ANY', null, pg_catalog.format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', t.id, k.conname, pg_get_constraintdef(k.oid)), 0, false, false, null
  from types t join pg_catalog.pg_constraint k on k.contypid = t.oid and k.contype = 'c'
  union all
  select t.nspname, t.typname, ${statementStages.comment}, 'ANY', null, pg_catalog.format('COMMENT ON CONSTRAINT %I ON DOMAIN %s IS %L', k.conname, t.id, d.description), 0, false, false, null
  from types t join pg_catalog.pg_constraint k on k.contypid = t.oid and k.contype = 'c' ${commentSql("pg_constraint", "k.oid")}
  union all
  select t.nspname, t.typname, ${statementStages.type}, 'ANY', null, pg_catalog.format(E'CREATE TYPE %s AS (%s)', t.id, (
    select E'\\n    ' || pg_catalog.string_agg(pg_catalog.format('%I %s%s', a.attname, format_type(a.atttypid, a.atttypmod), ${collationSql("a.attcollation", "y")}), E',\\n    ' order by a.attnum) || E'\\n'
    from pg_catalog.pg_attribute a join pg_catalog.pg_type y on y.oid = a.atttypid where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)), 0, false, false, null
  from types t where t.typtype = 'c'
  union all
  select t.nspname, t.typname, ${statementStages.comment}, 'ANY', null, pg_catalog.format('COMMENT ON COLUMN %s.%I IS %L', t.id, a.attname, d.description), 0, false, false, null
  from types t join pg_catalog.pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0 ${commentSql("pg_class", "t.typrelid", "a.attnum")} where t.typtype = 'c'
  union all
  select t.nspname, t.typname, ${statementStages.type}, 'ANY', null, pg_catalog.format('CREATE TYPE %s AS RANGE (SUBTYPE = %s, SUBTYPE_OPCLASS = %I.%I%s%s%s, MULTIRANGE_TYPE_NAME = %s)',
    t.id, format_type(r.rngsubtype, null), p.nspname, o.opcname, case when r.rngcollation <> 0 then ', COLLATION = ' || r.rngcollation::regcollation::text end,
    case when r.rngcanonical <> 0 then ', CANONICAL = ' || r.rngcanonical::regproc::text end,
    case when r.rngsubdiff <> 0 then ', SUBTYPE_DIFF = ' || r.rngsubdiff::regproc::text end, r.rngmultitypid::regtype), 0, false, false, null
  from types t join pg_catalog.pg_range r on r.rngtypid = t.oid join pg_catalog.pg_opclass o on o.oid = r.rngsubopc join pg_catalog.pg_namespace p on p.oid = o.opcnamespace
  union all
  select t.nspname, t.typname, ${statementStages.comment}, 'ANY', null, pg_catalog.format('COMMENT ON %s %s IS %L', case t.typtype when 'd' then 'DOMAIN' else 'TYPE' end, t.id, d.description), 0, false, false, null
  from types t ${commentSql("pg_type", "t.oid")}`;

const functionsSql = `functions as materialized (
  select p.*, n.nspname, l.lanname, pg_catalog.format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as id
  from schemas n join pg_catalog.pg_proc p on p.pronamespace = n.oid join pg_catalog.pg_language l on l.oid = p.prolang
  where ${isOwnSql("pg_proc", "p.oid", "p.proowner")} and (l.lanname not in ('c', 'internal') or p.prokind = 'a')
    and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i'))`;

const option = (name: string, condition: string, value: string): string =>
  `case when ${condition} then E',\\n    ${name} = ' || ${value} else '' end`;
const functionOption = (name: string, column: string): string =>
  option(name, `g.${column} <> 0`, `g.${column}::regproc::text`);

const functionSql = `
  select p.nspname, p.proname, ${statementStages.function}, 'ANY', null, rtrim(pg_get_functiondef(p.oid), E'\\n'), 0, false, p.prosecdef, null
  from functions p where p.prokind in ('f', 'p', 'w')
  union all
  select p.nspname, p.proname, ${statementStages.aggregate}, 'ANY', null, pg_catalog.format('CREATE AGGREGATE %I.%I(%s) (', p.nspname, p.proname,
      case when p.pronargs = 0 then '*' else pg_get_function_arguments(p.oid) end) || E'\\n    SFUNC = ' || g.aggtransfn::regproc::text || E',\\n    STYPE = ' || format_type(g.aggtranstype, null)
    || ${[
      option("SSPACE", "g.aggtransspace <> 0", "g.aggtransspace::text"),
      functionOption("FINALFUNC", "aggfinalfn"),
      option("FINALFUNC_EXTRA", "g.aggfinalextra", "'true'"),
      option(
        "FINALFUNC_MODIFY",
        "g.aggfinalfn <> 0 and g.aggfinalmodify <> case when g.aggkind = 'n' then 'r' else 'w' end",
        "case g.aggfinalmodify when 'r' then 'READ_ONLY' when 's' then 'SHAREABLE' else 'READ_WRITE' end",
      ),
      functionOption("COMBINEFUNC", "aggcombinefn"),
      functionOption("SERIALFUNC", "aggserialfn"),
      functionOption("DESERIALFUNC", "aggdeserialfn"),
      option("INITCOND", "g.agginitval is not null", "quote_literal(g.agginitval)"),
      functionOption("MSFUNC", "aggmtransfn"),
      functionOption("MINVFUNC", "aggminvtransfn"),
      option("MSTYPE", "g.aggmtranstype <> 0", "format_type(g.aggmtranstype, null)"),
      option("MSSPACE", "g.aggmtransspace <> 0", "g.aggmtransspace::text"),
      functionOption("MFINALFUNC", "aggmfinalfn"),
      option("MFINALFUNC_EXTRA", "g.aggmfinalextra", "'true'"),
      option("MINITCOND", "g.aggminitval is not null", "quote_literal(g.aggminitval)"),
      option(
        "SORTOP",
        "g.aggsortop <> 0",
        "(select pg_catalog.format('OPERATOR(%I.%s)', k.nspname, o.oprname) from pg_catalog.pg_operator o join pg_catalog.pg_namespace k on k.oid = o.oprnamespace where o.oid = g.aggsortop)",
      ),
      option(
        "PARALLEL",
        "p.proparallel <> 'u'",
        "case p.proparallel when 's' then 'SAFE' else 'RESTRICTED' end",
      ),
      `case when g.aggkind = 'h' then E',\\n    HYPOTHETICAL' else '' end`,
    ].join(" || ")} || E'\\n)', 0, false, false, null
  from functions p join pg_catalog.pg_aggregate g on g.aggfnoid = p.oid
  union all
  select p.nspname, p.proname, ${statementStages.comment}, 'ANY', null, pg_catalog.format('COMMENT ON %s %s IS %L', case p.prokind when 'a' then 'AGGREGATE' when 'p' then 'PROCEDURE' else 'FUNCTION' end,
    case when p.prokind = 'a' and p.pronargs = 0 then pg_catalog.format('%I.%I(*)', p.nspname, p.proname) else p.id end, d.description), 0, false, false, null
  from functions p ${commentSql("pg_proc", "p.oid")}`;

/** Each statement of a schema, a type, a sequence or a function, with its place; see `CatalogueStatement`. */
export const otherStatementsSql = `with ${[schemasSql, sequencesSql, typesSql, functionsSql].join(", ")},
  statements (schema, name, stage, scope, object, sql, depth, implied, definer, owner) as (${[schemaSql, sequenceSql, typeSql, functionSql].join("\n  union all")})
select schema, name, stage, scope, object, sql, depth, implied, definer, owner::text as owner from statements`;

const classOf = (catalog: string, namespace: string, more = "true"): string => `
  select '${catalog}'::regclass as classid, x.oid as objid, '' as kind from pg_catalog.${catalog} x
  join pg_catalog.pg_namespace n on n.oid = x.${namespace} where ${isUserSchemaSql} and ${more}`;

/**
 * What users' schemas have and no document: base types, operators, functions in C, objects of other logins, privileges of
 * functions and the like; and the columns that have a sequence of their own, as `serial` makes them, which documents describe
 * as identities.
 */
export const uncarriedSql = `with found (classid, objid, kind) as (${[
  classOf("pg_operator", "oprnamespace"),
  classOf("pg_opclass", "opcnamespace"),
  classOf("pg_opfamily", "opfnamespace"),
  classOf("pg_collation", "collnamespace"),
  classOf("pg_conversion", "connamespace"),
  classOf("pg_ts_config", "cfgnamespace"),
  classOf("pg_ts_dict", "dictnamespace"),
  classOf("pg_ts_parser", "prsnamespace"),
  classOf("pg_ts_template", "tmplnamespace"),
  classOf(
    "pg_type",
    "typnamespace",
    "(x.typtype = 'b' and x.typelem = 0 or x.typtype in ('d', 'r') and not pg_catalog.pg_has_role(system.service_login(), x.typowner, 'USAGE'))",
  ),
  classOf(
    "pg_proc",
    "pronamespace",
    "(x.prokind <> 'a' and x.prolang in (select l.oid from pg_catalog.pg_language l where l.lanname in ('c', 'internal')) and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = x.oid and d.deptype = 'i') or not pg_catalog.pg_has_role(system.service_login(), x.proowner, 'USAGE'))",
  ),
].join(" union all ")}
  union all select 'pg_proc'::regclass, x.oid, 'privileges of ' from pg_catalog.pg_proc x join pg_catalog.pg_namespace n on n.oid = x.pronamespace where ${isUserSchemaSql} and x.proacl is not null
  union all select 'pg_cast'::regclass, x.oid, '' from pg_catalog.pg_cast x join pg_catalog.pg_proc p on p.oid = x.castfunc join pg_catalog.pg_namespace n on n.oid = p.pronamespace where ${isUserSchemaSql}
    and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_cast'::regclass and d.objid = x.oid and d.deptype = 'i'))
select coalesce(i.schema, '') as schema, coalesce(i.name, '') as name, f.kind || i.type || ' ' || i.identity as text, false as "isSerial"
from found f, pg_catalog.pg_identify_object(f.classid, f.objid, 0) i
where not exists (select from pg_catalog.pg_depend e where e.classid = f.classid and e.objid = f.objid and e.deptype = 'e')
union all
select n.nspname, c.relname, pg_catalog.format('serial %I.%I.%I', n.nspname, c.relname, a.attname), true
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_catalog.pg_attrdef f on f.adrelid = c.oid and f.adnum = a.attnum
where c.relkind in ('r', 'p') and ${isUserSchemaSql} and a.attnotnull and exists (
  select from pg_catalog.pg_depend d join pg_catalog.pg_class q on q.oid = d.objid and q.relkind = 'S'
  where d.classid = 'pg_catalog.pg_class'::regclass and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = c.oid and d.refobjsubid = a.attnum
    and d.deptype = 'a' and pg_get_expr(f.adbin, f.adrelid) = pg_catalog.format('nextval(%L::regclass)', q.oid::regclass::text))`;

/** The extensions of the database, but for PostgreSQL's own language. */
export const extensionsSql = `select x.extname as name, x.extversion as version, n.nspname as schema
from pg_catalog.pg_extension x join pg_catalog.pg_namespace n on n.oid = x.extnamespace where x.extname <> 'plpgsql' order by x.extname collate "C"`;

/** Whether the service's login may create an extension (`$1`) of a version (`$2`). */
export const creatableExtensionSql = `select v.name from pg_catalog.pg_available_extension_versions v
where v.name = $1::text and v.version = $2::text and (
  v.trusted and pg_catalog.has_database_privilege(system.service_login(), current_database(), 'CREATE')
  or (select r.rolsuper from pg_catalog.pg_roles r where r.rolname = system.service_login()))`;
