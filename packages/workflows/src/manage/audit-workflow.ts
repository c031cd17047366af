import { type AuditActor, appendAuditEntry, type Transaction } from "@rowhouse/db";

/** Writes down that somebody did something to a workflow; `changedFields` are names alone. */
export function auditWorkflow(
  transaction: Transaction,
  actor: AuditActor,
  action: string,
  id: string,
  changedFields: readonly string[] = [],
): Promise<void> {
  return appendAuditEntry(transaction, actor, {
    action,
    targetKind: "workflow",
    targetId: id,
    changedFields,
  });
}
