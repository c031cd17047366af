import {
  type Authenticator,
  type Principal,
  requireSession,
  type Standing,
} from "@rowhouse/access";
import { createError } from "@rowhouse/errors";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    /** The authenticated caller. `requireCredential` or `requireSignIn` sets it before the routes that use it. */
    readonly principal: Principal & Standing;
  }
}

/**
 * Requires a valid credential before any other check of the request.
 *
 * @throws AppError AUTHENTICATION_REQUIRED
 */
export function requireCredential(
  authenticator: Authenticator,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    c.set("principal", await authenticator.authenticate(c.req.header("authorization")));
    await next();
  };
}

/**
 * Requires a session: routes that change an account reject tokens.
 *
 * @throws AppError AUTHENTICATION_REQUIRED, SESSION_REQUIRED
 */
export function requireSignIn(authenticator: Authenticator): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const principal = await authenticator.authenticate(c.req.header("authorization"));
    requireSession(principal);
    c.set("principal", principal);
    await next();
  };
}

/** @throws AppError ACTION_DENIED unless one of the caller's roles may create tokens */
export function requireTokenCreation(principal: Standing): void {
  if (!principal.mayCreateTokens) {
    throw createError("ACTION_DENIED", { message: "None of your roles may create tokens" });
  }
}
