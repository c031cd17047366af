import { arrayLiteral, type Queryable } from "@rowhouse/db";

/** One change of one row, for one workflow that watched its table. */
export interface TakenEvent {
  readonly id: string;
  readonly workflow_id: string;
  readonly version_id: string;
  readonly operation: "INSERT" | "UPDATE" | "DELETE";
  readonly schema_name: string;
  readonly table_name: string;
  /** JSON with every digit; null where there is no such row. */
  readonly old_row: string | null;
  readonly new_row: string | null;
  /** JSON: a list of names. */
  readonly changed: string;
  readonly omitted: string;
  readonly occurred_at: string;
  readonly caused_by_run_id: string | null;
  readonly depth: number;
}

export interface Taken {
  readonly events: TakenEvent[];
  /** Whether there may be more in the outbox. */
  readonly more: boolean;
}

const entriesMax = 200;
const bytesMax = 8_388_608;

/**
 * Takes entries out of the outbox, the oldest that no other transaction holds. Each is removed in the transaction at hand:
 * it is there again where that fails, and there is no mark that an entry with a lower number could come behind.
 */
export async function takeEvents(transaction: Queryable): Promise<Taken> {
  const held = await transaction.query<{ id: string; bytes: number }>(
    // An entry is in memory once for each workflow that it starts.
    `select id::text as id, bytes::double precision * greatest(1, cardinality(workflow_ids)) as bytes
     from system.workflow_events order by system.workflow_events.id
     limit ${entriesMax} for update skip locked`,
    [],
    { prepare: true },
  );
  const ids = fitting(held);
  if (ids.length === 0) return { events: [], more: false };
  const events = await transaction.query<TakenEvent>(
    `with taken as (
       delete from system.workflow_events where id = any ($1::bigint[]) returning *
     )
     select t.id::text as id, w.id as workflow_id, w.published_version_id as version_id, t.operation, t.schema_name, t.table_name,
       t.old_row::text as old_row, t.new_row::text as new_row, to_json(t.changed)::text as changed,
       to_json(t.omitted)::text as omitted, t.caused_by_run_id, t.depth,
       to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at
     from taken t
     join system.workflow_watches x on x.workflow_id = any (t.workflow_ids) and t.operation = any (x.operations)
       -- Published anew, it may watch another table; one that is gone is none.
       and coalesce(x.resource_id, t.resource_id) = t.resource_id
     join system.workflows w on w.id = x.workflow_id and w.enabled and w.published_version_id is not null
     order by t.id, w.id`,
    [arrayLiteral(ids)],
    { prepare: true },
  );
  return { events, more: held.length === entriesMax || ids.length < held.length };
}

/** As many entries, from the first on, as fit into memory together; one always does. */
function fitting(held: readonly { readonly id: string; readonly bytes: number }[]): string[] {
  let bytes = 0;
  const ids: string[] = [];
  for (const entry of held) {
    bytes += entry.bytes;
    if (ids.length > 0 && bytes > bytesMax) break;
    ids.push(entry.id);
  }
  return ids;
}
