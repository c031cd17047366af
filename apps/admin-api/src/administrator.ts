import type { Authenticator, Principal, Standing } from "@rowhouse/access";
import type { AuditActor } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
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
    if (!mayAdminister(principal)) {
      const { clientAddress, requestId } = c.env.edge;
      await recordRefusal(principal, { address: clientAddress || null, requestId });
      throw createError("ACTION_DENIED");
    }
    c.set("principal", principal);
    await next();
  };
}

/**
 * Returns whether a credential still admits its owner to the Admin API, for responses that last longer than a request.
 */
export async function isStillAdministrator(
  authenticator: Authenticator,
  authorization: string | undefined,
): Promise<boolean> {
  try {
    return mayAdminister(await authenticator.authenticate(authorization));
  } catch (error) {
    if (error instanceof AppError && error.code === "AUTHENTICATION_REQUIRED") return false;
    throw error;
  }
}

function mayAdminister({ session, plane, isAdministrator }: Principal & Standing): boolean {
  return (session !== null || plane === "admin") && isAdministrator;
}

export function actorOf(c: Context<ServiceEnvironment>): AuditActor {
  const { userId, tokenId } = c.get("principal");
  const { clientAddress, requestId } = c.env.edge;
  return { userId, tokenId, address: clientAddress || null, requestId };
}
