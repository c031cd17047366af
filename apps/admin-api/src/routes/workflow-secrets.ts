import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import {
  createWorkflowSecret,
  deleteWorkflowSecret,
  listWorkflowSecrets,
  readWorkflowSecret,
  secretNameForm,
  updateWorkflowSecret,
} from "@rowhouse/workflows";
import { actorOf } from "../administrator.ts";
import {
  dataAnswer,
  dataBody,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

/**
 * Minimum length. A shorter text occurs in other texts by chance: redacting it would damage responses and reveal the
 * secret.
 */
const valueLengthMin = 8;
const valueLengthMax = 4096;

const secret = z
  .object({
    name: z.string(),
    description: z.string(),
    createdAt: moment,
    updatedAt: moment,
    usedBy: z.array(z.string()).openapi({
      description: "Slugs of the workflows whose published version names it, at most 100",
    }),
  })
  .openapi("WorkflowSecret");

const changeable = {
  value: z
    .string()
    .min(valueLengthMin)
    .max(valueLengthMax)
    .refine((text) => text.trim() === text, "A secret cannot begin or end with white space")
    .openapi({ description: "Never returned", writeOnly: true }),
  description: z.string().max(500).optional(),
};
const input = z.strictObject({
  name: z
    .string()
    .regex(secretNameForm, "Must be upper-case letters, digits and _, starting with a letter"),
  ...changeable,
});
const nameParams = z.object({ name: z.string() });

const list = createRoute({
  method: "get",
  path: "/admin/api/workflow-secrets",
  summary: "List the secrets of workflows, without their values",
  request: { query: pageQuery },
  responses: { 200: listAnswer(secret, "By name"), ...errorAnswers("QUERY_INVALID") },
});
const create = createRoute({
  method: "post",
  path: "/admin/api/workflow-secrets",
  summary: "Create an encrypted secret that workflows name as {{secrets.NAME}}",
  request: dataBody(input),
  responses: {
    201: dataAnswer(secret, "The secret, without its value"),
    ...errorAnswers("BODY_INVALID", "CONFLICT"),
  },
});
const read = createRoute({
  method: "get",
  path: "/admin/api/workflow-secrets/{name}",
  summary: "Get a secret, without its value",
  request: { params: nameParams },
  responses: { 200: dataAnswer(secret, "The secret"), ...errorAnswers("NOT_FOUND") },
});
const update = createRoute({
  method: "patch",
  path: "/admin/api/workflow-secrets/{name}",
  summary:
    "Change a secret's value or description; the next step that uses the secret gets the new value",
  request: { params: nameParams, ...dataBody(z.strictObject(changeable).partial()) },
  responses: {
    200: dataAnswer(secret, "The secret, without its value"),
    ...errorAnswers("BODY_INVALID", "NOT_FOUND"),
  },
});
const remove = createRoute({
  method: "delete",
  path: "/admin/api/workflow-secrets/{name}",
  summary: "Delete a secret; steps that name it fail from now on",
  request: { params: nameParams },
  responses: { 204: { description: "Secret deleted" }, ...errorAnswers("NOT_FOUND") },
});

/** Serves secrets of workflows: their values can be written and deleted, never read. */
export function mountWorkflowSecretRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  const { database } = dependencies;
  router.openapi(list, async (c) =>
    c.json(
      pageEnvelope(await listWorkflowSecrets(database, pageRequest(c.req.valid("query")))),
      200,
    ),
  );
  router.openapi(create, async (c) => {
    const { data } = c.req.valid("json");
    return c.json({ data: await createWorkflowSecret(dependencies, data, actorOf(c)) }, 201);
  });
  router.openapi(read, async (c) =>
    c.json({ data: await readWorkflowSecret(database, c.req.valid("param").name) }, 200),
  );
  router.openapi(update, async (c) => {
    const { name } = c.req.valid("param");
    const { data } = c.req.valid("json");
    return c.json({ data: await updateWorkflowSecret(dependencies, name, data, actorOf(c)) }, 200);
  });
  router.openapi(remove, async (c) => {
    await deleteWorkflowSecret(database, c.req.valid("param").name, actorOf(c));
    return c.body(null, 204);
  });
}
