import {
  type Authenticator,
  type Principal,
  requireSession,
  type Standing,
} from "@rowhouse/access";
import type { ServiceEnvironment } from "@rowhouse/http";
import type { MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireCredential` and `requireSignIn`, which stand before the routes that ask for it. */
    readonly signedIn: Principal & Standing;
  }
}

/**
 * Lets whoever has a good credential pass, before anything else of the request is looked at.
 *
 * @throws AppError AUTHENTICATION_REQUIRED
 */
export function requireCredential(
  authenticator: Authenticator,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    c.set("signedIn", await authenticator.authenticate(c.req.header("authorization")));
    await next();
  };
}

/**
 * Lets whoever has signed in pass: the routes that change an account take no token (spec §5.9).
 *
 * @throws AppError AUTHENTICATION_REQUIRED, SESSION_REQUIRED
 */
export function requireSignIn(authenticator: Authenticator): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const principal = await authenticator.authenticate(c.req.header("authorization"));
    requireSession(principal);
    c.set("signedIn", principal);
    await next();
  };
}
