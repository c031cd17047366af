import {
  type AuditAction,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  toPage,
} from "@rowhouse/db";
import { type AuditNames, nameAuditEntries } from "./audit-names.ts";

export interface AuditLogEntry {
  readonly id: string;
  readonly occurredAt: string;
  readonly actorUserId: string | null;
  /** Set if a personal access token made the change. */
  readonly actorTokenId: string | null;
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string | null;
  /** Names of the changed fields, never values. */
  readonly changedFields: string[];
  readonly outcome: "SUCCEEDED" | "FAILED";
  readonly address: string | null;
  readonly requestId: string | null;
  readonly names: AuditNames;
}

/** Filters of the audit log; null for no restriction. */
export interface AuditLogFilter {
  readonly action: AuditAction | null;
  readonly actorUserId: string | null;
  readonly actorTokenId: string | null;
  readonly targetKind: string | null;
  readonly targetId: string | null;
  /** The name of a changed field: a column, a setting. */
  readonly changedField: string | null;
  readonly outcome: AuditLogEntry["outcome"] | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Inclusive lower bound, ISO 8601. */
  readonly since: string | null;
  /** Exclusive upper bound, ISO 8601. */
  readonly until: string | null;
}

const isPosition = (part: string): boolean => /^[0-9]{1,18}$/.test(part);

/** Lists the audit log with the present names, newest first; `search` matches actions. */
export async function listAuditEntries(
  database: Queryable,
  request: PageRequest & AuditLogFilter,
): Promise<Page<AuditLogEntry>> {
  const [before] = readCursor(request.cursor, [isPosition]);
  const rows = await database.query<{ entry: Omit<AuditLogEntry, "names"> }>(
    `select pg_catalog.json_build_object('id', id::text, 'occurredAt', occurred_at, 'actorUserId', actor_user_id,
       'actorTokenId', actor_token_id, 'action', action, 'targetKind', target_kind, 'targetId', target_id,
       'changedFields', changed_fields, 'outcome', outcome, 'address', host(address), 'requestId', request_id) as entry
     from system.audit_log
     where ($1::bigint is null or id < $1::bigint)
       and ($2::text is null or action = $2::text)
       and ($3::uuid is null or actor_user_id = $3::uuid)
       and ($4::text is null or target_kind = $4::text)
       and ($5::text is null or target_id = $5::text)
       and ($6::uuid is null or actor_token_id = $6::uuid)
       and ($7::text is null or changed_fields operator(pg_catalog.@>) array[$7::text])
       and ($8::text is null or outcome = $8::text)
       and ($9::inet is null or address = $9::inet)
       and ($10::text is null or request_id = $10::text)
       and ($11::timestamptz is null or occurred_at >= $11::timestamptz)
       and ($12::timestamptz is null or occurred_at < $12::timestamptz)
       and ($13::text is null or position(system.fold($13::text) in system.fold(action)) > 0)
     order by id desc limit $14::integer`,
    [
      before,
      request.action,
      request.actorUserId,
      request.targetKind,
      request.targetId,
      request.actorTokenId,
      request.changedField,
      request.outcome,
      request.address,
      request.requestId,
      request.since,
      request.until,
      request.search,
      String(request.limit + 1),
    ],
  );
  const entries = rows.map((row) => row.entry);
  const { items, nextCursor } = toPage(entries, request.limit, (entry) => [entry.id]);
  return { items: await nameAuditEntries(database, items), nextCursor };
}
