import { z } from "@hono/zod-openapi";
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
import { type ApiRouter, one } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { canonicalLanguage, settingsOf } from "@rowhouse/settings";
import {
  type DocumentTemplate,
  documentTemplateRecords,
  mergeDocument,
  openFrame,
  previewDocument,
  templateFilters,
  templateKindOf,
} from "@rowhouse/templates";
import { mountRoute } from "../mount-route.ts";
import { mountRecords } from "../record-routes.ts";
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
  mountRoute(router, {
    method: "get",
    path: "/admin/api/mail-server",
    summary: "Tell whether a mail server is configured",
    answer: one(
      z.object({
        isConfigured: z.boolean().openapi({
          description: "Whether `SMTP_URL` is set; otherwise mails are written to files",
        }),
      }),
      "Of the process that answers",
    ),
    run: () => ({ isConfigured: mails.sendNow !== null }),
  });
  const path = "/admin/api/templates";
  mountRecords(router, {
    path,
    noun: "template",
    item: template,
    exact: true,
    tagOf,
    list: {
      summary: "List the templates of mails, or those of documents",
      order: "By key and language",
      query: z.object(listFilters),
      run: async ({ page, query: { kind, key = null, language = null } }) => {
        const request = { ...page, key, language };
        return kind === "DOCUMENT"
          ? documentTemplateRecords.list(database, page, templateFilters(request))
          : listTemplates(database, request);
      },
    },
    create: {
      summary: "Add a language to a mail, or a document in a language",
      body: newTemplate,
      codes: ["VALUE_INVALID", "CONFLICT"],
      run: async ({ data, actor }) => {
        const language = requireLanguage(data.language);
        if (data.kind === "DOCUMENT") {
          const { kind: _, ...parts } = data;
          return documentTemplateRecords.create(database, { ...parts, language }, actor);
        }
        const { kind: _, ...texts } = data;
        return createTemplate(database, { ...texts, language }, actor);
      },
    },
    read: { summary: "Get a template", run: ({ at }) => readStored(database, at.id) },
    update: {
      summary: "Change a template; it is tested with sample values before it is stored",
      body: changes,
      codes: ["VALUE_INVALID"],
      run: ({ at, data, actor, ifMatch }) => changeStored(database, at.id, data, ifMatch, actor),
    },
    remove: {
      summary: "Delete a language of a mail or of a document",
      answer: "Template deleted; readers of the mail receive it in English",
      codes: ["CONFLICT"],
      run: ({ at, actor }) => deleteStored(database, at.id, actor),
    },
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/preview`,
    summary: "Render a template with sample values; no change is stored, and nothing is sent",
    body: draft,
    exactBody: true,
    codes: ["VALUE_INVALID"],
    answer: one(previewed, "The mail as its reader would receive it, or the document"),
    run: ({ at, data, c }) => previewStored(database, at.id, data, c.get("principal").session),
  });
  mountRoute(router, {
    method: "post",
    path: `${path}/{id}/test-mail`,
    summary: "Send the template of a mail with sample values to the caller's own address",
    body: mailDraft,
    codes: ["VALUE_INVALID", "CONFLICT", "RATE_LIMIT_EXCEEDED"],
    answer: one(
      z.object({
        to: z.string(),
        response: z.string().openapi({ description: "The response of the mail server" }),
      }),
      "The mail server accepted the mail",
    ),
    run: async ({ at, data, actor, c }) => {
      const callsPerMinute = settingsOf(await snapshots.fresh())["auth.mails_per_minute"];
      const limit = { name: "test-mail", callsPerMinute, withoutCounters: "COUNT_HERE" } as const;
      await rateLimits.limit(limit).check(c.env.edge.clientAddress);
      const { userId } = c.get("principal");
      return sendTestMail(database, mails, at.id, data, { ...actor, userId });
    },
  });
}

/** @throws AppError VALUE_INVALID */
function requireLanguage(text: string): string {
  const language = canonicalLanguage(text);
  if (language !== undefined) return language;
  const message = "Must be a language tag, such as de or pt-BR";
  throw createError("VALUE_INVALID", { path: "/data/language", message });
}

type Template = MailTemplate | DocumentTemplate;

function tagOf(stored: Template): string {
  return stored.kind === "MAIL" ? tagOfTemplate(stored) : documentTemplateRecords.tagOf(stored);
}

/** Reads a template of either kind. @throws AppError NOT_FOUND */
async function readStored(database: Database, id: string): Promise<Template> {
  return (await templateKindOf(database, id)) === "MAIL"
    ? readTemplate(database, id)
    : documentTemplateRecords.read(database, id);
}

/** Changes a template of either kind. @throws AppError as `updateTemplate`; BODY_INVALID for parts of the other kind */
async function changeStored(
  database: Database,
  id: string,
  changes: TemplateChanges,
  ifMatch: readonly string[] | undefined,
  actor: AuditActor,
): Promise<Template> {
  if ((await templateKindOf(database, id)) === "MAIL") {
    refuseOthers(changes, mailPartNames);
    return updateTemplate(database, id, changes, ifMatch, actor);
  }
  refuseOthers(changes, documentPartNames);
  return documentTemplateRecords.update(database, id, changes, actor, ifMatch);
}

/** Deletes a template of either kind. @throws AppError NOT_FOUND; CONFLICT for a mail in English */
async function deleteStored(database: Database, id: string, actor: AuditActor): Promise<void> {
  return (await templateKindOf(database, id)) === "MAIL"
    ? deleteTemplate(database, id, actor)
    : documentTemplateRecords.remove(database, id, actor);
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
  const parts = mergeDocument(await documentTemplateRecords.read(database, id), draft);
  const content = await previewDocument(parts);
  const { format } = parts;
  const frame = await frameOf(format === "HTML" ? content : null);
  return { kind: "DOCUMENT" as const, format, content, frame };
}

/** @throws AppError BODY_INVALID for parts that a template of this kind does not have */
function refuseOthers(given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const message = "A template of this kind has no such field";
  throwFaults(
    unknown.map((name) => createFault("BODY_INVALID", { path: `/data/${name}`, message })),
  );
}
