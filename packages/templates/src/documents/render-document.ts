import type { Queryable } from "@rowhouse/db";
import { DocumentFault } from "../liquid/document-fault.ts";
import { reasonOf, type TextFormat, type Variables } from "../liquid/render-liquid.ts";
import type { PdfPrinter } from "../print/pdf-printer.ts";
import { fillDocument } from "./fill-document.ts";
import { findTemplate } from "./find-template.ts";

export interface DocumentRequest {
  readonly key: string;
  /** A language tag; null for English. */
  readonly language: string | null;
  readonly data: Variables;
  /** Whether HTML is printed to a PDF file. */
  readonly isPdf: boolean;
}

export interface RenderedDocument {
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** Makes documents of templates. */
export interface Documents {
  /**
   * @throws DocumentFault TEMPLATE_NOT_FOUND, DOCUMENT_INVALID if Liquid rejects the template or a bound is exceeded,
   * DOCUMENT_FORMAT for a PDF file of a template without HTML, PDF_UNAVAILABLE, PDF_FAILED
   */
  render(request: DocumentRequest, signal?: AbortSignal): Promise<RenderedDocument>;
}

const mediaTypes: Readonly<Record<TextFormat, string>> = {
  HTML: "text/html",
  TEXT: "text/plain",
  CSV: "text/csv",
};

export function createDocuments(database: Queryable, printer: PdfPrinter): Documents {
  return {
    render: async ({ key, language, data, isPdf }, signal) => {
      const template = await findTemplate(database, "DOCUMENT", key, language);
      if (template === undefined || template.format === null) {
        const message = `There is no document template with the key ${key} in this language or in English`;
        throw new DocumentFault("TEMPLATE_NOT_FOUND", message);
      }
      const { text, format } = template;
      if (isPdf && format !== "HTML") {
        const message = "Only a template of the format HTML can become a PDF file";
        throw new DocumentFault("DOCUMENT_FORMAT", message);
      }
      const filled = await fillDocument(text, format, data).catch((error: unknown) => {
        const message = `The document cannot be rendered: ${reasonOf(error)}`;
        throw new DocumentFault("DOCUMENT_INVALID", message, error);
      });
      return isPdf
        ? { mediaType: "application/pdf", content: await printer.print(filled, signal) }
        : { mediaType: mediaTypes[format], content: Buffer.from(filled) };
    },
  };
}
