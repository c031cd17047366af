import { createRoute } from "@hono/zod-openapi";
import type { Authenticator } from "@rowhouse/access";
import {
  type AccountMails,
  type AuthorizationDependencies,
  type ProviderDependencies,
  signIn,
  signOut,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { createApiRouter, envelope, errorAnswers, type Service } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { settingsOf } from "@rowhouse/settings";
import { requireSignIn } from "../principal.ts";
import { throttleAuthRoutes } from "../throttle.ts";
import { mountAccountRoutes } from "./account.ts";
import { anyEmail, anyPassword, dataAnswer, fields, signInResult } from "./auth-parts.ts";
import { mountAuthorizationRoutes } from "./authorizations.ts";
import { mountLinkedAccountRoutes } from "./linked-accounts.ts";
import { mountMailLinkRoutes } from "./mail-links.ts";
import { leadBrowsersToPages, mountProviderRoutes } from "./providers.ts";
import { originOf } from "./request-origin.ts";
import { mountTokenRoutes } from "./tokens.ts";

export interface AuthRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
  readonly mails: AccountMails;
  readonly rateLimits: RateLimits;
  readonly providers: ProviderDependencies;
  readonly authorization: AuthorizationDependencies;
  /** Called for each sign-in with a password that is refused. */
  readonly onSignInFailed?: (() => void) | undefined;
}

const refusals: ReadonlySet<string> = new Set(["INVALID_CREDENTIALS", "EMAIL_NOT_VERIFIED"]);

const login = createRoute({
  method: "post",
  path: "/api/auth/login",
  summary: "Sign in with email and password",
  security: [],
  request: fields({ email: anyEmail, password: anyPassword }),
  responses: {
    200: dataAnswer(signInResult, "A session"),
    ...errorAnswers(
      "BODY_INVALID",
      "INVALID_CREDENTIALS",
      "EMAIL_NOT_VERIFIED",
      "RATE_LIMIT_EXCEEDED",
    ),
  },
});

const logout = createRoute({
  method: "post",
  path: "/api/auth/logout",
  summary: "End the session",
  responses: {
    204: { description: "The session has ended" },
    ...errorAnswers("AUTHENTICATION_REQUIRED", "SESSION_REQUIRED"),
  },
});

/** `/api/auth/*`: fields at the top level of the body. */
export function mountAuthRoutes(service: Service, dependencies: AuthRoutesDependencies): void {
  const { database, snapshots, authenticator } = dependencies;
  const router = createApiRouter({
    bodyBytesMax: async () => settingsOf(await snapshots.fresh())["limits.body_bytes"],
    // An invalid id gets the same response as an unknown one.
    anyTextIn: {
      "/api/auth/login": ["email", "password"],
      "/api/auth/password/forgot": ["email"],
      "/api/auth/email/resend": ["email"],
    },
  });

  leadBrowsersToPages(router, dependencies.providers);
  // Precedes all other processing of a request, so that its response reveals no account.
  throttleAuthRoutes(router, dependencies);
  router.use("/api/auth/logout", requireSignIn(authenticator));
  router.openapi(login, async (c) => {
    const input = c.req.valid("json");
    const snapshot = await snapshots.fresh();
    const entered = await signIn(database, snapshot, input, originOf(c)).catch((error: unknown) => {
      if (error instanceof AppError && refusals.has(error.code)) dependencies.onSignInFailed?.();
      throw error;
    });
    return c.json(envelope(entered), 200);
  });
  router.openapi(logout, async (c) => {
    await signOut(database, c.get("principal"), originOf(c));
    return c.body(null, 204);
  });
  // register · password/forgot …/reset · email/verify …/resend · invitations/accept
  mountMailLinkRoutes(router, dependencies);
  // GET PATCH me · sessions · password/change · email/change
  mountAccountRoutes(router, dependencies);
  // GET providers · GET oauth/{provider} …/callback · POST …/link · POST oauth/exchange
  mountProviderRoutes(router, dependencies);
  // GET linked-accounts · DELETE linked-accounts/{id}
  mountLinkedAccountRoutes(router, dependencies);
  // GET POST tokens · GET PATCH tokens/{id} · POST …/regenerate …/deactivate …/activate …/revoke
  mountTokenRoutes(router, dependencies);
  // POST authorizations · authorizations/preview
  mountAuthorizationRoutes(router, dependencies);
  service.route("/", router);
}
