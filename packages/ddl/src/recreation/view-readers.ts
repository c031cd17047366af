import type { Queryable } from "@rowhouse/db";
import type { ViewTarget } from "../view-record.ts";

/** A table or a view, or one of its columns by its number. */
export interface ReadPart {
  readonly oid: string;
  readonly attributeNumber: number | null;
}

/** Returns the OIDs of the views whose definitions name these parts themselves. */
export async function findViewsOf(
  database: Queryable,
  parts: readonly ReadPart[],
): Promise<string[]> {
  if (parts.length === 0) return [];
  const rows = await database.query<{ oid: string }>(
    `select distinct w.ev_class::text as oid
     from jsonb_to_recordset($1::text::jsonb) p (oid oid, "attributeNumber" smallint)
     join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = p.oid
       and (p."attributeNumber" is null or d.refobjsubid = p."attributeNumber")
     join pg_catalog.pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid and w.rulename = '_RETURN'
     where w.ev_class <> p.oid order by 1`,
    [JSON.stringify(parts)],
  );
  return rows.map(({ oid }) => oid);
}

/** Returns views and every view that reads one of them, directly or through others; each one after those that it reads. */
export async function withReaders(
  database: Queryable,
  oids: readonly string[],
): Promise<ViewTarget[]> {
  if (oids.length === 0) return [];
  const rows = await database.query<{ target: string }>(
    `with recursive reading (oid, place) as (
       select o::oid, 0 from jsonb_array_elements_text($1::text::jsonb) o
       union
       select w.ev_class, r.place + 1 from reading r
       join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = r.oid
       join pg_catalog.pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid and w.rulename = '_RETURN'
       where w.ev_class <> r.oid
     )
     select pg_catalog.json_build_object('oid', c.oid::text, 'resourceId', s.id, 'schema', n.nspname, 'name', c.relname,
       'materialized', c.relkind = 'm')::text as target
     from (select oid, max(place) as place from reading group by oid) r
     join pg_catalog.pg_class c on c.oid = r.oid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join system.resources s on s.relation_oid = c.oid
     order by r.place, n.nspname, c.relname`,
    [JSON.stringify(oids)],
  );
  return rows.map(({ target }) => JSON.parse(target) as ViewTarget);
}
