import { type Database, type Queryable, type Relation, readPostgresFailure } from "@rowhouse/db";

/**
 * Returns the row estimates of the planner by OID, without reading the rows; null for a relation that was never
 * analyzed or stores no rows.
 */
export async function loadRowEstimates(
  database: Queryable,
  relations: readonly Relation[],
): Promise<ReadonlyMap<number, number | null>> {
  const oids = relations.filter((relation) => relation.kind !== "VIEW").map(({ oid }) => oid);
  if (oids.length === 0) return new Map();
  const rows = await database.query<{ oid: string; rows: string | null }>(
    `select oid::text, nullif(reltuples, -1)::bigint::text as rows from pg_catalog.pg_class
     where oid = any ($1::text::oid[])`,
    [`{${oids.join(",")}}`],
  );
  return new Map(
    rows.map(({ oid, rows: count }) => [Number(oid), count === null ? null : Number(count)]),
  );
}

export interface RelationSizes {
  readonly tableBytes: number | null;
  readonly indexBytes: number | null;
}

/**
 * Returns the bytes on disk of one relation; null for a relation without storage, and while another transaction locks
 * it.
 */
export async function loadSizes(database: Database, relation: Relation): Promise<RelationSizes> {
  const nothing: RelationSizes = { tableBytes: null, indexBytes: null };
  if (relation.kind === "VIEW" || relation.kind === "FOREIGN_TABLE") return nothing;
  try {
    return await database.transaction(async (transaction) => {
      // Postgres opens a relation before it measures it, and waits for the relation's lock.
      await transaction.query("set local lock_timeout = '200ms'");
      // The rows of a partitioned table are in its partitions.
      const [row] = await transaction.query<{ table: string | null; indexes: string | null }>(
        `select sum(pg_table_size(t.relid))::text as table, sum(pg_indexes_size(t.relid))::text as indexes
         from (select $1::text::oid as relid union select relid from pg_partition_tree($1::text::oid::regclass)) t`,
        [String(relation.oid)],
      );
      if (row?.table == null || row.indexes === null) return nothing;
      return { tableBytes: Number(row.table), indexBytes: Number(row.indexes) };
    });
  } catch (error) {
    if (readPostgresFailure(error)?.code === "55P03") return nothing;
    throw error;
  }
}
