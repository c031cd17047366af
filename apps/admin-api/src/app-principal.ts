import {
  type Authenticator,
  authenticationRequired,
  type Caller,
  type Principal,
  parseAuthorization,
  type Standing,
} from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { Context, MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireAppPrincipal`, which runs before every route of the App API. */
    readonly principal: Principal & Standing;
    /** Set for a request that an administrator previews: whom its statements act for. */
    readonly caller?: Caller;
  }
}

/**
 * Admits users with API access, with a session or with a token of the admin plane.
 *
 * @throws AppError AUTHENTICATION_REQUIRED; ACTION_DENIED for a token of the api plane
 */
export function requireAppPrincipal(
  authenticator: Authenticator,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const principal = await authenticator.authenticate(c.req.header("authorization"));
    if (principal.session === null && principal.plane !== "admin")
      throw createError("ACTION_DENIED");
    c.set("principal", principal);
    await next();
  };
}

/** Returns the principal whose rows a response contains; each statement proves the credential again. */
export function callerOf(c: Context<ServiceEnvironment>): Caller {
  const previewed = c.get("caller");
  if (previewed !== undefined) return previewed;
  const credential = parseAuthorization(c.req.header("authorization"));
  if (credential === undefined) throw authenticationRequired();
  return { kind: "CREDENTIAL", credential };
}

/** Returns the ids of the roles by which a user may open records; null for Administrators, who may open all. */
export function opensBy(
  principal: Pick<Principal & Standing, "roleIds" | "isAdministrator">,
): readonly string[] | null {
  return principal.isAdministrator ? null : principal.roleIds;
}

/**
 * Requires that the user may open a record.
 *
 * @throws AppError NOT_FOUND, as for a missing record
 */
export function requireOpen(
  principal: Pick<Principal & Standing, "roleIds" | "isAdministrator">,
  roleIds: readonly string[],
): void {
  const roles = opensBy(principal);
  if (roles !== null && !roles.some((id) => roleIds.includes(id))) throw createError("NOT_FOUND");
}
