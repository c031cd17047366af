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
import { createApiRouter, none, one, type Service, z } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { settingsOf } from "@rowhouse/settings";
import { requireSignIn } from "../caller/principal.ts";
import { throttleAuthRoutes } from "../caller/throttle.ts";
import { mountAccountRoutes } from "./account.ts";
import {
  anyEmail,
  anyPassword,
  mountAuthRoute,
  sessionRefusals,
  signInResult,
} from "./auth-parts.ts";
import { mountAuthorizationRoutes } from "./authorizations.ts";
import { mountMailLinkRoutes } from "./mail-links.ts";
import { leadBrowsersToPages, mountProviderRoutes } from "./providers.ts";
import { mountOwnTokenRoutes } from "./tokens.ts";

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
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/login",
    summary: "Sign in with email and password",
    open: true,
    body: z.strictObject({ email: anyEmail, password: anyPassword }),
    codes: ["INVALID_CREDENTIALS", "EMAIL_NOT_VERIFIED", "RATE_LIMIT_EXCEEDED"],
    answer: one(signInResult, "A session"),
    run: async ({ data, origin }) =>
      signIn(database, await snapshots.fresh(), data, origin).catch((error: unknown) => {
        if (error instanceof AppError && refusals.has(error.code)) dependencies.onSignInFailed?.();
        throw error;
      }),
  });
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/logout",
    summary: "End the session",
    codes: sessionRefusals,
    answer: none("The session has ended"),
    run: ({ principal, origin }) => signOut(database, principal, origin),
  });
  mountMailLinkRoutes(router, dependencies);
  mountAccountRoutes(router, dependencies);
  mountProviderRoutes(router, dependencies);
  mountOwnTokenRoutes(router, dependencies);
  mountAuthorizationRoutes(router, dependencies);
  service.route("/", router);
}
