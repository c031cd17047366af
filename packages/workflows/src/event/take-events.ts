import { arrayLiteral, type Queryable } from "@rowhouse/db";

/** One change of one row, for one workflow that watches its table. */
export interface TakenEvent {
  readonly id: string;
  readonly workflow_id: string;
  readonly version_id: string;
  readonly operation: "INSERT" | "UPDATE" | "DELETE";
  readonly schema_name: string;
  readonly table_name: string;
  /** JSON with every digit; null if there is no such row. */
  readonly old_row: string | null;
  readonly new_row: string | null;
  /** JSON: a list of column names. */
  readonly changed: string;
  readonly omitted: string;
  readonly occurred_at: string;
  readonly caused_by_run_id: string | null;
  readonly depth: number;
  /** The columns that mean something else to the workflow's filter than when it was published; null without any. */
  readonly changed_in_filter: string | null;
}

export interface TakenEvents {
  readonly events: TakenEvent[];
  /** Whether the outbox may hold more events. */
  readonly more: boolean;
}

/** Returns whether the outbox has an entry, which another transaction may have locked. */
export async function hasEvents(database: Queryable): Promise<boolean> {
  const found = await database.query("select 1 as found from system.workflow_events limit 1", [], {
    prepare: true,
  });
  return found.length > 0;
}

const entriesMax = 200;
const bytesMax = 8_388_608;

/**
 * Takes the oldest entries of the outbox that no other transaction has locked. Each entry is deleted in the given
 * transaction and returns if that fails. No position in the outbox is stored: an entry with a lower number may commit
 * later.
 */
export async function takeEvents(transaction: Queryable): Promise<TakenEvents> {
  // Without it, a plan that was made while the outbox was empty scans all of it for each batch.
  const [, held] = await Promise.all([
    transaction.query("set local enable_seqscan to off"),
    transaction.query<{ tid: string; bytes: number }>(
      // An entry takes memory once for each workflow that it starts.
      `select ctid::text as tid, bytes::double precision * greatest(1, pg_catalog.cardinality(workflow_ids)) as bytes
     from system.workflow_events order by system.workflow_events.id
     limit ${entriesMax} for update skip locked`,
      [],
      { prepare: true },
    ),
  ]);
  const tids = fitting(held);
  if (tids.length === 0) return { events: [], more: false };
  // A locked row does not move.
  const events = await transaction.query<TakenEvent>(
    `with taken as (
       delete from system.workflow_events where ctid = any ($1::tid[]) returning *
     ), filters as materialized (
       select x.workflow_id, system.changed_in_filter(x.workflow_id) as changed from system.workflow_watches x
       where x.meanings is not null and x.workflow_id in (select pg_catalog.unnest(t.workflow_ids) from taken t)
     )
     select t.id::text as id, w.id as workflow_id, w.published_version_id as version_id, t.operation, t.schema_name, t.table_name,
       t.old_row::text as old_row, t.new_row::text as new_row, pg_catalog.to_json(t.changed)::text as changed,
       pg_catalog.to_json(t.omitted)::text as omitted, t.caused_by_run_id, t.depth, f.changed as changed_in_filter,
       to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at
     from taken t
     join system.workflow_watches x on x.workflow_id = any (t.workflow_ids) and t.operation = any (x.operations)
       -- A newer version may watch another table; a deleted table matches any event of the watch.
       and coalesce(x.resource_id, t.resource_id) = t.resource_id
     join system.workflows w on w.id = x.workflow_id and w.enabled and w.published_version_id is not null
     left join filters f on f.workflow_id = w.id
     order by t.id, w.id`,
    [arrayLiteral(tids)],
    { prepare: true },
  );
  return { events, more: held.length === entriesMax || tids.length < held.length };
}

/** Returns the first entries that fit into memory together; at least one. */
function fitting(held: readonly { readonly tid: string; readonly bytes: number }[]): string[] {
  let bytes = 0;
  const tids: string[] = [];
  for (const entry of held) {
    bytes += entry.bytes;
    if (tids.length > 0 && bytes > bytesMax) break;
    tids.push(entry.tid);
  }
  return tids;
}
