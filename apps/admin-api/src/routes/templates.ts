import { createRoute, z } from "@hono/zod-openapi";
import {
  type AccountMails,
  createTemplate,
  deleteTemplate,
  listTemplates,
  type MailTemplate,
  previewTemplate,
  readTemplate,
  sendTestMail,
  tagOfTemplate,
  updateTemplate,
} from "@rowhouse/accounts";
import type { AuditActor, Database, SnapshotStore } from "@rowhouse/db";
import { createError, createFault, throwFaults } from "@rowhouse/errors";
import { type ApiRouter, errorAnswers } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { canonicalLanguage, settingsOf } from "@rowhouse/settings";
import {
  createDocumentTemplate,
  type DocumentTemplate,
  deleteDocumentTemplate,
  listDocumentTemplates,
  mergeDocument,
  openFrame,
  previewDocument,
  readDocumentTemplate,
  tagOfDocumentTemplate,
  templateKindOf,
  updateDocumentTemplate,
} from "@rowhouse/templates";
import { actorOf } from "../administrator.ts";
import { mountDelete } from "../record-routes.ts";
import {
  dataAnswer,
  dataBody,
  exactDataBody,
  idParams,
  ifMatchOf,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
  tagCondition,
  taggedAnswer,
  tagHeaders,
} from "../route-parts.ts";
import { framePath } from "./template-frames.ts";
import {
  changes,
  documentPartNames,
  draft,
  listFilters,
  mailDraft,
  mailPartNames,
  newTemplate,
  previewed,
  type TemplateChanges,
  type TemplateDraft,
  template,
} from "./template-parts.ts";

const list = createRoute({
  method: "get",
  path: "/admin/api/templates",
  summary: "List the templates of mails, or those of documents",
  request: { query: pageQuery.extend(listFilters) },
  responses: { 200: listAnswer(template, "By key and language"), ...errorAnswers("QUERY_INVALID") },
});
const create = createRoute({
  method: "post",
  path: "/admin/api/templates",
  summary: "Add a language to a mail, or a document in a language",
  request: exactDataBody(newTemplate),
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
    ...exactDataBody(changes),
  },
  responses: {
    200: taggedAnswer(dataAnswer(template, "The template")),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND", "PRECONDITION_FAILED"),
  },
});
const preview = createRoute({
  method: "post",
  path: "/admin/api/templates/{id}/preview",
  summary: "Render a template with sample values; no change is stored, and nothing is sent",
  request: { params: idParams, ...exactDataBody(draft) },
  responses: {
    200: dataAnswer(previewed, "The mail as its reader would receive it, or the document"),
    ...errorAnswers("BODY_INVALID", "VALUE_INVALID", "NOT_FOUND"),
  },
});
const testMail = createRoute({
  method: "post",
  path: "/admin/api/templates/{id}/test-mail",
  summary: "Send the template of a mail with sample values to the caller's own address",
  request: { params: idParams, ...dataBody(mailDraft) },
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

/** Serves the templates of mails and documents in each language. */
export function mountTemplateRoutes(
  router: ApiRouter,
  { database, snapshots, mails, rateLimits }: TemplateRoutesDependencies,
): void {
  router.openapi(list, async (c) => {
    const { kind, ...query } = c.req.valid("query");
    const request = {
      ...pageRequest(query),
      key: query.key ?? null,
      language: query.language ?? null,
    };
    const page =
      kind === "DOCUMENT"
        ? pageEnvelope(await listDocumentTemplates(database, request))
        : pageEnvelope(await listTemplates(database, request));
    return c.json(page, 200);
  });
  router.openapi(create, async (c) => {
    const { data } = c.req.valid("json");
    const language = requireLanguage(data.language);
    const actor = actorOf(c);
    const created =
      data.kind === "DOCUMENT"
        ? await createDocumentTemplate(
            database,
            { ...data, language, sample: data.sample ?? {} },
            actor,
          )
        : await createTemplate(database, { ...data, language, html: data.html ?? null }, actor);
    return c.json({ data: created }, 201);
  });
  router.openapi(read, async (c) => {
    const { data, tag } = await readStored(database, c.req.valid("param").id);
    return c.json({ data }, 200, tagHeaders(tag));
  });
  router.openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const given = c.req.valid("json").data;
    const ifMatch = ifMatchOf(c.req.valid("header"));
    const { data, tag } = await changeStored(database, id, given, ifMatch, actorOf(c));
    return c.json({ data }, 200, tagHeaders(tag));
  });
  router.openapi(preview, async (c) => {
    const { id } = c.req.valid("param");
    const { session } = c.get("principal");
    const data = await previewStored(database, id, c.req.valid("json").data, session);
    return c.json({ data }, 200);
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
      summary: "Delete a language of a mail or of a document",
      description: "Template deleted; readers of the mail receive it in English",
    },
    (id, actor) => deleteStored(database, id, actor),
    ["CONFLICT"],
  );
}

