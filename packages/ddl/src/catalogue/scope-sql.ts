/** The statementStages of statements, in the order of their creation; within a file, they stand in this order. */
export const statementStages = {
  ...{ schema: 10, sequence: 20, type: 30, typePart: 31, function: 40, aggregate: 41 },
  ...{ table: 50, inherited: 51, persistence: 52, collation: 53, identity: 54, default: 55 },
  ...{ constraint: 60, index: 61, keyName: 62, partition: 65, foreignKey: 66, owner: 67 },
  ...{ view: 70, viewOptions: 71, viewDefault: 72, viewIndex: 73 },
  ...{ trigger: 80, triggerState: 81, rule: 82, ruleState: 83, policy: 84, rowSecurity: 85 },
  comment: 90,
} as const;

/** Whether a schema `n` is one of users, and one of `$1`, a list as JSON; null means all. */
export const isUserSchemaSql = `n.nspname !~ '^pg_|^(information_schema|system|rowhouse_queue)$'::text
  and ($1::text is null or n.nspname in (select pg_catalog.json_array_elements_text($1::text::json)))`;

/** Whether an object belongs to no extension, and its owner's objects to the service's login. */
export const isOwnSql = (catalog: string, oid: string, owner: string): string => `not exists (
    select from pg_catalog.pg_depend e where e.classid = 'pg_catalog.${catalog}'::regclass and e.objid = ${oid} and e.deptype = 'e')
  and pg_catalog.pg_has_role(system.service_login(), ${owner}, 'USAGE')`;

/** The comment on an object, if it has one. */
export const commentSql = (catalog: string, oid: string, column = "0"): string => `
  join pg_catalog.pg_description d
    on d.classoid = 'pg_catalog.${catalog}'::regclass and d.objoid = ${oid} and d.objsubid = ${column}`;

/** The relations of users that the service's login owns. */
export const ownRelationsSql = `own as materialized (
  select c.*, n.nspname, pg_catalog.format('%I.%I', n.nspname, c.relname) as id,
    (select count(*) from pg_catalog.pg_partition_ancestors(c.oid)) as depth
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm') and c.relpersistence <> 't' and ${isUserSchemaSql}
    and ${isOwnSql("pg_class", "c.oid", "c.relowner")})`;

/** Whether an object uses a function, an operator or a sequence of the database's users. */
export const usesCodeSql = (catalog: string, oid: string): string => `exists (
    select from pg_catalog.pg_depend u where u.classid = 'pg_catalog.${catalog}'::regclass and u.objid = ${oid}
      and (u.refclassid in ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass) or exists (
        select from pg_catalog.pg_class q where u.refclassid = 'pg_catalog.pg_class'::regclass and q.oid = u.refobjid and q.relkind = 'S')))`;

/** The options of a sequence `q` (pg_sequence) after a word: `SET `, or nothing. */
export const sequenceOptionsSql = (word = ""): string => `pg_catalog.format(
    '${word}START WITH %s ${word}INCREMENT BY %s ${word}MINVALUE %s ${word}MAXVALUE %s ${word}CACHE %s ${word}%s',
    q.seqstart, q.seqincrement, q.seqmin, q.seqmax, q.seqcache, case when q.seqcycle then 'CYCLE' else 'NO CYCLE' end)`;

/** The schema in which PostgreSQL writes the statements of files. */
export const scratch = "rowhouse_written";
