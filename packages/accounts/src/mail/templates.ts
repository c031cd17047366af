import {
  type AuditActor,
  type ChangesOf,
  type Database,
  type InputOf,
  mailTemplateKind,
  type Page,
  type PageRequest,
  type Queryable,
  Records,
  type StoredOf,
} from "@rowhouse/db";
import { createError, throwFaults } from "@rowhouse/errors";
import { templateFilters } from "@rowhouse/templates";
import { englishTemplates } from "./built-in/english.ts";
import { germanTemplates } from "./built-in/german.ts";
import { checkTemplate } from "./check-template.ts";
import type { MailKey } from "./mail-kinds.ts";
import type { MailTexts } from "./render-template.ts";
import { mailVariablesOf } from "./sample-values.ts";

type Stored = StoredOf<typeof mailTemplateKind>;

/** The text of an account mail in one language. */
export interface MailTemplate extends Stored {
  /** Names of the variables that it may use. */
  readonly variables: string[];
  /** The text that the service ships in this language; null if it ships none. */
  readonly builtIn: MailTexts | null;
}

export type TemplateParts = ChangesOf<typeof mailTemplateKind>;

const records = new Records(mailTemplateKind, {
  check: async (_, given, present) => {
    const current = present ?? (given as Stored);
    const next = mergeParts({ ...current, html: current.html ?? null }, given);
    throwFaults(await checkTemplate(current.key, next));
  },
});

/** Lists the templates of account mails by key and language; `search` matches keys, languages and subjects. */
export async function listTemplates(
  database: Queryable,
  request: PageRequest & { readonly key: string | null; readonly language: string | null },
): Promise<Page<MailTemplate>> {
  const { items, nextCursor } = await records.list(database, request, templateFilters(request));
  return { items: items.map(toTemplate), nextCursor };
}

/**
 * Reads one template.
 *
 * @throws AppError NOT_FOUND
 */
export async function readTemplate(database: Queryable, id: string): Promise<MailTemplate> {
  return toTemplate(await records.read(database, id));
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
  input: InputOf<typeof mailTemplateKind>,
  actor: AuditActor,
): Promise<MailTemplate> {
  return toTemplate(await records.create(database, input, actor));
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
export const tagOfTemplate: (template: Stored) => string = records.tagOf;

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
  return toTemplate(await records.update(database, id, changes, actor, ifMatch));
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
  // The language of a template never changes.
  const { language } = await records.read(database, id);
  if (language.toLowerCase() === "en") {
    throw createError("CONFLICT", {
      message:
        "The English template cannot be deleted: it serves all users whose language has no template",
    });
  }
  await records.remove(database, id, actor);
}

function toTemplate(stored: Stored): MailTemplate {
  const { key, language } = stored;
  return { ...stored, variables: mailVariablesOf(key), builtIn: builtInTemplate(key, language) };
}

/** The languages in which the service ships the texts of mails. */
export const builtInLanguages = ["en", "de"] as const;

/** Returns the mail's text that the service ships in a language; null if it ships none. */
export function builtInTemplate(key: MailKey, language: string): MailTexts | null {
  if (language === "en") return englishTemplates[key];
  return language === "de" ? germanTemplates[key] : null;
}
