export {
  type DocumentChanges,
  type DocumentParts,
  type DocumentTemplate,
  documentTemplateRecords,
  mergeDocument,
  previewDocument,
  templateFilters,
  templateKindOf,
} from "./documents/document-templates.ts";
export { findTemplate } from "./documents/find-template.ts";
export {
  createDocuments,
  type DocumentRequest,
  type Documents,
  type RenderedDocument,
} from "./documents/render-document.ts";
export { openFrame, readFrame, ticketForm } from "./frames/preview-frames.ts";
export { DocumentFault } from "./liquid/document-fault.ts";
export {
  placeInTemplate,
  reasonOf,
  renderLiquid,
  type TextFormat,
  type Variables,
} from "./liquid/render-liquid.ts";
export { createPdfPrinter, type PdfPrinter } from "./print/pdf-printer.ts";
