import { type AuditActor, type Database, isUuid, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { auditWorkflow } from "./audit-workflow.ts";
import { requireWorkflow } from "./workflow.ts";

export interface InvokeGrant {
  readonly roleId: string;
  readonly roleName: string;
}

/** Lists the roles whose members may call an authenticated webhook. @throws AppError NOT_FOUND */
export async function listInvokeGrants(
  database: Queryable,
  workflowId: string,
): Promise<InvokeGrant[]> {
  await requireWorkflow(database, workflowId);
  const rows = await database.query<{ role_id: string; name: string }>(
    `select g.role_id, r.name from system.workflow_invoke_grants g
     join system.roles r on r.id = g.role_id
     where g.workflow_id = $1::text::uuid order by r.name`,
    [workflowId],
  );
  return rows.map((row) => ({ roleId: row.role_id, roleName: row.name }));
}

/**
 * Grants a role's members the right to call the workflow.
 *
 * @throws AppError NOT_FOUND for the workflow, BODY_INVALID for a missing role, CONFLICT for a role that has the grant
 */
export async function addInvokeGrant(
  database: Database,
  workflowId: string,
  roleId: string,
  actor: AuditActor,
): Promise<InvokeGrant> {
  return database.transaction(async (transaction) => {
    await requireWorkflow(transaction, workflowId);
    const [role] = isUuid(roleId)
      ? await transaction.query<{ name: string }>(
          "select name from system.roles where id = $1::text::uuid for key share",
          [roleId],
        )
      : [];
    if (role === undefined) {
      throw createError("BODY_INVALID", { path: "/data/roleId", message: "There is no such role" });
    }
    const added = await transaction.query(
      `insert into system.workflow_invoke_grants (workflow_id, role_id)
       values ($1::text::uuid, $2::text::uuid) on conflict do nothing returning role_id`,
      [workflowId, roleId],
    );
    if (added.length === 0) {
      const message = "The role already has this grant";
      throw createError("CONFLICT", { path: "/data/roleId", message });
    }
    await auditWorkflow(transaction, actor, "workflow.grant", workflowId, ["roleId"]);
    return { roleId, roleName: role.name };
  });
}

/** Revokes a role's right to call, from the next request on. @throws AppError NOT_FOUND */
export async function removeInvokeGrant(
  database: Database,
  workflowId: string,
  roleId: string,
  actor: AuditActor,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await requireWorkflow(transaction, workflowId);
    const removed = isUuid(roleId)
      ? await transaction.query(
          `delete from system.workflow_invoke_grants
           where workflow_id = $1::text::uuid and role_id = $2::text::uuid returning role_id`,
          [workflowId, roleId],
        )
      : [];
    if (removed.length === 0) throw createError("NOT_FOUND");
    await auditWorkflow(transaction, actor, "workflow.revoke", workflowId, ["roleId"]);
  });
}
