import type { Queryable } from "../queryable.ts";
import type { AuditAction } from "./audit-actions.ts";

/** The actor and the origin of a request, as the audit log records them. */
export interface AuditActor {
  readonly userId: string | null;
  /** Set if a personal access token acted: the log names the token itself. */
  readonly tokenId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Receives the entries in place of the log: several changes have one entry in common, which their caller appends. */
  readonly collected?: AuditEntry[] | undefined;
}

export interface AuditEntry {
  readonly action: AuditAction;
  readonly targetKind: string;
  readonly targetId: string | null;
  /** Names only; values, and therefore secrets, are never logged. */
  readonly changedFields?: readonly string[];
  readonly outcome?: "SUCCEEDED" | "FAILED";
}

/** Appends one entry in the transaction of the change. */
export function appendAuditEntry(
  transaction: Queryable,
  actor: AuditActor,
  entry: AuditEntry,
): Promise<void> {
  return appendAuditEntries(transaction, actor, [entry]);
}

/** Appends entries in order by one statement, in the transaction of the changes. */
export async function appendAuditEntries(
  transaction: Queryable,
  actor: AuditActor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  if (actor.collected !== undefined) {
    actor.collected.push(...entries);
    return;
  }
  const records = entries.map((entry) => ({
    action: entry.action,
    target_kind: entry.targetKind,
    target_id: entry.targetId,
    changed_fields: entry.changedFields ?? [],
    outcome: entry.outcome ?? "SUCCEEDED",
  }));
  await transaction.query(
    `insert into system.audit_log
       (actor_user_id, actor_token_id, address, request_id, action, target_kind, target_id, changed_fields, outcome)
     select $1::text::uuid, $2::text::uuid, $3::text::inet, $4::text, e.action, e.target_kind, e.target_id, e.changed_fields, e.outcome
     from json_to_recordset($5::text::json)
       e (action text, target_kind text, target_id text, changed_fields text[], outcome text)`,
    [actor.userId, actor.tokenId, actor.address, actor.requestId, JSON.stringify(records)],
  );
}
