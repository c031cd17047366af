import type { Queryable } from "./database.ts";
import { arrayLiteral } from "./quote-identifier.ts";

/** Who acts, from where: what the audit log records of a request. */
export interface AuditActor {
  readonly userId: string | null;
  /** Set where a personal access token acted: the log names the token itself (spec §5.4). */
  readonly tokenId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

export interface AuditEntry {
  /** `<target kind>.<verb>`: `table.create`, `grant.update`, `session.create`. */
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string | null;
  /** Names only; a value, and so a secret, never enters the log. */
  readonly changedFields?: readonly string[];
  readonly outcome?: "SUCCEEDED" | "FAILED";
}

/** Appends one entry, in the transaction of the change it records. */
export async function appendAuditEntry(
  transaction: Queryable,
  actor: AuditActor,
  entry: AuditEntry,
): Promise<void> {
  await transaction.query(
    `insert into system.audit_log
       (actor_user_id, actor_token_id, address, request_id, action, target_kind, target_id, changed_fields, outcome)
     values ($1::text::uuid, $2::text::uuid, $3::text::inet, $4::text, $5::text, $6::text, $7::text, $8::text::text[], $9::text)`,
    [
      actor.userId,
      actor.tokenId,
      actor.address,
      actor.requestId,
      entry.action,
      entry.targetKind,
      entry.targetId,
      arrayLiteral(entry.changedFields ?? []),
      entry.outcome ?? "SUCCEEDED",
    ],
  );
}
