import { arrayLiteral, type Transaction } from "@rowhouse/db";
import type { DependencyRoot } from "./alteration/plan.ts";

/** An object that depends on the object to drop, and that only a cascade would drop. */
export interface Dependent {
  /**
   * The name that Postgres uses for its kind: `view`, `materialized view`, `table constraint`, `function`, `trigger`.
   */
  readonly object: string;
  readonly name: string;
  /** Only for a view. */
  readonly oid: number | null;
}

const roots: Readonly<Record<DependencyRoot["kind"], string>> = {
  TABLE: "select 'pg_class'::regclass::oid, $1::text::oid, 0",
  COLUMN: "select 'pg_class'::regclass::oid, $1::text::oid, $2::text::integer",
  CONSTRAINT:
    "select 'pg_constraint'::regclass::oid, k.oid, 0 from pg_catalog.pg_constraint k where k.conrelid = $1::text::oid and k.conname = $2::text",
};

/**
 * Returns the objects that make `drop … restrict` fail. Postgres drops the parts of an object (its indexes, its type,
 * the constraints of its own table) with it, so they are not included.
 *
 * @param gone OIDs of views that count as dropped
 * @see https://www.postgresql.org/docs/18/catalog-pg-depend.html
 */
export async function findDependents(
  transaction: Transaction,
  root: DependencyRoot,
  gone: ReadonlySet<string> = new Set(),
): Promise<Dependent[]> {
  const second =
    root.kind === "COLUMN"
      ? String(root.attributeNumber)
      : root.kind === "CONSTRAINT"
        ? root.name
        : null;
  const found = await find(transaction, roots[root.kind], [
    String(root.oid),
    ...(second === null ? [] : [second]),
  ]);
  return found.filter(({ oid }) => !gone.has(String(oid)));
}

/** An object of the database by its catalog: `pg_class`, `pg_type`, `pg_namespace`. */
export interface CatalogObject {
  readonly catalog: string;
  readonly oid: string;
}

/** Returns the objects that make `drop … restrict` of all the given objects together fail. */
export function findDependentsOfAll(
  transaction: Transaction,
  objects: readonly CatalogObject[],
): Promise<Dependent[]> {
  return find(
    transaction,
    "select c::regclass::oid, o, 0 from unnest($1::text::text[], $2::text::oid[]) as objects (c, o)",
    [
      arrayLiteral(objects.map(({ catalog }) => `pg_catalog.${catalog}`)),
      arrayLiteral(objects.map(({ oid }) => oid)),
    ],
  );
}

async function find(
  transaction: Transaction,
  root: string,
  parameters: readonly string[],
): Promise<Dependent[]> {
  const rows = await transaction.query<{ object: string; name: string; oid: string | null }>(
    dependentsSql(root),
    parameters,
  );
  return rows.map(({ object, name, oid }) => ({
    object,
    name,
    oid: oid === null ? null : Number(oid),
  }));
}

/**
 * `own`: the parts that Postgres drops with the object; `all`: the objects that a cascade drops. A view's rule stands
 * for the view.
 */
const dependentsSql = (root: string): string => `
with recursive own (classid, objid, objsubid) as (
  ${root}
  union
  select d.classid, d.objid, d.objsubid from own o
  join pg_catalog.pg_depend d on d.refclassid = o.classid and d.refobjid = o.objid
    and (o.objsubid = 0 or d.refobjsubid = o.objsubid)
  where d.deptype in ('a', 'i', 'P', 'S')
), reached (classid, objid, objsubid) as (
  select classid, objid, objsubid from own
  union
  select coalesce(v.classid, d.classid), coalesce(v.objid, d.objid), coalesce(v.objsubid, d.objsubid)
  from reached o
  join pg_catalog.pg_depend d on d.refclassid = o.classid and d.refobjid = o.objid
    and (o.objsubid = 0 or d.refobjsubid = o.objsubid)
  left join lateral (
    select 'pg_class'::regclass::oid as classid, w.ev_class as objid, 0 as objsubid
    from pg_catalog.pg_rewrite w
    where d.classid = 'pg_rewrite'::regclass and w.oid = d.objid and w.ev_type = '1') v on true
), needing as (
  -- A column of a table that is dropped as a whole is no object of its own.
  select classid, objid, objsubid from reached r
  where not exists (
    select 1 from own o where o.classid = r.classid and o.objid = r.objid and o.objsubid in (0, r.objsubid))
)
select i.type as object, i.identity as name,
  case when n.classid = 'pg_class'::regclass and n.objsubid = 0 then n.objid::text end as oid
from needing n
cross join lateral pg_identify_object(n.classid, n.objid, n.objsubid) i
where not exists (
  -- What belongs to something else in the list appears once: a view's type, a constraint's triggers.
  select 1 from pg_catalog.pg_depend d join needing m on m.classid = d.refclassid and m.objid = d.refobjid
  where d.classid = n.classid and d.objid = n.objid and d.deptype in ('a', 'i', 'P', 'S'))
order by 1, 2`;
