import {
  type Caller,
  loadPrincipal,
  type Principal,
  type Standing,
  standingOf,
} from "@rowhouse/access";
import { type AuditActor, appendAuditEntries, type Database, type Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

/** Whom an administrator previews: a person, or somebody with these roles. */
export interface Previewed {
  readonly userId?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
}

/** A previewed caller with the rights of this moment. */
export interface PreviewedCaller {
  readonly caller: Caller;
  readonly principal: Principal & Standing;
}

/**
 * Returns the caller of a preview, and records the preview in the audit log.
 *
 * @param pointer to the object that names the caller
 * @throws AppError BODY_INVALID unless exactly one of both is given; VALUE_INVALID for a person who is not active and for
 * an unknown role
 */
export async function previewedCaller(
  { database, snapshot }: { readonly database: Database; readonly snapshot: Snapshot },
  as: Previewed,
  actor: AuditActor,
  pointer: string,
): Promise<PreviewedCaller> {
  const caller = callerOf(as, pointer);
  const principal = await loadPrincipal(database, caller);
  if (principal === undefined) {
    const message = "No such active person";
    throw createError("VALUE_INVALID", { path: `${pointer}/userId`, message });
  }
  const unknown =
    caller.kind === "ROLES" ? caller.roleIds.findIndex((id) => !snapshot.roles.has(id)) : -1;
  if (unknown >= 0) {
    const path = `${pointer}/roleIds/${unknown}`;
    throw createError("VALUE_INVALID", { path, message: "No such role" });
  }
  const targets =
    caller.kind === "PERSON"
      ? [{ targetKind: "user", targetId: caller.userId }]
      : caller.roleIds.map((id) => ({ targetKind: "role", targetId: id }));
  await appendAuditEntries(
    database,
    actor,
    targets.map((target) => ({ action: "permission.preview", ...target })),
  );
  return { caller, principal: { ...principal, ...standingOf(principal, snapshot) } };
}

function callerOf(
  { userId, roleIds }: Previewed,
  pointer: string,
): Extract<Caller, { readonly kind: "PERSON" | "ROLES" }> {
  if (userId !== undefined && roleIds === undefined) return { kind: "PERSON", userId };
  if (userId === undefined && roleIds !== undefined) return { kind: "ROLES", roleIds };
  throw createError("BODY_INVALID", { path: pointer, message: "Give userId or roleIds" });
}
