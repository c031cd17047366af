import type { Queryable } from "./queryable.ts";

/** Names the exposed relations of which the login may read no column, as after a restore by another login. */
export async function unreadableRelations(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select r.schema_name || '.' || r.relation_name as name
     from system.resources r join pg_catalog.pg_class c on c.oid = r.relation_oid
     where r.exposed_methods <> '{}' and c.relnamespace <> 'system'::regnamespace and not (
       pg_catalog.has_schema_privilege(c.relnamespace, 'usage') and pg_catalog.has_any_column_privilege(c.oid, 'select'))
     order by 1`,
  );
  return rows.map(({ name }) => name);
}
