import { createRoute, z } from "@hono/zod-openapi";
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  type MailKey,
  mailKinds,
  readTemplate,
  updateTemplate,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import { mountDelete, mountRead } from "../record-routes.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
} from "../route-parts.ts";

const key = z.enum(Object.keys(mailKinds) as [MailKey, ...MailKey[]]);
const language = z.string().max(35);
const parts = {
  subject: z.string().min(1).max(500),
  text: z.string().min(1).max(50_000),
  html: z.string().min(1).max(50_000).nullable(),
};

const template = z
  .object({
    id: z.string(),
    key,
    language: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string().nullable(),
    variables: z.array(z.string()).openapi({ description: "Variables that the template may use" }),
    updatedAt: moment,
  })
  .openapi("MailTemplate");

const list = createRoute({
  method: "get",
  path: "/admin/api/templates",
  summary: "List the templates of account mails",
  request: {
    query: pageQuery.extend({ key: key.optional(), language: language.optional() }),
  },
  responses: { 200: listAnswer(template, "By key and language"), ...errorAnswers("QUERY_INVALID") },
});
const create = createRoute({
  method: "post",
  path: "/admin/api/templates",
  summary: "Add a language to a mail",
  request: dataBody(z.strictObject({ key, language, ...parts, html: parts.html.optional() })),
  responses: {
    201: dataAnswer(template, "The template"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "CONFLICT"),
  },
});
const update = createRoute({
  method: "patch",
  path: "/admin/api/templates/{id}",
  summary: "Change a template; it is tested with example values before it is stored",
  request: { params: idParams, ...dataBody(z.strictObject(parts).partial()) },
  responses: {
    200: dataAnswer(template, "The template"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND"),
  },
});

/** Serves the templates of account mails in each language. */
export function mountTemplateRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  router.openapi(list, async (c) => {
    const query = c.req.valid("query");
    const filter = { key: query.key ?? null, language: query.language ?? null };
    const page = await listTemplates(database, { ...pageRequest(query), ...filter });
    return c.json(pageEnvelope(page), 200);
  });
  router.openapi(create, async (c) => {
    const { data } = c.req.valid("json");
    const input = { ...data, html: data.html ?? null };
    return c.json({ data: await createTemplate(database, input, actorOf(c)) }, 201);
  });
  mountRead(
    router,
    "/admin/api/templates",
    template,
    { summary: "Get a template", description: "The template" },
    (id) => readTemplate(database, id),
  );
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const { data } = c.req.valid("json");
    return c.json({ data: await updateTemplate(database, id, data, actorOf(c)) }, 200);
  });
  mountDelete(
    router,
    "/admin/api/templates",
    {
      summary: "Delete a language of a mail",
      description: "Template deleted; its readers receive the mail in English",
    },
    (id, actor) => deleteTemplate(database, id, actor),
    ["CONFLICT"],
  );
}
