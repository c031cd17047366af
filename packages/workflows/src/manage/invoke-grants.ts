import { type AuditActor, type Database, isUuid, schema, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { and, eq } from "drizzle-orm";
import { auditWorkflow, requireWorkflow } from "./workflow.ts";

const { roles, workflowInvokeGrants: grants } = schema;

export interface InvokeGrant {
  readonly roleId: string;
  readonly roleName: string;
}

/** Lists the roles whose members may call an authenticated webhook. @throws AppError NOT_FOUND */
export async function listInvokeGrants(
  database: Transaction,
  workflowId: string,
): Promise<InvokeGrant[]> {
  await requireWorkflow(database, workflowId);
  return database.orm
    .select({ roleId: grants.roleId, roleName: roles.name })
    .from(grants)
    .innerJoin(roles, eq(roles.id, grants.roleId))
    .where(eq(grants.workflowId, workflowId))
    .orderBy(roles.name);
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
    const { orm } = transaction;
    const [role] = isUuid(roleId)
      ? await orm
          .select({ name: roles.name })
          .from(roles)
          .where(eq(roles.id, roleId))
          .for("key share")
      : [];
    if (role === undefined) {
      throw createError("BODY_INVALID", { path: "/data/roleId", message: "There is no such role" });
    }
    const added = await orm
      .insert(grants)
      .values({ workflowId, roleId })
      .onConflictDoNothing()
      .returning({ roleId: grants.roleId });
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
      ? await transaction.orm
          .delete(grants)
          .where(and(eq(grants.workflowId, workflowId), eq(grants.roleId, roleId)))
          .returning({ roleId: grants.roleId })
      : [];
    if (removed.length === 0) throw createError("NOT_FOUND");
    await auditWorkflow(transaction, actor, "workflow.revoke", workflowId, ["roleId"]);
  });
}
