import { type AuditActor, appendAuditEntry, type Transaction } from "@rowhouse/db";

/** Records a change of a workflow in the audit log; `changedFields` holds names only. */
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
