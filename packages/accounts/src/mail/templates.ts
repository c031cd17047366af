import {
  type AuditActor,
  arrayLiteral,
  type Database,
  entityTagOf,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireEntityTag,
  requireFound,
  schema,
  toPage,
} from "@rowhouse/db";
import { createError, throwFaults } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import { and, eq, inArray, sql } from "drizzle-orm";
import { englishTemplates } from "./built-in/english.ts";
import { germanTemplates } from "./built-in/german.ts";
import { checkTemplate } from "./check-template.ts";
import { type MailKey, mailKinds } from "./mail-kinds.ts";
import type { MailTexts } from "./render-template.ts";
import { mailVariablesOf } from "./sample-values.ts";

/** The text of an account mail in one language. */
export interface MailTemplate extends MailTexts {
  readonly id: string;
  readonly kind: "MAIL";
  readonly key: MailKey;
  readonly language: string;
  /** Names of the variables that it may use. */
  readonly variables: string[];
  /** The text that the service ships in this language; null if it ships none. */
  readonly builtIn: MailTexts | null;
  readonly updatedAt: string;
}

export type TemplateParts = { readonly [Part in keyof MailTexts]?: MailTexts[Part] | undefined };

type TemplateRow = Omit<MailTemplate, "variables" | "builtIn">;

const { templates } = schema;

const rowJson = `pg_catalog.json_build_object('id', t.id, 'kind', t.kind, 'key', t.key, 'language', t.language, 'subject', t.subject,
  'text', t.text, 'html', t.html, 'updatedAt', t.updated_at)`;
const mailKeys = Object.keys(mailKinds);
const keys = arrayLiteral(mailKeys);

/** Lists the templates of account mails by key and language; `search` matches keys, languages and subjects. */
export async function listTemplates(
  database: Queryable,
  request: PageRequest & { readonly key: string | null; readonly language: string | null },
): Promise<Page<MailTemplate>> {
  const [afterKey, afterLanguage, afterId] = readCursor(request.cursor, [
    isStorableText,
    isStorableText,
    isUuid,
  ]);
  const rows = await database.query<{ template: TemplateRow }>(
    `select ${rowJson} as template from system.templates t
     where t.kind = 'MAIL' and t.key = any ($1::text::text[])
       and ($2::text is null or t.key = $2::text) and ($3::text is null or system.fold(t.language) = system.fold($3::text))
       and ($4::text is null or position(system.fold($4::text) in system.fold(t.key || ' ' || t.language || ' ' || t.subject)) > 0)
       and ($5::text is null or (t.key, t.language, t.id) > ($5::text, $6::text, $7::text::uuid))
     order by t.key, t.language, t.id limit $8::text::integer`,
    [
      keys,
      request.key,
      request.language,
      request.search,
      afterKey,
      afterLanguage,
      afterId,
      String(request.limit + 1),
    ],
  );
  const found = rows.map((row) => toTemplate(row.template));
  return toPage(found, request.limit, ({ key, language, id }) => [key, language, id]);
}

/**
 * Reads one template.
 *
 * @throws AppError NOT_FOUND
 */
export async function readTemplate(database: Queryable, id: string): Promise<MailTemplate> {
  const [row] = await database.query<{ template: TemplateRow }>(
    `select ${rowJson} as template from system.templates t
     where t.id = $1::text::uuid and t.kind = 'MAIL' and t.key = any ($2::text::text[])`,
    [id, keys],
  );
  return toTemplate(requireFound(row).template);
}

/**
 * Adds a language to a mail.
 *
 * @param input `language` is a canonical tag
 * @throws AppError VALUE_INVALID for parts that fail to render; CONFLICT for a
 * language that the mail already has
 */
export async function createTemplate(
  database: Database,
  input: MailTexts & { readonly key: MailKey; readonly language: string },
  actor: AuditActor,
): Promise<MailTemplate> {
  const { key, language, subject, text, html } = input;
  throwFaults(await checkTemplate(key, input));
  return makeChange(
    database,
    actor,
    async (transaction) => {
      const now = sql`system.clock()`;
      const [row] = await transaction.orm
        .insert(templates)
        .values({ key, language, subject, text, html, createdAt: now, updatedAt: now })
        .returning({ id: templates.id });
      const { id } = requireFound(row);
      return {
        result: await readTemplate(transaction, id),
        entry: { action: "template.create", targetKind: "template", targetId: id },
      };
    },
    { path: "/data/language", message: "This mail already has a template in this language" },
  );
}

/** Returns the template with the given parts changed. */
export function mergeParts(current: MailTexts, changes: TemplateParts): MailTexts {
  return {
    subject: changes.subject ?? current.subject,
    text: changes.text ?? current.text,
    html: changes.html === undefined ? current.html : changes.html,
  };
}

/** The entity tag of a template, without quotes. It changes with every part. */
export function tagOfTemplate({ id, subject, text, html }: MailTexts & { id: string }): string {
  return entityTagOf(JSON.stringify([id, subject, text, html]));
}

/**
 * Changes the given fields of a template.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED if the template has none of the tags; VALUE_INVALID for parts that
 * fail to render
 */
export async function updateTemplate(
  database: Database,
  id: string,
  changes: TemplateParts,
  ifMatch: readonly string[] | undefined,
  actor: AuditActor,
): Promise<MailTemplate> {
  const changedFields = Object.keys(changes);
  return makeChange(database, actor, async (transaction) => {
    const { key, subject, text, html } = templates;
    const [row] = await transaction.orm
      .select({ key: sql<MailKey>`${key}`, subject, text, html })
      .from(templates)
      .where(and(eq(templates.id, id), inArray(key, mailKeys)))
      .for("update");
    const current = requireFound(row);
    const tag = tagOfTemplate({ id, ...current });
    requireEntityTag(tag, ifMatch, "The template has changed since it was read");
    const next = mergeParts(current, changes);
    if (changedFields.length > 0) {
      throwFaults(await checkTemplate(current.key, next));
      await transaction.orm
        .update(templates)
        .set({ ...next, updatedAt: sql`system.clock()` })
        .where(eq(templates.id, id));
    }
    const entry = {
      action: "template.update" as const,
      targetKind: "template",
      targetId: id,
      changedFields,
    };
    return {
      result: await readTemplate(transaction, id),
      entry: changedFields.length === 0 ? null : entry,
    };
  });
}

/**
 * Removes a language from a mail; its readers get the mail in English.
 *
 * @throws AppError NOT_FOUND; CONFLICT for English
 */
export async function deleteTemplate(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    const { language } = await readTemplate(transaction, id);
    if (language.toLowerCase() === "en") {
      throw createError("CONFLICT", {
        message:
          "The English template cannot be deleted: it serves all users whose language has no template",
      });
    }
    await transaction.orm.delete(templates).where(eq(templates.id, id));
    return {
      result: undefined,
      entry: { action: "template.delete", targetKind: "template", targetId: id },
    };
  });
}

function toTemplate(row: TemplateRow): MailTemplate {
  const { key, language } = row;
  return { ...row, variables: mailVariablesOf(key), builtIn: builtInTemplate(key, language) };
}

/** The languages in which the service ships the texts of mails. */
export const builtInLanguages = ["en", "de"] as const;

/** Returns the mail's text that the service ships in a language; null if it ships none. */
export function builtInTemplate(key: MailKey, language: string): MailTexts | null {
  if (language === "en") return englishTemplates[key];
  return language === "de" ? germanTemplates[key] : null;
}
