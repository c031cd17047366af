import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import type { Words } from "../../words/languages.ts";

/** A template of a mail or of a document, in one language. */
export type Template = AdminOperations["GET /templates/{id}"]["answer"]["data"];
export type MailTemplate = Extract<Template, { readonly kind: "MAIL" }>;
export type DocumentTemplate = Extract<Template, { readonly kind: "DOCUMENT" }>;
type TemplateChanges = AdminOperations["PATCH /templates/{id}"]["data"];
export type DocumentFormat = DocumentTemplate["format"];

/** The parts of a mail that an administrator writes. */
export type TemplateParts = Pick<MailTemplate, "subject" | "text" | "html">;
/** The parts of a document that an administrator writes. */
interface DocumentParts {
  readonly title: string;
  readonly format: DocumentFormat;
  readonly source: string;
  /** JSON, as it is typed. */
  readonly sample: string;
}
export type MailPartName = keyof TemplateParts;
export type PartName = MailPartName | keyof DocumentParts;

/** What a form of the parts needs of the kind of its template. */
export interface TemplateKind<Parts> {
  /** The parts in their order on the page. */
  readonly names: readonly (keyof Parts & PartName)[];
  partsOf(template: Template): Parts;
  /** The parts as the service takes them; undefined for a text that is no value. */
  toData(parts: Partial<Parts>): TemplateChanges | undefined;
}

export const mailPartNames: readonly MailPartName[] = ["subject", "text", "html"];

export const mails: TemplateKind<TemplateParts> = {
  names: mailPartNames,
  partsOf: (template) => partsOf(requireMail(template)),
  toData: (parts) => parts,
};

export const documents: TemplateKind<DocumentParts> = {
  names: ["title", "format", "source", "sample"],
  partsOf: (template) => {
    const { title, format, source, sample } = requireDocument(template);
    return { title, format, source, sample: JSON.stringify(sample, null, 2) };
  },
  toData: ({ sample: text, ...parts }) => {
    if (text === undefined) return parts;
    const sample = readSample(text);
    return sample === undefined ? undefined : { ...parts, sample };
  },
};

/** Returns the JSON object of a text; undefined for any other text. */
export function readSample(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the mail that a response has. Its kind is that of the request, since no template changes its kind. */
export function requireMail(template: Template): MailTemplate {
  if (template.kind !== "MAIL") throw new Error("the template is not that of a mail");
  return template;
}

/** Returns the document that a response has. */
export function requireDocument(template: Template): DocumentTemplate {
  if (template.kind !== "DOCUMENT") throw new Error("the template is not that of a document");
  return template;
}

/** Returns the written parts of a mail. */
export function partsOf({ subject, text, html }: TemplateParts): TemplateParts {
  return { subject, text, html };
}

/** Whether two mails have the same parts. */
export function isSameText(one: TemplateParts, other: TemplateParts): boolean {
  return mailPartNames.every((name) => one[name] === other[name]);
}

/** Returns the name of a mail and the occasion that sends it, by the key of its template. */
export function useMailNames() {
  const t = useTranslations("templates");
  const nameOf = (key: MailTemplate["key"]) =>
    key.slice(key.indexOf(".") + 1) as keyof Words["templates"]["mails"];
  return {
    nameOf: (key: MailTemplate["key"]): string => t(`mails.${nameOf(key)}`),
    occasionOf: (key: MailTemplate["key"]): string => t(`occasions.${nameOf(key)}`),
  };
}
