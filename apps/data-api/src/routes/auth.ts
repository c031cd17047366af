import { createRoute, z } from "@hono/zod-openapi";
import type { Authenticator } from "@rowhouse/access";
import { readOwnAccount, signIn, signOut } from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createApiRouter, envelope, errorAnswers, type Service } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { requireCredential, requireSignIn } from "../signed-in.ts";
import { originOf } from "./request-origin.ts";
import { mountTokenRoutes } from "./tokens.ts";

export interface AuthRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

const user = z.object({ id: z.string(), email: z.string(), name: z.string() });

const login = createRoute({
  method: "post",
  path: "/api/auth/login",
  summary: "Sign in with email and password",
  security: [],
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: z.strictObject({ email: z.string().max(320), password: z.string().max(1024) }),
        },
      },
    },
  },
  responses: {
    200: {
      description: "A session",
      content: {
        "application/json": { schema: z.object({ data: z.object({ token: z.string(), user }) }) },
      },
    },
    ...errorAnswers("BODY_INVALID", "INVALID_CREDENTIALS", "EMAIL_NOT_VERIFIED"),
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

const me = createRoute({
  method: "get",
  path: "/api/auth/me",
  summary: "The signed-in user",
  responses: {
    200: {
      description: "The user",
      content: {
        "application/json": {
          schema: z.object({
            data: user.extend({
              timeZone: z.string().nullable(),
              roles: z.array(z.object({ id: z.string(), name: z.string() })),
            }),
          }),
        },
      },
    },
    ...errorAnswers("AUTHENTICATION_REQUIRED"),
  },
});

/** The authentication routes (spec §4.1): fields at the top level of the body. */
export function mountAuthRoutes(service: Service, dependencies: AuthRoutesDependencies): void {
  const { database, snapshots, authenticator } = dependencies;
  const router = createApiRouter({
    bodyBytesMax: async () => settingsOf(await snapshots.current())["limits.body_bytes"],
  });

  router.use("/api/auth/logout", requireSignIn(authenticator));
  router.use("/api/auth/me", requireCredential(authenticator));
  router.openapi(login, async (c) => {
    const signedIn = await signIn(
      database,
      await snapshots.fresh(),
      c.req.valid("json"),
      originOf(c),
    );
    return c.json(envelope(signedIn), 200);
  });
  router.openapi(logout, async (c) => {
    await signOut(database, c.get("signedIn"), originOf(c));
    return c.body(null, 204);
  });
  router.openapi(me, async (c) => {
    return c.json(envelope(await readOwnAccount(database, c.get("signedIn"))), 200);
  });
  mountTokenRoutes(router, dependencies);
  service.route("/", router);
}
