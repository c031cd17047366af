import { type Database, type Page, type PageRequest, readCursor, toPage } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { unlessHeld } from "./base/load-table-sql.ts";
import { requireSchema } from "./require-schema.ts";

interface RelationSummary {
  /** Null between the statement of another client that creates it and its registration. */
  readonly resourceId: string | null;
  readonly schema: string;
  readonly name: string;
  readonly comment: string | null;
  readonly columns: number;
}

export interface TableSummary extends RelationSummary {
  /** The estimate of the last ANALYZE; null before the first. */
  readonly rowEstimate: number | null;
  /** Null while another transaction holds an exclusive lock on the table. */
  readonly tableBytes: number | null;
  readonly indexBytes: number | null;
}

export interface ViewSummary extends RelationSummary {
  readonly materialized: boolean;
  /** False for a materialized view that no refresh has filled yet. */
  readonly populated: boolean;
}

/** The properties of a summary after its name, in the order of a response, as SQL on `pg_class c`. */
type Facts<Summary> = Readonly<Record<Exclude<keyof Summary, NameKey>, string>>;
type NameKey = "resourceId" | "schema" | "name";

const commonFacts = {
  comment: "obj_description(c.oid, 'pg_class')",
  columns: `(select pg_catalog.count(*) from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`,
};

const tableFacts: Facts<TableSummary> = {
  ...commonFacts,
  rowEstimate: "nullif(c.reltuples, -1)::bigint",
  tableBytes: unlessHeld("pg_table_size(c.oid)"),
  indexBytes: unlessHeld("pg_indexes_size(c.oid)"),
};

const viewFacts: Facts<ViewSummary> = {
  materialized: "c.relkind = 'm'",
  ...commonFacts,
  populated: "c.relispopulated",
};

/**
 * Lists the tables of a schema by name.
 *
 * @throws AppError NOT_FOUND for the schema
 */
export function listTables(
  database: Database,
  schema: string,
  request: PageRequest,
): Promise<Page<TableSummary>> {
  return listRelations(database, { kind: "TABLE", facts: tableFacts, schema }, request);
}

/**
 * Lists the views of a schema by name.
 *
 * @throws AppError NOT_FOUND for the schema
 */
export function listViews(
  database: Database,
  schema: string,
  request: PageRequest,
): Promise<Page<ViewSummary>> {
  return listRelations(database, { kind: "VIEW", facts: viewFacts, schema }, request);
}

interface Listed<Summary> {
  readonly kind: "TABLE" | "VIEW";
  readonly facts: Facts<Summary>;
  readonly schema: string;
}

async function listRelations<Summary extends RelationSummary>(
  database: Database,
  { kind, facts, schema }: Listed<Summary>,
  request: PageRequest,
): Promise<Page<Summary>> {
  await requireSchema(database, schema);
  const [after] = readCursor(request.cursor, [isStorableText]);
  const further = Object.entries<string>(facts).map(([name, sql]) => `'${name}', ${sql}`);
  const rows = await database.query<{ item: string }>(
    `select pg_catalog.json_build_object(
       'resourceId', s.id, 'schema', r.schema_name, 'name', r.relation_name, ${further.join(", ")})::text as item
     from (select r.relation_oid, r.schema_name, r.relation_name from system.registrable_relations r
           where r.schema_name = $1::text and r.kind = $5::text
             and ($2::text is null or r.relation_name > $2::text collate "C")
             and ($3::text is null or strpos(system.fold(r.relation_name), system.fold($3::text)) > 0)
           order by r.relation_name collate "C" limit $4::text::int) r
     join pg_catalog.pg_class c on c.oid = r.relation_oid
     left join system.resources s on s.relation_oid = c.oid
     order by r.relation_name collate "C"`,
    [schema, after, request.search, String(request.limit + 1), kind],
  );
  const summaries = rows.map(({ item }) => JSON.parse(item) as Summary);
  return toPage(summaries, request.limit, ({ name }) => [name]);
}
