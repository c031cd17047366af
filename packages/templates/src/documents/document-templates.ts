import {
  type ChangesOf,
  type Database,
  documentTemplateKind,
  type RecordFilter,
  Records,
  requireFound,
  type StoredOf,
  schema,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { eq } from "drizzle-orm";
import { placeInTemplate, reasonOf } from "../liquid/render-liquid.ts";
import { fillDocument } from "./fill-document.ts";

/** The template of a document in one language. */
export type DocumentTemplate = StoredOf<typeof documentTemplateKind>;
export type DocumentChanges = ChangesOf<typeof documentTemplateKind>;

/** The parts of a document's template that an administrator writes. */
export type DocumentParts = Pick<DocumentTemplate, "title" | "format" | "source" | "sample">;

/** The templates of documents. A source that cannot be rendered with its sample is not stored. */
export const documentTemplateRecords: Records<typeof documentTemplateKind> = new Records(
  documentTemplateKind,
  {
    check: async (_, given, present) => {
      const current = present ?? (given as DocumentParts);
      await previewDocument(mergeDocument({ ...current, sample: current.sample ?? {} }, given));
    },
    columns: () => ({ kind: "DOCUMENT" }),
  },
);

/** Restricts a list to a key and to a language, without case. */
export function templateFilters(request: {
  readonly key: string | null;
  readonly language: string | null;
}): RecordFilter[] {
  return [
    { value: request.key, sql: (value) => `t.key = ${value}` },
    { value: request.language, sql: (value) => `system.fold(t.language) = system.fold(${value})` },
  ];
}

/**
 * Returns the kind of a template.
 *
 * @throws AppError NOT_FOUND
 */
export async function templateKindOf(database: Database, id: string): Promise<"MAIL" | "DOCUMENT"> {
  const { templates } = schema;
  const [row] = await database.orm
    .select({ kind: templates.kind })
    .from(templates)
    .where(eq(templates.id, id));
  return requireFound(row).kind;
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
