import {
  type AuditActor,
  createRecord,
  type Database,
  deleteRecord,
  entityTagOf,
  listRecords,
  lockRecord,
  type Page,
  type PageRequest,
  type Queryable,
  type RecordKind,
  readMatching,
  readRecord,
  requireFound,
  requireLegibleName,
  schema,
  updateRecord,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { eq, sql } from "drizzle-orm";
import {
  placeInTemplate,
  reasonOf,
  type TextFormat,
  type Variables,
} from "../liquid/render-liquid.ts";
import { fillDocument } from "./fill-document.ts";

/** The parts of a document's template that an administrator writes. */
export interface DocumentParts {
  readonly title: string;
  readonly format: TextFormat;
  readonly source: string;
  /** Values for the preview. */
  readonly sample: Variables;
}

export type DocumentChanges = {
  readonly [Part in keyof DocumentParts]?: DocumentParts[Part] | undefined;
};

/** The template of a document in one language. */
export interface DocumentTemplate extends DocumentParts {
  readonly id: string;
  readonly kind: "DOCUMENT";
  readonly key: string;
  readonly language: string;
  readonly updatedAt: string;
}

const { templates } = schema;
const kind: RecordKind = {
  name: "template",
  table: templates,
  from: "(select * from system.templates where kind = 'DOCUMENT') t",
  id: "t.id",
  json: `pg_catalog.json_build_object('id', t.id, 'kind', t.kind, 'key', t.key, 'language', t.language, 'title', t.subject,
    'format', t.format, 'source', t.text, 'sample', coalesce(t.sample, '{}'), 'updatedAt', t.updated_at)`,
  sortKey: "t.key || ' ' || t.language",
  searched: "t.key || ' ' || t.language || ' ' || t.subject",
};

/**
 * Returns the kind of a template.
 *
 * @throws AppError NOT_FOUND
 */
export async function templateKindOf(database: Database, id: string): Promise<"MAIL" | "DOCUMENT"> {
  const [row] = await database.orm
    .select({ kind: templates.kind })
    .from(templates)
    .where(eq(templates.id, id));
  return requireFound(row).kind;
}

/** Lists the templates of documents by key and language. */
export function listDocumentTemplates(
  database: Queryable,
  request: PageRequest & { readonly key: string | null; readonly language: string | null },
): Promise<Page<DocumentTemplate>> {
  return listRecords(database, kind, request, [
    { value: request.key, sql: (value) => `t.key = ${value}` },
    { value: request.language, sql: (value) => `system.fold(t.language) = system.fold(${value})` },
  ]);
}

/** @throws AppError NOT_FOUND */
export function readDocumentTemplate(database: Queryable, id: string): Promise<DocumentTemplate> {
  return readRecord(database, kind, id);
}

/** The entity tag of a document's template, without quotes. It changes with every part. */
export function tagOfDocumentTemplate(template: DocumentTemplate): string {
  const { id, title, format, source, sample } = template;
  return entityTagOf(JSON.stringify([id, title, format, source, sample]));
}

/**
 * Creates the template of a document in one language.
 *
 * @param input `language` is a canonical tag
 * @throws AppError VALUE_INVALID for a source that cannot be rendered with the sample; CONFLICT for a key that has this
 * language
 */
export async function createDocumentTemplate(
  database: Database,
  input: DocumentParts & { readonly key: string; readonly language: string },
  actor: AuditActor,
): Promise<DocumentTemplate> {
  await requireLegibleName(input.title, "/data/title");
  await previewDocument(input);
  const { key, language } = input;
  const insert = async ({ orm }: Pick<Database, "orm">) => {
    const now = sql`system.clock()`;
    const times = { createdAt: now, updatedAt: now };
    const row = { kind: "DOCUMENT", key, language, ...columnsOf(input), ...times } as const;
    const [created] = await orm.insert(templates).values(row).returning({ id: templates.id });
    return created?.id;
  };
  const message = "This key already has a template in this language";
  const conflict = { path: "/data/language", message };
  return createRecord(database, kind, input, insert, actor, conflict);
}

/**
 * Changes the given parts of a document's template.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALUE_INVALID for a source that cannot be rendered with the sample
 */
export async function updateDocumentTemplate(
  database: Database,
  id: string,
  changes: DocumentChanges,
  ifMatch: readonly string[] | undefined,
  actor: AuditActor,
): Promise<DocumentTemplate> {
  const condition = { ifMatch, tagOf: tagOfDocumentTemplate };
  const changedFields = Object.keys(changes);
  if (changedFields.length === 0) return readMatching(database, kind, id, condition);
  return updateRecord<DocumentTemplate>(
    database,
    kind,
    id,
    changedFields,
    async (transaction) => {
      await lockRecord(transaction, kind, id);
      const present = await readDocumentTemplate(transaction, id);
      await requireLegibleName(changes.title, "/data/title", async () => present.title);
      const next = mergeDocument(present, changes);
      await previewDocument(next);
      const { orm } = transaction;
      await orm.update(templates).set(columnsOf(next)).where(eq(templates.id, id));
    },
    actor,
    { condition },
  );
}

/** @throws AppError NOT_FOUND */
export function deleteDocumentTemplate(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  return deleteRecord(database, kind, id, actor);
}

/** Returns the parts of a template with the given ones changed. */
export function mergeDocument(current: DocumentParts, changes: DocumentChanges): DocumentParts {
  return {
    title: changes.title ?? current.title,
    format: changes.format ?? current.format,
    source: changes.source ?? current.source,
    sample: changes.sample ?? current.sample,
  };
}

/**
 * Renders a document with its sample.
 *
 * @throws AppError VALUE_INVALID
 */
export async function previewDocument(parts: DocumentParts): Promise<string> {
  const { source, format, sample } = parts;
  return fillDocument(source, format, sample).catch((error: unknown) => {
    const message = `Cannot be rendered: ${reasonOf(error)}`;
    throw createError("VALUE_INVALID", {
      path: "/data/source",
      message,
      details: placeInTemplate(error),
    });
  });
}

function columnsOf({ title, format, source, sample }: DocumentParts) {
  return { subject: title, format, text: source, sample };
}
