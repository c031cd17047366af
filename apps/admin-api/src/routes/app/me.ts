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
  summary: "Who is signed in",
  responses: { 200: dataAnswer(person, "The person") },
});

/** Who is signed in, with what a front end has to know before it asks for anything. */
export function mountMeRoute(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(read, async (c) => {
    const { isAdministrator, mayCreateTokens, ...principal } = c.get("person");
    const account = await readOwnAccount(database, principal);
    return c.json({ data: { ...account, isAdministrator, mayCreateTokens } }, 200);
  });
}
