import { createRoute, z } from "@hono/zod-openapi";
import { readOwnAccount } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { dataAnswer } from "../../route-parts.ts";

const person = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    timeZone: z.string().nullable(),
    language: z.string().nullable(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    isAdministrator: z.boolean(),
    mayCreateTokens: z.boolean(),
  })
  .openapi("Person");

const read = createRoute({
  method: "get",
  path: "/app/api/me",
  operationId: "readMe",
  summary: "Get the principal of the request",
  responses: { 200: dataAnswer(person, "The person") },
});

/** Serves the principal with everything that a front end needs before its other requests. */
export function mountMeRoute(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(read, async (c) => {
    const { isAdministrator, mayCreateTokens, ...principal } = c.get("principal");
    const account = await readOwnAccount(database, principal);
    return c.json({ data: { ...account, isAdministrator, mayCreateTokens } }, 200);
  });
}
