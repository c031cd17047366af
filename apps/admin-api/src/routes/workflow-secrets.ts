import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import {
  createWorkflowSecret,
  deleteWorkflowSecret,
  listWorkflowSecrets,
  readWorkflowSecret,
  secretNameForm,
  updateWorkflowSecret,
} from "@rowhouse/workflows";
import { mountRecords } from "../record-routes.ts";
import { moment } from "../route-parts.ts";

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
/** Serves secrets of workflows: their values can be written and deleted, never read. */
export function mountWorkflowSecretRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  const { database } = dependencies;
  mountRecords(router, {
    path: "/admin/api/workflow-secrets",
    params: z.object({ name: z.string() }),
    noun: "secret",
    item: secret,
    list: {
      summary: "List the secrets of workflows, without their values",
      order: "By name",
      run: ({ page }) => listWorkflowSecrets(database, page),
    },
    create: {
      summary: "Create an encrypted secret that workflows name as {{secrets.NAME}}",
      body: input,
      answer: "The secret, without its value",
      codes: ["CONFLICT"],
      run: ({ data, actor }) => createWorkflowSecret(dependencies, data, actor),
    },
    read: {
      summary: "Get a secret, without its value",
      run: ({ at }) => readWorkflowSecret(database, at.name),
    },
    update: {
      summary:
        "Change a secret's value or description; the next step that uses the secret gets the new value",
      body: z.strictObject(changeable).partial(),
      answer: "The secret, without its value",
      run: ({ at, data, actor }) => updateWorkflowSecret(dependencies, at.name, data, actor),
    },
    remove: {
      summary: "Delete a secret; steps that name it fail from now on",
      answer: "Secret deleted",
      run: ({ at, actor }) => deleteWorkflowSecret(database, at.name, actor),
    },
  });
}
