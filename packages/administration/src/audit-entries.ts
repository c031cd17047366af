import { type Page, type PageRequest, type Queryable, readCursor, toPage } from "@rowhouse/db";

export interface AuditLogEntry {
  readonly id: string;
  readonly occurredAt: string;
  readonly actorUserId: string | null;
  /** Set where a personal access token acted. */
  readonly actorTokenId: string | null;
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string | null;
  /** Names, never values. */
  readonly changedFields: string[];
  readonly outcome: "SUCCEEDED" | "FAILED";
  readonly address: string | null;
  readonly requestId: string | null;
}

export interface AuditLogFilter {
  readonly action: string | null;
  readonly actorUserId: string | null;
  readonly targetKind: string | null;
  readonly targetId: string | null;
}

const isPosition = (part: string): boolean => /^[0-9]{1,18}$/.test(part);

/** The audit log, newest first; `search` looks into actions. */
export async function listAuditEntries(
  database: Queryable,
  request: PageRequest & AuditLogFilter,
): Promise<Page<AuditLogEntry>> {
  const [before] = readCursor(request.cursor, [isPosition]);
  const rows = await database.query<{ entry: AuditLogEntry }>(
    `select json_build_object('id', id::text, 'occurredAt', occurred_at, 'actorUserId', actor_user_id,
       'actorTokenId', actor_token_id, 'action', action, 'targetKind', target_kind, 'targetId', target_id,
       'changedFields', changed_fields, 'outcome', outcome, 'address', host(address), 'requestId', request_id) as entry
     from system.audit_log
     where ($1::text is null or id < $1::text::bigint)
       and ($2::text is null or action = $2::text)
       and ($3::text is null or actor_user_id = $3::text::uuid)
       and ($4::text is null or target_kind = $4::text)
       and ($5::text is null or target_id = $5::text)
       and ($6::text is null or position(lower($6::text) in lower(action)) > 0)
     order by id desc limit $7::text::integer`,
    [
      before,
      request.action,
      request.actorUserId,
      request.targetKind,
      request.targetId,
      request.search,
      String(request.limit + 1),
    ],
  );
  const entries = rows.map((row) => row.entry);
  return toPage(entries, request.limit, (entry) => [entry.id]);
}
