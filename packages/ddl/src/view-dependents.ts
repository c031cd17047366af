import { arrayLiteral, type Queryable } from "@rowhouse/db";

/** A database object that cannot exist without a view. */
export interface Dependent {
  /** The name that Postgres uses for its kind: `view`, `materialized view`, `function`. */
  readonly kind: string;
  /** With its schema, quoted where necessary. */
  readonly name: string;
}

/**
 * Returns the direct dependents of a view, which Postgres requires to be dropped first.
 *
 * @param gone OIDs of relations that count as dropped
 */
export async function findDependents(
  database: Queryable,
  oid: string,
  gone: Iterable<string> = [],
): Promise<Dependent[]> {
  return database.query<Dependent & object>(
    `with direct as (
       select d.classid, d.objid, d.objsubid from pg_catalog.pg_depend d
       where d.refclassid = 'pg_class'::regclass and d.refobjid = $1::text::oid and d.deptype = 'n'
       union
       -- Its row type may be the type of a column or of an argument.
       select d.classid, d.objid, d.objsubid from pg_catalog.pg_class c
       join pg_catalog.pg_depend d on d.refclassid = 'pg_type'::regclass and d.deptype = 'n'
         and d.refobjid in (select t.oid from pg_catalog.pg_type t where t.oid = c.reltype
                            union select t.typarray from pg_catalog.pg_type t where t.oid = c.reltype)
       where c.oid = $1::text::oid
     ), named as (
       select case when d.classid = 'pg_rewrite'::regclass then 'pg_class'::regclass::oid else d.classid end as classid,
              coalesce(w.ev_class, d.objid) as objid,
              case when d.classid = 'pg_rewrite'::regclass then 0 else d.objsubid end as objsubid
       from direct d left join pg_catalog.pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
     )
     select distinct i.type as kind, i.identity as name
     from named n, lateral pg_identify_object(n.classid, n.objid, n.objsubid) i
     where not (n.classid = 'pg_class'::regclass and (n.objid = $1::text::oid or n.objid = any ($2::oid[])))
     order by 1, 2`,
    [oid, arrayLiteral([...gone])],
  );
}
