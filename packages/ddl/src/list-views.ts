import { type Database, type Page, type PageRequest, readCursor, toPage } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { requireSchema } from "./require-schema.ts";

export interface ViewSummary {
  /** Null between the CREATE VIEW of another client and its registration. */
  readonly resourceId: string | null;
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
  readonly comment: string | null;
  readonly columns: number;
  /** False for a materialized view that no refresh has filled yet. */
  readonly populated: boolean;
}

/**
 * Lists the views of a schema by name.
 *
 * @throws AppError NOT_FOUND for the schema
 */
export async function listViews(
  database: Database,
  schema: string,
  request: PageRequest,
): Promise<Page<ViewSummary>> {
  await requireSchema(database, schema);
  const [after] = readCursor(request.cursor, [isStorableText]);
  const rows = await database.query<{ item: ViewSummary }>(
    `select pg_catalog.json_build_object(
       'resourceId', s.id, 'schema', r.schema_name, 'name', r.relation_name,
       'materialized', c.relkind = 'm', 'comment', obj_description(c.oid, 'pg_class'),
       'columns', (select pg_catalog.count(*) from pg_catalog.pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
       'populated', c.relispopulated) as item
     from (select r.relation_oid, r.schema_name, r.relation_name from system.registrable_relations r
           where r.schema_name = $1::text and r.kind = 'VIEW'
             and ($2::text is null or r.relation_name > $2::text collate "C")
             and ($3::text is null or strpos(system.fold(r.relation_name), system.fold($3::text)) > 0)
           order by r.relation_name collate "C" limit $4::text::int) r
     join pg_catalog.pg_class c on c.oid = r.relation_oid
     left join system.resources s on s.relation_oid = c.oid
     order by r.relation_name collate "C"`,
    [schema, after, request.search, String(request.limit + 1)],
  );
  return toPage(
    rows.map((row) => row.item),
    request.limit,
    (view) => [view.name],
  );
}