/** @throws AppError VALUE_INVALID */
function requireLanguage(text: string): string {
  const language = canonicalLanguage(text);
  if (language !== undefined) return language;
  const message = "Must be a language tag, such as de or pt-BR";
  throw createError("VALUE_INVALID", { path: "/data/language", message });
}

interface Tagged {
  readonly data: MailTemplate | DocumentTemplate;
  /** The entity tag, without quotes. */
  readonly tag: string;
}

/** Reads a template of either kind. @throws AppError NOT_FOUND */
async function readStored(database: Database, id: string): Promise<Tagged> {
  return (await templateKindOf(database, id)) === "MAIL"
    ? taggedMail(await readTemplate(database, id))
    : taggedDocument(await readDocumentTemplate(database, id));
}

/** Changes a template of either kind. @throws AppError as `updateTemplate`; BODY_INVALID for parts of the other kind */
async function changeStored(
  database: Database,
  id: string,
  changes: TemplateChanges,
  ifMatch: readonly string[] | undefined,
  actor: AuditActor,
): Promise<Tagged> {
  if ((await templateKindOf(database, id)) === "MAIL") {
    refuseOthers(changes, mailPartNames);
    return taggedMail(await updateTemplate(database, id, changes, ifMatch, actor));
  }
  refuseOthers(changes, documentPartNames);
  return taggedDocument(await updateDocumentTemplate(database, id, changes, ifMatch, actor));
}

/** Deletes a template of either kind. @throws AppError NOT_FOUND; CONFLICT for a mail in English */
async function deleteStored(database: Database, id: string, actor: AuditActor): Promise<void> {
  return (await templateKindOf(database, id)) === "MAIL"
    ? deleteTemplate(database, id, actor)
    : deleteDocumentTemplate(database, id, actor);
}

/**
 * Renders a template of either kind with changes that are not stored.
 *
 * @param session receives the address of the HTML for a frame; without one there is none
 * @throws AppError NOT_FOUND; VALUE_INVALID; BODY_INVALID for parts of the other kind
 */
async function previewStored(
  database: Database,
  id: string,
  draft: TemplateDraft,
  session: { readonly id: string } | null,
) {
  const frameOf = async (html: string | null) => {
    if (html === null || session === null) return null;
    return framePath(await openFrame(database, { sessionId: session.id, templateId: id, html }));
  };
  if ((await templateKindOf(database, id)) === "MAIL") {
    refuseOthers(draft, [...mailPartNames, "values"]);
    const mail = await previewTemplate(database, id, draft);
    return { kind: "MAIL" as const, ...mail, frame: await frameOf(mail.html) };
  }
  refuseOthers(draft, documentPartNames);
  const parts = mergeDocument(await readDocumentTemplate(database, id), draft);
  const content = await previewDocument(parts);
  const { format } = parts;
  const frame = await frameOf(format === "HTML" ? content : null);
  return { kind: "DOCUMENT" as const, format, content, frame };
}

function taggedMail(data: MailTemplate): Tagged {
  return { data, tag: tagOfTemplate(data) };
}

function taggedDocument(data: DocumentTemplate): Tagged {
  return { data, tag: tagOfDocumentTemplate(data) };
}

/** @throws AppError BODY_INVALID for parts that a template of this kind does not have */
function refuseOthers(given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const message = "A template of this kind has no such field";
  throwFaults(
    unknown.map((name) => createFault("BODY_INVALID", { path: `/data/${name}`, message })),
  );
}
