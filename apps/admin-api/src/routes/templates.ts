import { createRoute, z } from "@hono/zod-openapi";
import {
  type AccountMails,
  createTemplate,
  deleteTemplate,
  listTemplates,
  type MailKey,
  mailKinds,
  previewTemplate,
  readTemplate,
  sendTestMail,
  tagOfTemplate,
  updateTemplate,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/rate-limit";
import { settingsOf } from "@rowhouse/settings";
import { actorOf } from "../administrator.ts";
import { mountDelete } from "../record-routes.ts";
import {
  dataAnswer,
  dataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  moment,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
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
    builtIn: z
      .object({ subject: z.string(), text: z.string(), html: z.string().nullable() })
      .nullable()
      .openapi({ description: "The text that the service ships in this language" }),
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
const read = createRoute({
  method: "get",
  path: "/admin/api/templates/{id}",
  summary: "Get a template",
  request: { params: idParams },
  responses: {
    200: taggedAnswer(dataAnswer(template, "The template")),
    ...errorAnswers("NOT_FOUND"),
  },
});
const update = createRoute({
  method: "patch",
  path: "/admin/api/templates/{id}",
  summary: "Change a template; it is tested with sample values before it is stored",
  request: {
    params: idParams,
    headers: tagCondition("template"),
    ...dataBody(z.strictObject(parts).partial()),
  },
  responses: {
    200: taggedAnswer(dataAnswer(template, "The template")),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND", "PRECONDITION_FAILED"),
  },
});

const value = z.union([z.string().max(1000), z.number()]);
const draft = z.strictObject({
  ...z.strictObject(parts).partial().shape,
  values: z
    .record(z.string().regex(/^[a-z_]{1,50}$/, "The name of a variable"), value)
    .optional()
    .openapi({ description: "Values of variables in place of the sample values" }),
});
const preview = createRoute({
  method: "post",
  path: "/admin/api/templates/{id}/preview",
  summary: "Render a template with sample values; nothing is stored or sent",
  request: { params: idParams, ...dataBody(draft) },
  responses: {
    200: dataAnswer(
      z.object({
        subject: z.string(),
        text: z.string(),
        html: z.string().nullable(),
        variables: z
          .array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }))
          .openapi({ description: "The variables of the mail with the values used" }),
      }),
      "The mail as its reader would receive it",
    ),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND"),
  },
});
const testMail = createRoute({
  method: "post",
  path: "/admin/api/templates/{id}/test-mail",
  summary: "Send a template with sample values to the caller's own address",
  request: { params: idParams, ...dataBody(draft) },
  responses: {
    200: dataAnswer(
      z.object({
        to: z.string(),
        response: z.string().openapi({ description: "The response of the mail server" }),
      }),
      "The mail server accepted the mail",
    ),
    ...errorAnswers(
      "BODY_INVALID",
      "VALUE_INVALID",
      "NOT_FOUND",
      "CONFLICT",
      "RATE_LIMIT_EXCEEDED",
    ),
  },
});

interface TemplateRoutesDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly mails: AccountMails;
  readonly rateLimits: RateLimits;
}

/** Serves the templates of account mails in each language. */
export function mountTemplateRoutes(
  router: ApiRouter,
  { database, snapshots, mails, rateLimits }: TemplateRoutesDependencies,
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
  router.openapi(read, async (c) => {
    const data = await readTemplate(database, c.req.valid("param").id);
    return c.json({ data }, 200, tagHeaders(tagOfTemplate(data)));
  });
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const changes = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const data = await updateTemplate(database, id, changes, ifMatch, actorOf(c));
    return c.json({ data }, 200, tagHeaders(tagOfTemplate(data)));
  });
  router.openapi(preview, async (c) => {
    const { id } = c.req.valid("param");
    return c.json({ data: await previewTemplate(database, id, c.req.valid("json").data) }, 200);
  });
  router.openapi(testMail, async (c) => {
    const { id } = c.req.valid("param");
    const callsPerMinute = settingsOf(await snapshots.fresh())["auth.mails_per_minute"];
    const limit = { name: "test-mail", callsPerMinute, withoutCounters: "COUNT_HERE" } as const;
    await rateLimits.limit(limit).check(c.env.edge.clientAddress);
    const actor = { ...actorOf(c), userId: c.get("principal").userId };
    const sent = await sendTestMail(database, mails, id, c.req.valid("json").data, actor);
    return c.json({ data: sent }, 200);
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
