import { createRoute, z } from "@hono/zod-openapi";
import type { Authenticator } from "@rowhouse/access";
import { listLinkedAccounts, unlinkAccount } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, envelope, errorAnswers } from "@rowhouse/http";
import { requireSignIn } from "../principal.ts";
import { dataAnswer } from "./auth-parts.ts";
import { originOf } from "./request-origin.ts";

const linkedAccount = z
  .object({
    id: z.string(),
    issuer: z.string(),
    provider: z.object({ key: z.string(), name: z.string() }).nullable(),
    createdAt: z.string().openapi({ format: "date-time" }),
  })
  .openapi("LinkedAccount");
const refusals = ["AUTHENTICATION_REQUIRED", "SESSION_REQUIRED"] as const;

const list = createRoute({
  method: "get",
  path: "/api/auth/linked-accounts",
  summary: "List your linked accounts at providers",
  responses: {
    200: dataAnswer(z.array(linkedAccount), "Oldest first"),
    ...errorAnswers(...refusals),
  },
});
const unlink = createRoute({
  method: "delete",
  path: "/api/auth/linked-accounts/{id}",
  summary: "Unlink an account at a provider",
  request: { params: z.object({ id: z.guid() }) },
  responses: {
    204: { description: "The account is unlinked" },
    ...errorAnswers(...refusals, "RECENT_SIGN_IN_REQUIRED", "NOT_FOUND", "CONFLICT"),
  },
});

/** Linked accounts at providers; `POST /api/auth/oauth/{provider}/link` adds one. */
export function mountLinkedAccountRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly authenticator: Authenticator },
): void {
  const { database, authenticator } = dependencies;
  router.use("/api/auth/linked-accounts/*", requireSignIn(authenticator));

  router.openapi(list, async (c) =>
    c.json(envelope(await listLinkedAccounts(database, c.get("principal").userId)), 200),
  );
  router.openapi(unlink, async (c) => {
    await unlinkAccount(database, c.get("principal"), c.req.valid("param").id, originOf(c));
    return c.body(null, 204);
  });
}
