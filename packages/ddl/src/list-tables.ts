import { type Database, type Page, type PageRequest, readCursor, toPage } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { unlessHeld } from "./base/load-table-sql.ts";
import { requireSchema } from "./require-schema.ts";

export interface TableSummary {
  readonly resourceId: string | null;
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  readonly columns: number;
  /** The estimate of the last ANALYZE; null before the first. */
  readonly rowEstimate: number | null;
  /** Null while another transaction holds an exclusive lock on the table. */
  readonly tableBytes: number | null;
  readonly indexBytes: number | null;
}

/**
 * Lists the tables of a schema by name.
 *
 * @throws AppError NOT_FOUND for the schema
 */
export async function listTables(
  database: Database,
  schema: string,
  request: PageRequest,
): Promise<Page<TableSummary>> {
  await requireSchema(database, schema);
  const [after] = readCursor(request.cursor, [isStorableText]);
  const rows = await database.query<{ item: string }>(
    `select pg_catalog.json_build_object(
       'resourceId', s.id, 'schema', r.schema_name, 'name', r.relation_name,
       'comment', obj_description(c.oid, 'pg_class'),
       'columns', (select pg_catalog.count(*) from pg_catalog.pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
       'rowEstimate', nullif(c.reltuples, -1)::bigint,
       'tableBytes', ${unlessHeld("pg_table_size(c.oid)")}, 'indexBytes', ${unlessHeld("pg_indexes_size(c.oid)")})::text as item
     from (select r.relation_oid, r.schema_name, r.relation_name from system.registrable_relations r
           where r.schema_name = $1::text and r.kind = 'TABLE'
             and ($2::text is null or r.relation_name > $2::text collate "C")
             and ($3::text is null or strpos(system.fold(r.relation_name), system.fold($3::text)) > 0)
           order by r.relation_name collate "C" limit $4::text::int) r
     join pg_catalog.pg_class c on c.oid = r.relation_oid
     left join system.resources s on s.relation_oid = c.oid
     order by r.relation_name collate "C"`,
    [schema, after, request.search, String(request.limit + 1)],
  );
  const tables = rows.map((row) => JSON.parse(row.item) as TableSummary);
  return toPage(tables, request.limit, (table) => [table.name]);
}
