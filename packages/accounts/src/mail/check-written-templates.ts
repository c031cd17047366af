import type { Queryable } from "@rowhouse/db";
import { AppError, type Fault } from "@rowhouse/errors";
import { type DocumentParts, previewDocument } from "@rowhouse/templates";
import { checkTemplate } from "./check-template.ts";
import { isMailKey } from "./mail-kinds.ts";
import type { MailTexts } from "./render-template.ts";

type WrittenTemplate = MailTexts & { readonly key: string } & (
    | { readonly kind: "MAIL" }
    | ({ readonly kind: "DOCUMENT" } & Pick<DocumentParts, "format" | "sample">)
  );

/**
 * Returns the faults of the templates that a transaction has written, as the Admin API reports them. A savepoint has a
 * younger number than its transaction.
 */
async function findTemplateFaults(transaction: Queryable): Promise<Fault[]> {
  const written = await transaction.query<WrittenTemplate & Record<string, unknown>>(
    `select t.kind, t.key, t.subject, t.text, t.html, t.format, coalesce(t.sample, '{}') as sample from system.templates t
     where pg_catalog.age(t.xmin) <= pg_catalog.age(pg_catalog.pg_current_xact_id()::xid)`,
  );
  const faults: Fault[] = [];
  for (const template of written) faults.push(...(await faultsOf(template)));
  return faults;
}

/** The check of the templates that the Data API, workflows and imports write. */
export const templateCheck = { table: "templates", findFaults: findTemplateFaults } as const;

async function faultsOf(template: WrittenTemplate): Promise<readonly Fault[]> {
  if (template.kind === "MAIL") {
    return isMailKey(template.key) ? checkTemplate(template.key, template) : [];
  }
  const { subject: title, text: source, format, sample } = template;
  try {
    await previewDocument({ title, source, format, sample });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The column of a document's source.
    return error.faults.map((fault) => ({ ...fault, path: "/data/text" }));
  }
}
