import type { Authenticator, Principal, Standing } from "@rowhouse/access";
import type { AuditActor } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { Context, MiddlewareHandler } from "hono";

import type { RefusedAccessRecorder } from "./refused-access.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireAdministrator`, which runs before every route. */
    readonly principal: Principal & Standing;
  }
}

/**
 * Admits members of Administrators with a session or a token of the admin plane. The account, roles and token are
 * those at the time of the request.
 *
 * @param recordRefusal called for a caller with a valid credential but without access
 * @throws AppError AUTHENTICATION_REQUIRED, ACTION_DENIED
 */
export function requireAdministrator(
  authenticator: Authenticator,
  recordRefusal: RefusedAccessRecorder,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const principal = await authenticator.authenticate(c.req.header("authorization"));
    const reaches = principal.session !== null || principal.plane === "admin";
    if (!reaches || !principal.isAdministrator) {
      const { clientAddress, requestId } = c.env.edge;
      await recordRefusal(principal, { address: clientAddress || null, requestId });
      throw createError("ACTION_DENIED");
    }
    c.set("principal", principal);
    await next();
  };
}

/** Returns the actor for the audit log. */
export function actorOf(c: Context<ServiceEnvironment>): AuditActor {
  const { userId, tokenId } = c.get("principal");
  const { clientAddress, requestId } = c.env.edge;
  return { userId, tokenId, address: clientAddress || null, requestId };
}
