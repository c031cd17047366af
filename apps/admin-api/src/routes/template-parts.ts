import { z } from "@hono/zod-openapi";
import { type MailKey, mailKinds } from "@rowhouse/accounts";
import { exactObject, roundedObject } from "@rowhouse/db";
import { moment } from "../route-parts.ts";

const mailKey = z.enum(Object.keys(mailKinds) as [MailKey, ...MailKey[]]);
/** The keys `auth.…` are those of mails. */
const documentKey = z
  .string()
  .max(100)
  .regex(
    /^(?!auth\.)[a-z0-9]+(?:[._-][a-z0-9]+)*$/,
    "Must be lower-case letters, digits, dots, dashes and underscores, and not begin with auth.",
  );
const language = z.string().max(35);

const kind = z.enum(["MAIL", "DOCUMENT"]);
export const listFilters = {
  kind: kind.optional().openapi({ default: "MAIL" }),
  key: z.string().max(100).optional(),
  language: language.optional(),
};

const mailParts = {
  subject: z.string().min(1).max(500),
  text: z.string().min(1).max(50_000),
  html: z.string().min(1).max(50_000).nullable(),
};
const format = z.enum(["HTML", "TEXT", "CSV"]).openapi({
  description: "How values are written: escaped in HTML, as they are in TEXT, quoted in CSV",
});
const documentParts = {
  title: z.string().min(1).max(200),
  format,
  source: z.string().min(1).max(100_000).openapi({ description: "Liquid" }),
  sample: exactObject.meta({
    type: "object",
    additionalProperties: true,
    description: "Values for the preview",
  }),
};

const mail = z
  .object({
    id: z.string(),
    kind: z.literal("MAIL"),
    key: mailKey,
    language: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string().nullable(),
    variables: z.array(z.string()).openapi({ description: "Variables that the template may use" }),
    builtIn: z
      .object({ subject: z.string(), text: z.string(), html: z.string().nullable() })
      .nullable()
      .openapi({ description: "The text that the service ships in this language" }),
    updatedAt: moment,
  })
  .openapi("MailTemplate");
const document = z
  .object({
    id: z.string(),
    kind: z.literal("DOCUMENT"),
    key: z.string(),
    language: z.string(),
    title: z.string(),
    format,
    source: z.string(),
    sample: z.record(z.string(), z.unknown()),
    updatedAt: moment,
  })
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
