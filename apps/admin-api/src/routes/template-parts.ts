import { z } from "@hono/zod-openapi";
import {
  documentTemplateKind,
  exactObject,
  givenShapeOf,
  mailTemplateKind,
  roundedObject,
  storedShapeOf,
} from "@rowhouse/db";

const kind = z.enum(["MAIL", "DOCUMENT"]);
const { key: mailKey, language, ...mailParts } = givenShapeOf(mailTemplateKind);
const { key: documentKey, language: _, ...documentFields } = givenShapeOf(documentTemplateKind);
const { format } = documentFields;
const documentParts = {
  ...documentFields,
  sample: exactObject.meta({
    type: "object",
    additionalProperties: true,
    description: "Values for the preview",
  }),
};
export const listFilters = {
  kind: kind.optional().openapi({ default: "MAIL" }),
  key: z.string().max(100).optional(),
  language: language.optional(),
};

const mail = z
  .object({
    ...storedShapeOf(mailTemplateKind),
    kind: z.literal("MAIL"),
    variables: z.array(z.string()).openapi({ description: "Variables that the template may use" }),
    builtIn: z
      .object({ subject: z.string(), text: z.string(), html: z.string().nullable() })
      .nullable()
      .openapi({ description: "The text that the service ships in this language" }),
  })
  .openapi("MailTemplate");
const document = z
  .object({ ...storedShapeOf(documentTemplateKind), kind: z.literal("DOCUMENT") })
  .openapi("DocumentTemplate");

/** A template of either kind. */
export const template = z.discriminatedUnion("kind", [mail, document]);

const newMail = z.strictObject({
  kind: z.literal("MAIL").optional().openapi({ default: "MAIL" }),
  key: mailKey,
  language,
  ...mailParts,
  html: mailParts.html.optional(),
});
const newDocument = z.strictObject({
  kind: z.literal("DOCUMENT"),
  key: documentKey,
  language,
  ...documentParts,
  sample: documentParts.sample.optional(),
});
export const newTemplate = z.discriminatedUnion("kind", [newMail, newDocument]);

const changedParts = z.strictObject({ ...mailParts, ...documentParts }).partial();
/** The parts of either kind; the stored template decides which of them it has. */
export const changes = changedParts.openapi({
  description: "The parts of a mail, or those of a document",
});
export type TemplateChanges = z.output<typeof changes>;
export const mailPartNames: readonly string[] = Object.keys(mailParts);
export const documentPartNames: readonly string[] = Object.keys(documentParts);

const value = z.union([z.string().max(1000), z.number()]);
const values = z.record(z.string().regex(/^[a-z_]{1,50}$/, "The name of a variable"), value);
const valuesNote = "Values of a mail's variables in place of the sample values";
/** Changes of a mail that are not stored, and values in place of the sample values. */
export const mailDraft = z.strictObject({
  ...z.strictObject(mailParts).partial().shape,
  values: values.optional().openapi({ description: valuesNote }),
});
/** Changes that are not stored, of a template of either kind. */
export const draft = z.strictObject({
  ...changedParts.shape,
  values: roundedObject
    .pipe(values)
    .optional()
    .openapi({
      type: "object",
      additionalProperties: { anyOf: [{ type: "string", maxLength: 1000 }, { type: "number" }] },
      description: valuesNote,
    }),
});
export type TemplateDraft = z.output<typeof draft>;

const frame = z.string().nullable().openapi({
  description:
    "The address that shows the HTML in a frame of the administration, for 60 seconds and this session; null without HTML or session",
});
/** What a draft makes. */
export const previewed = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("MAIL"),
    subject: z.string(),
    text: z.string(),
    html: z.string().nullable(),
    variables: z
      .array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }))
      .openapi({ description: "The variables of the mail with the values used" }),
    frame,
  }),
  z.object({ kind: z.literal("DOCUMENT"), format, content: z.string(), frame }),
]);
