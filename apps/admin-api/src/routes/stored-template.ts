import {
  deleteTemplate,
  type MailTemplate,
  previewTemplate,
  readTemplate,
  tagOfTemplate,
  updateTemplate,
} from "@rowhouse/accounts";
import type { AuditActor, Database } from "@rowhouse/db";
import { createFault, throwFaults } from "@rowhouse/errors";
import {
  type DocumentTemplate,
  deleteDocumentTemplate,
  mergeDocument,
  openFrame,
  previewDocument,
  readDocumentTemplate,
  tagOfDocumentTemplate,
  templateKindOf,
  updateDocumentTemplate,
} from "@rowhouse/templates";
import { framePath } from "./template-frames.ts";
import {
  documentPartNames,
  mailPartNames,
  type TemplateChanges,
  type TemplateDraft,
} from "./template-parts.ts";

interface Tagged {
  readonly data: MailTemplate | DocumentTemplate;
  /** The entity tag, without quotes. */
  readonly tag: string;
}

/** Reads a template of either kind. @throws AppError NOT_FOUND */
export async function readStored(database: Database, id: string): Promise<Tagged> {
  return (await templateKindOf(database, id)) === "MAIL"
    ? taggedMail(await readTemplate(database, id))
    : taggedDocument(await readDocumentTemplate(database, id));
}

/** Changes a template of either kind. @throws AppError as `updateTemplate`; BODY_INVALID for parts of the other kind */
export async function changeStored(
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
export async function deleteStored(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
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
export async function previewStored(
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
