import { z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import type { Vault } from "@rowhouse/vault";
import { secretNameForm, secretsOfProviders, secretsOfWorkflows } from "@rowhouse/workflows";
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
      description:
        "Slugs of the workflows whose published version names it, at most 100; empty for a secret of providers",
    }),
  })
  .openapi("StoredSecret");

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

/** What the routes of each kind of secret say. */
const kinds = [
  {
    path: "/admin/api/workflow-secrets",
    secrets: secretsOfWorkflows,
    of: "workflows",
    create: "Create an encrypted secret that workflows name as {{secrets.NAME}}",
    update: "Change a secret's value or description; the next step that uses it gets the new value",
    remove: "Delete a secret; steps that name it fail from now on",
  },
  {
    path: "/admin/api/provider-secrets",
    secrets: secretsOfProviders,
    of: "providers",
    create: "Create an encrypted secret that documents of providers name as { secret: NAME }",
    update:
      "Change a secret's value or description; a provider takes the new value when its document is applied with another issuer",
    remove: "Delete a secret; providers keep the value that they took from it",
  },
] as const;

/**
 * Serves the stored secrets of workflows and those of providers: their values can be written and deleted, never read. No
 * secret serves both.
 */
export function mountSecretRoutes(
  router: ApiRouter,
  dependencies: { readonly database: Database; readonly vault: Vault },
): void {
  const { database } = dependencies;
  for (const { path, secrets, of, ...summaries } of kinds) {
    mountRecords(router, {
      path,
      params: z.object({ name: z.string() }),
      noun: "secret",
      item: secret,
      list: {
        summary: `List the secrets of ${of}, without their values`,
        order: "By name",
        run: ({ page }) => secrets.list(database, page),
      },
      create: {
        summary: summaries.create,
        body: input,
        answer: "The secret, without its value",
        codes: ["CONFLICT", "VALUE_INVALID"],
        run: ({ data, actor }) => secrets.create(dependencies, data, actor),
      },
      read: {
        summary: "Get a secret, without its value",
        run: ({ at }) => secrets.read(database, at.name),
      },
      update: {
        summary: summaries.update,
        body: z.strictObject(changeable).partial(),
        answer: "The secret, without its value",
        codes: ["VALUE_INVALID"],
        run: ({ at, data, actor }) => secrets.update(dependencies, at.name, data, actor),
      },
      remove: {
        summary: summaries.remove,
        answer: "Secret deleted",
        run: ({ at, actor }) => secrets.remove(database, at.name, actor),
      },
    });
  }
}
