import type { Authenticator, Principal } from "@rowhouse/access";
import type { AuditActor } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { Context, MiddlewareHandler } from "hono";

import type { RefusedAccessRecorder } from "./refused-access.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireAdministrator`, which stands before every route. */
    readonly principal: Principal;
  }
}

/**
 * Lets members of Administrators pass who come with a session or a token of the admin plane; account, roles and token are
 * those of this moment (spec §5.10).
 *
 * @param recordRefusal hears of whoever came with a good credential and was turned away
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

/** Who acts, for the audit log. */
export function actorOf(c: Context<ServiceEnvironment>): AuditActor {
  const { userId, tokenId } = c.get("principal");
  const { clientAddress, requestId } = c.env.edge;
  return { userId, tokenId, address: clientAddress || null, requestId };
}
