import {
  arrayLiteral,
  type Database,
  type Queryable,
  readPostgresFailure,
  syncTriggers,
  type Transaction,
} from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import type { DatabaseEventTrigger, Trigger } from "../definition/definition.ts";

interface WatchedTable {
  readonly resource_id: string;
  readonly kind: string;
  readonly may_trigger: boolean;
  readonly unknown: string[];
}

/** Returns the faults that prevent a definition's table from being watched, with pointers into the definition. */
export async function findWatchFaults(queryable: Queryable, trigger: Trigger): Promise<Fault[]> {
  if (trigger.kind !== "databaseEvent") return [];
  const fault = (path: string, message: string) =>
    createFault("WORKFLOW_INVALID", { path: `/trigger/${path}`, message });
  if (trigger.schema === "system") {
    return [fault("schema", "Tables of the schema system have no events")];
  }
  const table = await loadTable(queryable, trigger);
  if (table === undefined) return [fault("table", "The table does not exist")];
  if (table.kind === "v" || table.kind === "m") {
    return [fault("table", "A view has no events; watch the tables that it reads")];
  }
  if (table.kind === "f") {
    return [fault("table", "A foreign table has no events; its rows change on another server")];
  }
  if (!table.may_trigger) {
    const message = "The service's database login lacks the TRIGGER privilege on this table";
    return [fault("table", message)];
  }
  return (trigger.changedFields ?? []).flatMap((field, index) =>
    table.unknown.includes(field)
      ? [fault(`changedFields/${index}`, "The table has no such column")]
      : [],
  );
}

async function loadTable(
  queryable: Queryable,
  { schema, table, changedFields }: DatabaseEventTrigger,
): Promise<WatchedTable | undefined> {
  // Without event triggers, the registry does not list a new table yet.
  await queryable.query("select system.sync_registry()");
  const [row] = await queryable.query<WatchedTable>(
    `select r.id as resource_id, c.relkind as kind, has_table_privilege(system.service_login(), c.oid, 'trigger') as may_trigger,
       pg_catalog.array_to_json(array(select f from pg_catalog.unnest($3::text::text[]) f where not exists (
         select 1 from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = f and a.attnum > 0 and not a.attisdropped))) as unknown
     from system.resources r join pg_catalog.pg_class c on c.oid = r.relation_oid
     where r.schema_name = $1::text and r.relation_name = $2::text`,
    [schema, table, arrayLiteral(changedFields ?? [])],
  );
  return row;
}

/**
 * Records the table that the newly published version watches instead of the previous one, and updates the triggers of
 * both tables.
 *
 * @throws AppError CONFLICT if the table is locked, or the service's login may not create triggers on it
 */
export async function publishWatch(
  transaction: Transaction,
  workflowId: string,
  trigger: Trigger,
): Promise<void> {
  const [before] = await transaction.query<{ resource_id: string | null }>(
    "delete from system.workflow_watches where workflow_id = $1::text::uuid returning resource_id",
    [workflowId],
  );
  if (trigger.kind === "databaseEvent") await insertWatch(transaction, workflowId, trigger);
  if (before?.resource_id != null) await syncTriggers(transaction, before.resource_id);
  await syncWatch(transaction, workflowId);
}

async function insertWatch(
  transaction: Queryable,
  workflowId: string,
  { schema, table, on, changedFields, filter }: DatabaseEventTrigger,
): Promise<void> {
  await transaction.query(
    `insert into system.workflow_watches
       (workflow_id, resource_id, schema_name, table_name, relation_oid, operations, column_numbers, column_names, meanings)
     select $1::text::uuid, r.id, r.schema_name, r.relation_name, r.relation_oid, $4::text::text[],
       case when $5::text is not null then array(
         select a.attnum from pg_catalog.unnest($5::text::text[]) with ordinality f (name, ordinal)
         join pg_catalog.pg_attribute a on a.attrelid = r.relation_oid and a.attname = f.name and a.attnum > 0 and not a.attisdropped
         order by f.ordinal) end,
       $5::text::text[], system.filter_meanings(r.relation_oid, $6::text)
     from system.resources r where r.schema_name = $2::text and r.relation_name = $3::text`,
    [
      workflowId,
      schema,
      table,
      arrayLiteral(on.map((operation) => operation.toUpperCase())),
      changedFields === undefined ? null : arrayLiteral(changedFields),
      filter ?? null,
    ],
  );
}

/**
 * Updates the triggers of a workflow's table to match the workflows that watch it.
 *
 * @throws AppError CONFLICT if the table is locked, or the service's login may not create triggers on it
 */
export async function syncWatch(transaction: Transaction, workflowId: string): Promise<void> {
  const [watch] = await transaction.query<{ resource_id: string | null }>(
    "select resource_id from system.workflow_watches where workflow_id = $1::text::uuid",
    [workflowId],
  );
  if (watch?.resource_id != null) await syncTriggers(transaction, watch.resource_id);
}

/**
 * Repairs watches and row histories after changes outside the service: renamed tables and columns, a restored dump,
 * dropped triggers.
 */
export async function mendWatches(database: Pick<Database, "query" | "service">): Promise<void> {
  await database.query("select system.mend_row_history()");
  // Where another login owns the tables, this leaves their triggers.
  await database.query("select system.mend_watches() from set_config('lock_timeout', '1s', true)");
  const { service } = database;
  if (service === database) return;
  const rows = await database.query<{ id: string }>(
    `select distinct coalesce(t.resource_id, w.resource_id)::text as id
     from system.event_triggers t
     full join system.wanted_event_triggers w on w.name = t.name and w.relation_oid = t.relation_oid and w.for_each_row = t.for_each_row
     where t.name is null or w.name is null`,
  );
  for (const { id } of rows) {
    await service
      .query(
        "select system.sync_event_triggers($1::text::uuid) from set_config('lock_timeout', '1s', true)",
        [id],
        { readOnly: false },
      )
      .catch((error: unknown) => {
        // A table that is locked, gone or of others is left to the next turn.
        if (!unchangeable.has(readPostgresFailure(error)?.code ?? "")) throw error;
      });
  }
}

/** lock_not_available, insufficient_privilege, undefined_table. */
const unchangeable: ReadonlySet<string> = new Set(["55P03", "42501", "42P01"]);
