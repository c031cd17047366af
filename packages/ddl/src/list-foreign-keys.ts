import { type Database, type Page, type PageRequest, readCursor, toPage } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { columnNamesSql } from "./base/load-table-sql.ts";
import { actions } from "./table-state.ts";

export interface ForeignKeySummary {
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly targetSchema: string;
  readonly targetTable: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: (typeof actions)[keyof typeof actions];
}

/**
 * Lists the foreign keys between tables by schema, table and name. A search finds a part of a table's name.
 *
 * @param schema the schema of either table; null for all
 */
export async function listForeignKeys(
  database: Database,
  schema: string | null,
  request: PageRequest,
): Promise<Page<ForeignKeySummary>> {
  const parts = [isStorableText, isStorableText, isStorableText] as const;
  const [afterSchema, afterTable, afterName] = readCursor(request.cursor, parts);
  const { search, limit } = request;
  const rows = await database.query<{ item: string }>(
    `select pg_catalog.json_build_object(
       'name', k.conname, 'schema', o.schema_name, 'table', o.relation_name,
       'columns', ${columnNamesSql("k.conrelid", "k.conkey")},
       'targetSchema', t.schema_name, 'targetTable', t.relation_name,
       'targetColumns', ${columnNamesSql("k.confrelid", "k.confkey")},
       'onDelete', k.confdeltype)::text as item
     from pg_catalog.pg_constraint k
     join system.registrable_relations o on o.relation_oid = k.conrelid
     join system.registrable_relations t on t.relation_oid = k.confrelid
     -- A partition repeats the keys of its table.
     where k.contype = 'f' and k.conparentid = 0
       and ($1::text is null or $1::text in (o.schema_name, t.schema_name))
       and ($2::text is null or (o.schema_name collate "C", o.relation_name collate "C", k.conname::text collate "C")
                                > ($2::text, $3::text, $4::text))
       and ($5::text is null or strpos(system.fold(o.relation_name), system.fold($5::text)) > 0
                             or strpos(system.fold(t.relation_name), system.fold($5::text)) > 0)
     order by o.schema_name collate "C", o.relation_name collate "C", k.conname::text collate "C"
     limit $6::text::int`,
    [schema, afterSchema, afterTable, afterName, search, String(limit + 1)],
  );
  const keys = rows.map(({ item }): ForeignKeySummary => {
    const key = JSON.parse(item) as Omit<ForeignKeySummary, "onDelete"> & {
      readonly onDelete: keyof typeof actions;
    };
    return { ...key, onDelete: actions[key.onDelete] };
  });
  return toPage(keys, limit, (key) => [key.schema, key.table, key.name]);
}
